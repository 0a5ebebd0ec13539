import { z } from "zod";
import { describeFault } from "../../ingest/fault.ts";
import { describeIssues } from "../../ingest/parse.ts";
import { maxTextLength } from "../../warehouse/guarded/guarded.ts";
import { toInstant } from "../calendar.ts";
import { type Period, type Plan, planSchema } from "../plan.ts";
import type { Linking } from "../planner/link/name-index.ts";
import { checkPlan } from "./check-plan.ts";
import type { Message } from "./model.ts";
import { hasOwnFigures } from "./own-figures.ts";

/** Wall-clock time in the organization's zone: models are bad at zones. */
const localTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d)?$/, "must be a date such as 2026-10-01, or 2026-10-01T14:30");
const localPeriod = z.object({
  from: localTime.nullable().describe("First moment of the period; null for everything before `to`."),
  to: localTime.describe("First moment after the period."),
  label: z.string().min(1).max(120).describe("The period as a person says it, such as: last month."),
});

const planForm = planSchema
  .omit({ zone: true })
  .extend({ period: localPeriod.nullable(), compare: localPeriod.nullable() });

/** The model's own words that a person may be shown: a line without addresses. */
export const sentence = z
  .string()
  .max(300)
  .regex(/^[^\p{Cc}]*$/u, "must be one line")
  .regex(/^(?!.*(:\/\/|www\.))/i, "must hold no address");

const replySchema = z.object({
  kind: z.enum(["plan", "sql", "ask", "none"]),
  reading: sentence.describe(
    "One plain sentence: how you read the question, with the period and filters; for ask, what you ask back; for none, why the data cannot answer.",
  ),
  options: z
    .array(sentence)
    .max(4)
    .default([])
    .describe("For ask: what the question may mean, each as a whole question. Else empty."),
  plan: planForm.nullable().default(null),
  sql: z.string().max(maxTextLength).nullable().default(null),
});

/** Bounds that are checked all the same; a schema without them is shorter, and more servers take it. */
const bounds = /^(\$schema|allOf|pattern|format|(min|max)(Length|Items|imum))$/;

/** The JSON Schema of the form that the model fills. */
export const replyForm = {
  title: "answer",
  description:
    "How to answer the question: by a plan of the catalog, by SQL where no plan can say it, by asking back, or not at all.",
  ...(JSON.parse(
    JSON.stringify(z.toJSONSchema(replySchema, { io: "input", reused: "ref" }), (key, value: unknown) =>
      bounds.test(key) ? undefined : value,
    ),
  ) as object),
};

const partialReply = z.object({ reading: z.string() });

/**
 * Passes on the model's reading while it is written, word by word, as far as an answer could show it: without
 * addresses, and without figures that the messages do not have.
 */
export function tellReading(tell: (words: string) => void, messages: readonly Message[]) {
  const known = messages.filter(({ role }) => role === "user").map(({ content }) => content);
  let told = "";
  return (partial: unknown): void => {
    const { reading = "" } = partialReply.safeParse(partial).data ?? {};
    const words = reading.slice(0, Math.max(0, reading.lastIndexOf(" ")));
    if (words.length <= told.length || !sentence.safeParse(words).success) return;
    if (hasOwnFigures(words, known.join(" "))) return;
    told = words;
    tell(words);
  };
}

export type Reply =
  | { readonly kind: "plan"; readonly plan: Plan }
  | { readonly kind: "sql"; readonly sql: string; readonly reading: string }
  | { readonly kind: "ask"; readonly sentence: string; readonly options: readonly string[] }
  /** Why the data cannot answer. */
  | { readonly kind: "none"; readonly sentence: string }
  /** The fault, in words by which the model can correct it. */
  | { readonly kind: "fault"; readonly fault: string };

/** Checks the model's reply against the form, the catalog and the organization's names. */
export function parseReply(value: unknown, linking: Linking): Reply {
  if (value === null) return { kind: "fault", fault: "You did not fill the form `answer` with whole JSON." };
  const parsed = replySchema.safeParse(value, { error: describeFault });
  if (!parsed.success) return { kind: "fault", fault: describeIssues(parsed.error) };
  const { kind, plan, sql, reading, options } = parsed.data;
  switch (kind) {
    case "none":
      return { kind, sentence: reading };
    case "ask":
      return options.length < 2
        ? { kind: "fault", fault: "`options` has fewer than two questions to choose from." }
        : { kind, sentence: reading, options };
    case "sql":
      return sql === null ? { kind: "fault", fault: "`sql` is missing." } : { kind, sql, reading };
    default:
      return plan === null ? { kind: "fault", fault: "`plan` is missing." } : toPlan(plan, linking);
  }
}

function toPlan(form: z.output<typeof planForm>, linking: Linking): Reply {
  const { zone } = linking;
  const plan = { ...form, zone, period: toPeriod(form.period, zone), compare: toPeriod(form.compare, zone) };
  const checked = checkPlan(plan, linking);
  return "fault" in checked ? { kind: "fault", fault: checked.fault } : { kind: "plan", plan: checked.plan };
}

function toPeriod(period: z.output<typeof localPeriod> | null, zone: string): Period | null {
  if (period === null) return null;
  const at = (local: string): string => {
    const wallClock = Date.parse(`${local.length === 10 ? `${local}T00:00` : local}Z`);
    // The 31st of a month of thirty days is refused with the plan.
    return Number.isNaN(wallClock) ? local : new Date(toInstant(wallClock, zone)).toISOString();
  };
  return { label: period.label, from: period.from === null ? null : at(period.from), to: at(period.to) };
}
