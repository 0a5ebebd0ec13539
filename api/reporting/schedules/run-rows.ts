import { readJson } from "../../../ingest/parse.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Page } from "../../../sql/page.ts";
import type { DatabaseRow, Queryable } from "../../database/database.ts";
import { headline, type Report, type ReportKind, reportKinds, reportSchema } from "./report.ts";

export const runStatuses = ["pending", "delivered", "failed", "cancelled"] as const;
export type RunStatus = (typeof runStatuses)[number];

/** One run of a schedule. Times are ISO 8601 in UTC. */
export interface Run {
  readonly id: string;
  readonly orgId: OrgId;
  readonly scheduleId: string;
  readonly triggeredBy: "schedule" | "manual";
  /** Null until the question is answered. */
  readonly kind: ReportKind | null;
  readonly status: RunStatus;
  readonly dueAt: string;
  readonly endedAt: string | null;
  readonly attempts: number;
  /** Null when it has ended. */
  readonly nextAttemptAt: string | null;
  readonly summary: string;
  /** Why the last attempt failed, or whom a mail did not reach; empty where there is nothing to say. */
  readonly error: string;
  /** Null until the question is answered, and when the report is sent. */
  readonly report: Report | null;
}

const columns = `id, org_id, schedule_id, triggered_by, kind, status, due_at, ended_at, attempts, next_attempt_at,
  summary, error, report`;

const toRun = (row: DatabaseRow): Run => ({
  id: String(row["id"]),
  orgId: String(row["org_id"]) as OrgId,
  scheduleId: String(row["schedule_id"]),
  triggeredBy: row["triggered_by"] === "manual" ? "manual" : "schedule",
  kind: reportKinds.find((each) => each === row["kind"]) ?? null,
  status: runStatuses.find((each) => each === row["status"]) ?? "failed",
  dueAt: String(row["due_at"]),
  endedAt: String(row["ended_at"]) || null,
  attempts: Number(row["attempts"]),
  nextAttemptAt: row["status"] === "pending" ? String(row["next_attempt_at"]) : null,
  summary: String(row["summary"]),
  error: String(row["error"]),
  report: row["report"] === "" ? null : (reportSchema.safeParse(readJson(String(row["report"]))).data ?? null),
});

type NewRun = Pick<Run, "id" | "orgId" | "scheduleId" | "triggeredBy" | "dueAt"> & { readonly now: string };

/** Inserts a pending run, unless one by the schedule's clock is pending already: a schedule sends one after the other. */
export async function insertRun(db: Queryable, run: NewRun): Promise<void> {
  const { id, orgId, scheduleId, triggeredBy, dueAt, now } = run;
  await db.query(
    `INSERT INTO schedule_runs (${columns}, leased_until)
     SELECT $1, $2, $3, $4, '', 'pending', $5, '', 0, $6, '', '', '', ''
     WHERE $4 = 'manual' OR NOT EXISTS (
       SELECT 1 FROM schedule_runs WHERE schedule_id = $3 AND status = 'pending' AND triggered_by = 'schedule')`,
    [id, orgId, scheduleId, triggeredBy, dueAt, now],
  );
}

/** Pending runs of all organizations whose attempt is due and that no process works on. */
export async function listPending(db: Queryable, now: string, most: number) {
  const rows = await db.query(
    `SELECT id, org_id FROM schedule_runs WHERE status = 'pending' AND next_attempt_at <= $1 AND leased_until < $1
     ORDER BY next_attempt_at LIMIT ${most}`,
    [now],
  );
  return rows.map(({ id, org_id: orgId }) => ({ id: String(id), orgId: String(orgId) }));
}

/** Leases a pending run for an attempt; null where another process has it, or it has ended. */
export async function claimRun(
  db: Queryable,
  id: string,
  { now, until }: { readonly now: string; readonly until: string },
): Promise<Run | null> {
  const [row] = await db.query(
    `UPDATE schedule_runs SET leased_until = $3, attempts = attempts + 1
     WHERE id = $1 AND status = 'pending' AND leased_until < $2 RETURNING ${columns}`,
    [id, now, until],
  );
  return row === undefined ? null : toRun(row);
}

/** Ends the leases of processes that have died; for a process that knows that it is the only one. */
export const releaseRuns = (db: Queryable) =>
  db.query("UPDATE schedule_runs SET leased_until = '' WHERE status = 'pending' AND leased_until <> ''");

/** Stores what is to be sent, so that each attempt sends the same. */
export const storeReport = (db: Queryable, id: string, report: Report) =>
  db.query("UPDATE schedule_runs SET kind = $2, summary = $3, report = $4 WHERE id = $1", [
    id,
    report.kind,
    headline(report),
    JSON.stringify(report),
  ]);

/** Leaves a run to a later attempt. */
export const retryRun = (db: Queryable, id: string, { at, error }: { readonly at: string; readonly error: string }) =>
  db.query(
    "UPDATE schedule_runs SET next_attempt_at = $2, error = $3, leased_until = '' WHERE id = $1 AND status = 'pending'",
    [id, at, error],
  );

interface RunEnd {
  readonly status: "delivered" | "failed";
  readonly at: string;
  readonly error: string;
}

/** Ends a run; what it sent is no longer kept. */
export const endRun = (db: Queryable, id: string, { status, at, error }: RunEnd) =>
  db.query(
    `UPDATE schedule_runs SET status = $2, ended_at = $3, error = $4, report = '', leased_until = ''
     WHERE id = $1 AND status = 'pending'`,
    [id, status, at, error],
  );

/** Ends what a schedule has not sent yet, because it is paused. */
export const cancelRuns = (db: Queryable, scheduleId: string, at: string) =>
  db.query(
    `UPDATE schedule_runs SET status = 'cancelled', ended_at = $2, report = '', leased_until = ''
     WHERE schedule_id = $1 AND status = 'pending' AND triggered_by = 'schedule'`,
    [scheduleId, at],
  );

export const deleteRun = (db: Queryable, id: string) => db.query("DELETE FROM schedule_runs WHERE id = $1", [id]);

/** Deletes runs that ended before a time. */
export const deleteRunsBefore = (db: Queryable, before: string) =>
  db.query("DELETE FROM schedule_runs WHERE status <> 'pending' AND ended_at < $1", [before]);

export async function findRun(db: Queryable, orgId: OrgId, id: string): Promise<Run | null> {
  const [row] = await db.query(`SELECT ${columns} FROM schedule_runs WHERE org_id = $1 AND id = $2`, [orgId, id]);
  return row === undefined ? null : toRun(row);
}

/** A page of a schedule's runs, by when they were due. */
export async function listRuns(
  db: Queryable,
  of: Pick<Run, "orgId" | "scheduleId">,
  { limit, offset, direction }: Page,
) {
  const whose = [of.orgId, of.scheduleId];
  const where = "FROM schedule_runs WHERE org_id = $1 AND schedule_id = $2";
  const [counted] = await db.query(`SELECT count(*) AS total ${where}`, whose);
  const rows = await db.query(
    `SELECT ${columns} ${where} ORDER BY due_at ${direction}, id ${direction} LIMIT $3 OFFSET $4`,
    [...whose, limit, offset],
  );
  return { runs: rows.map(toRun), total: Number(counted?.["total"] ?? 0) };
}
