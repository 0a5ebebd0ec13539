import * as z from "zod/mini";
import { formatMinute, formatShort } from "../format-time.ts";
import type { Column } from "../wire.ts";

export const schedulesPath = "/reporting_ai/schedules";

const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const operators = ["above", "at_least", "below", "at_most"] as const;
const everies = ["minutes", "hour", "day", "workday", "week", "month"] as const;

const timingSchema = z.object({
  every: z.enum(everies),
  minutes: z.optional(z.number()),
  minute: z.optional(z.number()),
  at: z.optional(z.string()),
  on: z.optional(z.union([z.enum(weekdays), z.number()])),
});
const conditionSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("figure"), column: z.string(), operator: z.enum(operators), value: z.number() }),
  z.object({ kind: z.literal("rows") }),
]);
const destinationSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("mail"), to: z.array(z.string()) }),
  z.object({ kind: z.literal("webhook"), url: z.string() }),
]);

export const scheduleSchema = z.object({
  id: z.string(),
  name: z.string(),
  saved_question: z.nullable(z.object({ id: z.string(), name: z.string(), query: z.nullable(z.string()) })),
  timing: timingSchema,
  condition: z.nullable(conditionSchema),
  deliver_to: destinationSchema,
  in_words: z.string(),
  state: z.enum(["active", "paused"]),
  paused_at: z.nullable(z.string()),
  pause_reason: z.nullable(z.enum(["user", "failing", "question_gone"])),
  next_run_at: z.nullable(z.string()),
  alerting_since: z.nullable(z.string()),
  last_run_at: z.nullable(z.string()),
  last_result: z.nullable(z.enum(["delivered", "quiet", "failed"])),
  may_change: z.boolean(),
});
export type Schedule = z.infer<typeof scheduleSchema>;
/** The answer of creating and changing one: a new webhook's secret is shown once. */
export const changedSchema = z.extend(scheduleSchema, { signing_secret: z.nullable(z.string()) });
/** The answer of `GET /reporting_ai/schedules`. */
export const schedulesSchema = z.object({ data: z.array(scheduleSchema), can_mail: z.boolean() });

export const runSchema = z.object({
  id: z.string(),
  triggered_by: z.enum(["schedule", "manual"]),
  status: z.enum(["pending", "delivered", "failed", "cancelled"]),
  due_at: z.string(),
  ended_at: z.nullable(z.string()),
  attempts: z.number(),
  next_attempt_at: z.nullable(z.string()),
  summary: z.string(),
  error: z.nullable(z.string()),
});
export type Run = z.infer<typeof runSchema>;
/** The answer of `GET /reporting_ai/schedules/{schedule_id}/runs`. */
export const runsSchema = z.object({ data: z.array(runSchema) });

/** The form of a schedule, as it is filled in. */
export type Draft = {
  readonly question: string;
  readonly name: string;
  /** The answers to send: every one, or those whose figure passes a limit, or that have a row. */
  readonly sends: "answer" | "figure" | "rows";
  readonly column: string;
  readonly operator: (typeof operators)[number];
  readonly value: string;
  readonly every: (typeof everies)[number];
  readonly minutes: string;
  readonly at: string;
  readonly weekday: (typeof weekdays)[number];
  readonly day: string;
  readonly to: "mail" | "webhook";
  readonly addresses: string;
  readonly url: string;
};

export const newDraft = (question: string, canMail: boolean): Draft => ({
  question,
  name: "",
  sends: "answer",
  column: "",
  operator: "below",
  value: "",
  every: "workday",
  minutes: "15",
  at: "08:00",
  weekday: "monday",
  day: "1",
  to: canMail ? "mail" : "webhook",
  addresses: "",
  url: "",
});

/** The form with what a schedule has. */
export const draftOf = ({ name, saved_question, timing, condition, deliver_to }: Schedule): Draft => ({
  ...newDraft(saved_question?.id ?? "", deliver_to.kind === "mail"),
  name,
  sends: condition === null ? "answer" : condition.kind,
  ...(condition?.kind === "figure" && {
    column: condition.column,
    operator: condition.operator,
    value: String(condition.value),
  }),
  every: timing.every,
  ...(timing.minutes !== undefined && { minutes: String(timing.minutes) }),
  ...(timing.at !== undefined && { at: timing.at }),
  ...(typeof timing.on === "string" && { weekday: timing.on }),
  ...(typeof timing.on === "number" && { day: String(timing.on) }),
  ...(deliver_to.kind === "mail" ? { addresses: deliver_to.to.join(", ") } : { url: deliver_to.url }),
});

const timingOf = ({ every, minutes, at, weekday, day }: Draft): z.infer<typeof timingSchema> => {
  if (every === "minutes") return { every, minutes: Number(minutes) };
  if (every === "hour") return { every, minute: 0 };
  if (every === "week") return { every, on: weekday, at };
  return every === "month" ? { every, on: Number(day), at } : { every, at };
};

/** The request's body; what is wrong in it, the server says. */
export const toBody = (draft: Draft) => ({
  saved_question_id: draft.question,
  ...(draft.name.trim() !== "" && { name: draft.name.trim() }),
  timing: timingOf(draft),
  condition:
    draft.sends === "figure"
      ? { kind: "figure", column: draft.column, operator: draft.operator, value: Number(draft.value) }
      : draft.sends === "rows"
        ? { kind: "rows" }
        : null,
  deliver_to:
    draft.to === "mail"
      ? { kind: "mail", to: draft.addresses.split(/[\s,;]+/).filter((address) => address !== "") }
      : { kind: "webhook", url: draft.url.trim() },
});

type Choice<T extends string> = { readonly value: T; readonly label: string };

/** Returns the intervals to choose from; those of a few minutes are for alerts alone. */
export const everyChoices = ({ sends }: Pick<Draft, "sends">): readonly Choice<Draft["every"]>[] => [
  ...(sends === "answer" ? [] : [{ value: "minutes", label: "Every few minutes" } as const]),
  { value: "hour", label: "Every hour" },
  { value: "day", label: "Every day" },
  { value: "workday", label: "Monday to Friday" },
  { value: "week", label: "Every week" },
  { value: "month", label: "Every month" },
];

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const weekdayChoices = weekdays.map((value) => ({ value, label: capitalized(value) }));
export const minuteChoices = ["5", "10", "15", "30"].map((value) => ({ value, label: `${value} minutes` }));
export const dayChoices = Array.from({ length: 31 }, (_, index) => ({
  value: String(index + 1),
  label: String(index + 1),
}));
export const sendsChoices: readonly Choice<Draft["sends"]>[] = [
  { value: "answer", label: "Every answer" },
  { value: "figure", label: "An alert when a figure passes a limit" },
  { value: "rows", label: "An alert when the answer has a row" },
];
export const operatorChoices: readonly Choice<Draft["operator"]>[] = [
  { value: "above", label: "is above" },
  { value: "at_least", label: "is at least" },
  { value: "below", label: "is below" },
  { value: "at_most", label: "is at most" },
];

const unitWords: Partial<Record<NonNullable<Column["unit"]>, string>> = {
  money: "US dollars",
  percent: "percent, 0 to 100",
  seconds: "seconds",
  ms: "milliseconds",
};

/** The label of a limit, with the unit in which it is given. */
export const limitLabel = (column: Pick<Column, "unit"> | undefined): string => {
  const words = column?.unit == null ? undefined : unitWords[column.unit];
  return words === undefined ? "Limit" : `Limit (${words})`;
};

/** Returns the text and tone of a schedule's badge. */
export const badgeOf = ({ state, alerting_since, last_result }: Schedule): { label: string; tone: string } => {
  if (state === "paused") return { label: "Paused", tone: "plain" };
  if (alerting_since !== null) return { label: "Alerting", tone: "bad" };
  if (last_result === "failed") return { label: "Failing", tone: "bad" };
  return { label: "Active", tone: "good" };
};

/** Returns the destination in words: "to ann@customer.example and 2 others". */
export const destinationWords = ({ deliver_to: to }: Pick<Schedule, "deliver_to">): string => {
  if (to.kind === "webhook") return `to ${to.url}`;
  const [first = "nobody", ...others] = to.to;
  if (others.length === 0) return `to ${first}`;
  return others.length === 1 ? `to ${first} and ${others[0]}` : `to ${first} and ${others.length} others`;
};

const pauseWords = {
  user: "",
  failing: "It was paused because its answers could not be delivered, time after time: see its history.",
  question_gone: "It was paused because its saved question was deleted or can no longer be run.",
} as const;

/** Why it is paused, where nobody did it; empty else. */
export const pausedBecause = ({ pause_reason: reason }: Schedule): string =>
  reason === null ? "" : pauseWords[reason];

const resultWords = { delivered: "sent", quiet: "nothing to tell", failed: "failed" } as const;

/** Returns the last and the next run in words, in the organization's zone. */
export const timesOf = ({ next_run_at, last_run_at, last_result }: Schedule, zone: string): string =>
  [
    last_run_at === null || last_result === null
      ? null
      : `Last run ${formatMinute(last_run_at, zone)}: ${resultWords[last_result]}.`,
    next_run_at === null ? null : `Next run ${formatMinute(next_run_at, zone)}.`,
  ]
    .filter((words) => words !== null)
    .join(" ");

/** Returns the outcome of a run in words. */
export const runWords = ({ status, attempts, next_attempt_at, error }: Run, zone: string): string => {
  const why = error === null ? "" : ` ${error}`;
  if (status === "pending" && attempts > 0 && next_attempt_at !== null)
    return `Failed ${attempts === 1 ? "once" : `${attempts} times`}, next attempt ${formatShort(next_attempt_at, zone)}.${why}`;
  if (status === "pending") return "Under way.";
  if (status === "cancelled") return `Not sent: it was paused.${why}`;
  return status === "delivered" ? `Sent.${why}` : `Failed.${why}`;
};
