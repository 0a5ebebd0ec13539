import { z } from "zod";
import { units } from "../../../assistant/catalog/field.ts";
import { readJson } from "../../../ingest/parse.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Page } from "../../../sql/page.ts";
import { signingSchema } from "../../config/resources/outgoing-webhook.ts";
import { httpUrl } from "../../config/resources/shapes.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";
import { conditionSchema } from "./condition.ts";
import { timingSchema } from "./timing.ts";

/** Recipients of one schedule's mails. */
const mostRecipients = 20;

/** The destination of a schedule's answers. */
export const destinationSchema = z
  .discriminatedUnion("kind", [
    z.object({
      kind: z.literal("mail"),
      to: z
        .array(z.email("must be an e-mail address").max(254))
        .min(1)
        .max(mostRecipients)
        .refine((addresses) => new Set(addresses).size === addresses.length, "names an address twice"),
    }),
    z.object({
      kind: z.literal("webhook"),
      url: httpUrl.describe(
        "http or https. It gets a POST with the answer as JSON, signed as Standard Webhooks says; whoever may not change the schedule sees its host alone.",
      ),
    }),
  ])
  .describe("Where its answers go.");
export type Destination = z.infer<typeof destinationSchema>;

const docSchema = z.object({
  name: z.string(),
  timing: timingSchema,
  condition: conditionSchema.nullable(),
  /** The unit that the condition's figure had when it was set. */
  unit: z.enum(units).nullable(),
  deliver_to: destinationSchema,
  /** Signs the requests of a webhook; null for mails. */
  signing: signingSchema,
});
export type ScheduleDoc = z.infer<typeof docSchema>;

export const pauseReasons = ["user", "failing", "question_gone"] as const;
export type PauseReason = (typeof pauseReasons)[number];
export const runResults = ["delivered", "quiet", "failed"] as const;
export type RunResult = (typeof runResults)[number];

/** Times are ISO 8601 in UTC. */
export interface Schedule {
  readonly id: string;
  readonly orgId: OrgId;
  readonly savedQuestionId: string;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly doc: ScheduleDoc;
  /** Null while it is paused. */
  readonly nextRunAt: string | null;
  readonly alertingSince: string | null;
  readonly lastRunAt: string | null;
  readonly lastResult: RunResult | null;
  /** Runs in a row that have failed. */
  readonly failures: number;
  readonly pausedAt: string | null;
  readonly pauseReason: PauseReason | null;
}

/** Most schedules of one organization. */
export const mostSchedules = 100;

const columns = `id, org_id, saved_question_id, created_by, created_at, updated_at, doc, next_run_at, alerting_since,
  last_run_at, last_result, failures, paused_at, pause_reason`;

const orNull = (value: unknown): string | null => (value === "" || value == null ? null : String(value));
const oneOf = <T extends string>(values: readonly T[], value: unknown): T | null =>
  values.find((each) => each === value) ?? null;

function toSchedule(row: DatabaseRow): Schedule | null {
  const doc = docSchema.safeParse(readJson(String(row["doc"]))).data;
  if (doc === undefined) return null;
  return {
    id: String(row["id"]),
    orgId: String(row["org_id"]) as OrgId,
    savedQuestionId: String(row["saved_question_id"]),
    createdBy: String(row["created_by"]),
    createdAt: String(row["created_at"]),
    updatedAt: String(row["updated_at"]),
    doc,
    nextRunAt: orNull(row["next_run_at"]),
    alertingSince: orNull(row["alerting_since"]),
    lastRunAt: orNull(row["last_run_at"]),
    lastResult: oneOf(runResults, row["last_result"]),
    failures: Number(row["failures"]),
    pausedAt: orNull(row["paused_at"]),
    pauseReason: oneOf(pauseReasons, row["pause_reason"]),
  };
}

const toSchedules = (rows: readonly DatabaseRow[]): Schedule[] => rows.flatMap((row) => toSchedule(row) ?? []);

/** Returns false if the organization has the most already. */
export async function insertSchedule(db: Queryable, schedule: Schedule): Promise<boolean> {
  const { id, orgId, savedQuestionId, createdBy, createdAt, doc, nextRunAt } = schedule;
  const rows = await db.query(
    `INSERT INTO schedules (${columns})
     SELECT $1, $2, $3, $4, $5, $5, $6, $7, '', '', '', 0, '', ''
     WHERE (SELECT count(*) FROM schedules WHERE org_id = $2) < ${mostSchedules} RETURNING id`,
    [id, orgId, savedQuestionId, createdBy, createdAt, JSON.stringify(doc), nextRunAt ?? ""],
  );
  return rows.length === 1;
}

/** Stores what users may change; returns false if it was changed since it was read, or is gone. */
export async function updateSchedule(db: Queryable, changed: Schedule, readAt: string): Promise<boolean> {
  const { id, orgId, savedQuestionId, updatedAt, doc, nextRunAt, alertingSince } = changed;
  const { failures, pausedAt, pauseReason } = changed;
  const rows = await db.query(
    `UPDATE schedules SET saved_question_id = $4, updated_at = $5, doc = $6, next_run_at = $7, alerting_since = $8,
       failures = $9, paused_at = $10, pause_reason = $11
     WHERE org_id = $1 AND id = $2 AND updated_at = $3 RETURNING id`,
    [
      ...[orgId, id, readAt, savedQuestionId, updatedAt, JSON.stringify(doc), nextRunAt ?? "", alertingSince ?? ""],
      ...[failures, pausedAt ?? "", pauseReason ?? ""],
    ],
  );
  return rows.length === 1;
}

export async function findSchedule(db: Queryable, orgId: OrgId, id: string): Promise<Schedule | null> {
  const [row] = await db.query(`SELECT ${columns} FROM schedules WHERE org_id = $1 AND id = $2`, [orgId, id]);
  return row === undefined ? null : toSchedule(row);
}

/** A page of the organization's schedules, by when they were made. */
export async function listSchedules(db: Queryable, orgId: OrgId, { limit, offset, direction }: Page) {
  const [counted] = await db.query("SELECT count(*) AS total FROM schedules WHERE org_id = $1", [orgId]);
  const rows = await db.query(
    `SELECT ${columns} FROM schedules WHERE org_id = $1
     ORDER BY created_at ${direction}, id ${direction} LIMIT $2 OFFSET $3`,
    [orgId, limit, offset],
  );
  return { schedules: toSchedules(rows), total: Number(counted?.["total"] ?? 0) };
}

/** Deletes a schedule with its history; returns false if it no longer exists. */
export async function deleteSchedule(db: Queryable, orgId: OrgId, id: string): Promise<boolean> {
  const rows = await db.query("DELETE FROM schedules WHERE org_id = $1 AND id = $2 RETURNING id", [orgId, id]);
  await db.query("DELETE FROM schedule_runs WHERE org_id = $1 AND schedule_id = $2", [orgId, id]);
  return rows.length === 1;
}

/** Schedules of all organizations whose time has come, the earliest first. */
export async function listDue(db: Queryable, now: string, most: number): Promise<Schedule[]> {
  const rows = await db.query(
    `SELECT ${columns} FROM schedules WHERE next_run_at <> '' AND next_run_at <= $1 ORDER BY next_run_at LIMIT ${most}`,
    [now],
  );
  return toSchedules(rows);
}

/** Moves a schedule on to its next time; returns false where another process has. */
export async function moveOn(db: Queryable, { id, nextRunAt }: Schedule, next: string): Promise<boolean> {
  const rows = await db.query("UPDATE schedules SET next_run_at = $3 WHERE id = $1 AND next_run_at = $2 RETURNING id", [
    id,
    nextRunAt,
    next,
  ]);
  return rows.length === 1;
}

/** Stores since when a schedule's condition holds; empty if it does not. */
export const setAlerting = (db: Queryable, id: string, since: string) =>
  db.query("UPDATE schedules SET alerting_since = $2 WHERE id = $1", [id, since]);

/** Stores how a run of a schedule ended; so many failures in a row pause it, a question that is gone at once. */
export async function noteResult(
  db: Queryable,
  id: string,
  { result, at, isGone, mostFailures }: { result: RunResult; at: string; isGone: boolean; mostFailures: number },
): Promise<void> {
  const [row] = await db.query(
    `UPDATE schedules SET last_run_at = $2, last_result = $3, failures = CASE WHEN $3 = 'failed' THEN failures + 1 ELSE 0 END
     WHERE id = $1 RETURNING failures`,
    [id, at, result],
  );
  if (result !== "failed" || !(isGone || Number(row?.["failures"]) >= mostFailures)) return;
  const reason: PauseReason = isGone ? "question_gone" : "failing";
  await db.query(
    "UPDATE schedules SET next_run_at = '', paused_at = $2, pause_reason = $3 WHERE id = $1 AND paused_at = ''",
    [id, at, reason],
  );
}
