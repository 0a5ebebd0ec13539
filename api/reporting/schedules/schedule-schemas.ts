import { z } from "zod";
import { timestamp } from "../../../ingest/primitives.ts";
import { name } from "../../config/resources/shapes.ts";
import type { Caller } from "../../serve/caller.ts";
import { mayChange } from "../conversations/shared-questions.ts";
import type { SavedQuestion } from "../saved/saved-rows.ts";
import { conditionSchema, describeCondition } from "./condition.ts";
import { reportKinds } from "./report.ts";
import { type Run, runStatuses } from "./run-rows.ts";
import { type Destination, destinationSchema, pauseReasons, runResults, type Schedule } from "./schedule-rows.ts";
import { mostFailures } from "./schedule-runner.ts";
import { describeTiming, timingSchema } from "./timing.ts";

/** A schedule as it is shown. */
export const scheduleSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    saved_question: z
      .object({ id: z.string(), name: z.string(), query: z.string().nullable() })
      .nullable()
      .describe("Null when it was deleted."),
    timing: timingSchema,
    condition: conditionSchema.nullable(),
    deliver_to: destinationSchema,
    in_words: z.string().describe("When it runs and what its condition is."),
    state: z.enum(["active", "paused"]),
    paused_at: timestamp.nullable(),
    pause_reason: z
      .enum(pauseReasons)
      .nullable()
      .describe(
        `Why it is paused: by a user, after ${mostFailures} failed runs in a row, or because its question was deleted or can no longer be run.`,
      ),
    next_run_at: timestamp.nullable().describe("Null while it is paused."),
    alerting_since: timestamp.nullable().describe("Since when its condition has held; null while it does not."),
    last_run_at: timestamp.nullable(),
    last_result: z.enum(runResults).nullable().describe("Quiet where there was nothing to tell."),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
    may_change: z.boolean().describe("Whether you may change, send and delete it: who made it and admins may."),
  })
  .meta({ id: "Schedule" });

const signingSecret = z
  .string()
  .nullable()
  .describe("What the webhook's requests are signed with, shown once when its address is new; null otherwise.");
/** The answer of what makes or changes a schedule. */
export const changedSchema = scheduleSchema.extend({ signing_secret: signingSecret });

/** A run as it is shown. */
export const runSchema = z
  .object({
    id: z.string().describe("Also the webhook-id of the request, and part of the mail's Message-ID."),
    triggered_by: z.enum(["schedule", "manual"]),
    kind: z.enum(reportKinds).nullable().describe("Null until the question is answered."),
    status: z.enum(runStatuses),
    due_at: timestamp,
    ended_at: timestamp.nullable(),
    attempts: z.int(),
    next_attempt_at: timestamp.nullable().describe("When a pending run is tried next."),
    summary: z.string(),
    error: z.string().nullable().describe("Why the last attempt failed, or whom a mail did not reach."),
  })
  .meta({ id: "ScheduleRun" });

const writable = z.object({
  saved_question_id: z.string().min(1).max(64).describe("The question to ask."),
  name: name.describe("Of the schedule, and in the subject of its mails; without it, the question's."),
  timing: timingSchema,
  condition: conditionSchema.nullable(),
  deliver_to: destinationSchema,
});

/** The body that makes a schedule. */
export const newScheduleSchema = writable
  .partial({ name: true })
  .extend({ condition: writable.shape.condition.default(null) });
export type NewSchedule = z.output<typeof newScheduleSchema>;

/** The body that changes a schedule; `paused` alone pauses or resumes it. */
export const scheduleChangeSchema = writable.partial().extend({
  paused: z
    .boolean()
    .optional()
    .describe("true pauses it, and what it has not sent yet is not sent; false resumes it, from its next time on."),
});
export type ScheduleChange = z.output<typeof scheduleChangeSchema>;

/** Shows a schedule, with the address of its webhook only to those who may change it. */
export function toShown(caller: Caller, schedule: Schedule, saved: SavedQuestion | null) {
  const { id, doc, createdBy, createdAt, updatedAt, nextRunAt, pausedAt, pauseReason } = schedule;
  const { name, timing, condition, deliver_to } = doc;
  const isOwn = mayChange(caller, createdBy);
  const when = describeTiming(timing);
  return {
    id,
    name,
    saved_question: saved && { id: saved.id, name: saved.name, query: saved.doc?.query || null },
    timing,
    condition,
    deliver_to: isOwn ? deliver_to : withoutPath(deliver_to),
    in_words: condition === null ? when : `${when}, when ${describeCondition(condition, doc.unit)}`,
    state: pausedAt === null ? ("active" as const) : ("paused" as const),
    paused_at: pausedAt,
    pause_reason: pauseReason,
    next_run_at: nextRunAt,
    alerting_since: schedule.alertingSince,
    last_run_at: schedule.lastRunAt,
    last_result: schedule.lastResult,
    created_by: createdBy,
    created_at: createdAt,
    updated_at: updatedAt,
    may_change: isOwn,
  };
}

/** The path of a webhook's address is often its credential. */
function withoutPath(to: Destination): Destination {
  if (to.kind === "mail" || !URL.canParse(to.url)) return to;
  return { kind: "webhook", url: `${new URL(to.url).origin}/***` };
}

export const toShownRun = (given: Run) => ({
  id: given.id,
  triggered_by: given.triggeredBy,
  kind: given.kind,
  status: given.status,
  due_at: given.dueAt,
  ended_at: given.endedAt,
  attempts: given.attempts,
  next_attempt_at: given.nextAttemptAt,
  summary: given.summary,
  error: given.error || null,
});
