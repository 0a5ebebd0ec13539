import { v7 as uuidv7 } from "uuid";
import type { Answer } from "../../../assistant/answer.ts";
import type { Assistant } from "../../../assistant/assistant.ts";
import { type Clock, isoTime } from "../../../ingest/clock.ts";
import { createFairQueue } from "../../../ingest/concurrency/fair-queue.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import type { Snapshot } from "../../config/snapshot.ts";
import type { Database, Queryable } from "../../database/database.ts";
import { MailError, type Mailer } from "../../outbound/mailer.ts";
import { nextAttemptAt, type Result } from "../../webhooks/deliver/retry-schedule.ts";
import type { Sender } from "../../webhooks/deliver/send.ts";
import { signed } from "../../webhooks/deliver/sign.ts";
import { zoneOf } from "../conversations/query-operation.ts";
import { answerSaved, QuestionGoneError } from "../saved/saved-plan.ts";
import { findSaved } from "../saved/saved-rows.ts";
import { describeCondition, rowsThatMeet, unitOf } from "./condition.ts";
import { linksOf, type Report, type ReportKind, toMail, toReport, toWebhookBody } from "./report.ts";
import {
  claimRun,
  deleteRun,
  deleteRunsBefore,
  endRun,
  findRun,
  insertRun,
  listPending,
  type Run,
  releaseRuns,
  retryRun,
  storeReport,
} from "./run-rows.ts";
import {
  findSchedule,
  listDue,
  moveOn,
  noteResult,
  type RunResult,
  type Schedule,
  setAlerting,
} from "./schedule-rows.ts";
import { countSend, mostAnHour } from "./send-quota.ts";
import { nextTime } from "./timing.ts";

/** Pauses before the second attempt of a run and those after it. */
const pausesMs = [60_000, 5 * 60_000, 30 * 60_000];
/** Failed runs in a row after which a schedule is paused. */
export const mostFailures = 5;
/** Schedules that are begun, and runs that are looked up, at once; the next poll takes the rest. */
const mostAtOnce = 1000;
/** Runs at once: of all organizations, and of one. A question takes the warehouse's time, which analysts wait for. */
const runsAtOnce = [4, 1] as const;
/** A question is given up after this. */
const askMs = 60_000;
/** Longer than a question and a delivery take. */
const leaseMs = 180_000;
const dayMs = 24 * 60 * 60 * 1000;
/** Days for which the history of runs is kept. */
export const keptDays = 90;

export interface RunnerDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly assistant: Pick<Assistant, "ask" | "planOfToday" | "planInTurn">;
  readonly snapshot: Pick<Snapshot, "config">;
  readonly sender: Pick<Sender, "send">;
  /** Null where the installation sends no mail. */
  readonly mailer: Pick<Mailer, "send"> | null;
  /** The address of the page without a slash at its end; null while it is not known. */
  pageAddress(): string | null;
  /** Returns a number from 0 to 1, 1 excluded. */
  random(): number;
  onResult(result: RunResult): void;
  onTrouble(error: unknown): void;
}

/** The end of an attempt: sent (perhaps with a remark), nothing to send, or failed. */
type AttemptEnd =
  | { readonly kind: "sent"; readonly remark: string }
  | { readonly kind: "quiet" }
  | { readonly kind: "failed"; readonly error: string; readonly result: Result; readonly isGone: boolean };

/**
 * Runs schedules: begins those whose time has come, asks their questions and sends the answers. A run is stored before its
 * question is asked, and its answer before that is sent: a process that dies loses neither, and another one goes on when
 * the lease ends. What runs late, such as after a night without a process, runs once.
 */
export function createScheduleRunner(deps: RunnerDeps) {
  const { database, clock, onTrouble } = deps;
  const queue = createFairQueue({ limits: runsAtOnce, now: clock.now });
  const inFlight = new Map<string, Promise<void>>();
  const now = (): string => isoTime(clock.now());
  let sweptAt = Number.NEGATIVE_INFINITY;

  async function beginDue(): Promise<void> {
    for (const schedule of await listDue(database, now(), mostAtOnce)) {
      const after = clock.now();
      const next = isoTime(nextTime(schedule.doc.timing, { after, zone: zoneOf(deps, schedule.orgId) }));
      const { id: scheduleId, orgId, nextRunAt: dueAt } = schedule;
      await database.transaction(async (db) => {
        if (!(await moveOn(db, schedule, next))) return;
        const run = { id: uuidv7(), orgId, scheduleId, triggeredBy: "schedule", dueAt: dueAt ?? now() } as const;
        await insertRun(db, { ...run, now: now() });
      });
    }
  }

  /** Attempts a run when its organization's turn has come. */
  function start(id: string, orgId: string): Promise<void> {
    const running =
      inFlight.get(id) ??
      queue
        .run([orgId], () => attempt(id))
        .catch(onTrouble)
        .finally(() => inFlight.delete(id));
    inFlight.set(id, running);
    return running;
  }

  async function attempt(id: string): Promise<void> {
    const run = await claimRun(database, id, { now: now(), until: isoTime(clock.now() + leaseMs) });
    if (run === null) return;
    const schedule = await findSchedule(database, run.orgId, run.scheduleId);
    if (schedule === null) return void (await deleteRun(database, id));
    const end = await work(run, schedule).catch(toFailure);
    await store(run, end);
  }

  async function work(run: Run, schedule: Schedule): Promise<AttemptEnd> {
    const report = run.report ?? (await compose(run, schedule));
    return report === null ? { kind: "quiet" } : deliver(run, schedule, report);
  }

  /** Asks the question, and stores what is to be sent; null where that is nothing. */
  async function compose(run: Run, schedule: Schedule): Promise<Report | null> {
    const { orgId, savedQuestionId, doc } = schedule;
    const saved = await findSaved(database, orgId, savedQuestionId);
    if (saved === null) throw new QuestionGoneError("The saved question was deleted.");
    const answer = await answerSaved(deps, { orgId, saved, signal: AbortSignal.timeout(askMs) });
    const told = toTell(run, schedule, answer);
    if (told === null) return null;
    const { triggeredBy } = run;
    // One by hand was counted when it was asked for.
    if (triggeredBy === "schedule" && !(await countSend(database, orgId, { triggeredBy, now: clock.now() })))
      throw new Error(`Your organization has had ${mostAnHour.schedule} answers sent by schedules in this hour.`);
    const { kind, rows } = told;
    const condition = doc.condition && describeCondition(doc.condition, unitOf(doc.condition, answer.data.columns));
    const question = saved.doc?.query || saved.name;
    const about = { kind, name: doc.name, question, condition, rows, askedAt: now(), zone: zoneOf(deps, orgId) };
    const report = toReport(answer, about);
    await database.transaction(async (db) => {
      await storeReport(db, run.id, report);
      if (kind !== "answer") await setAlerting(db, schedule.id, kind === "alert_started" ? now() : "");
    });
    return report;
  }

  async function deliver(run: Run, { id: scheduleId, doc }: Schedule, report: Report): Promise<AttemptEnd> {
    const links = linksOf(report, deps.pageAddress());
    if (doc.deliver_to.kind === "mail") {
      if (deps.mailer === null) throw new MailError("This installation sends no mail: SMTP_URL is not set.", true);
      const mail = { id: run.id, to: doc.deliver_to.to, ...toMail(report, links) };
      return { kind: "sent", remark: (await deps.mailer.send(mail)) ?? "" };
    }
    const request = {
      method: "POST" as const,
      url: doc.deliver_to.url,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(toWebhookBody(report, links, { id: run.id, schedule_id: scheduleId })),
    };
    const result = await deps.sender.send(signed(request, doc.signing, { id: run.id, now: clock.now() }));
    if (result.outcome === "delivered") return { kind: "sent", remark: "" };
    const error = result.error ?? `The receiver answered ${result.status}.`;
    return { kind: "failed", error, result, isGone: false };
  }

  async function store({ id, scheduleId, triggeredBy, attempts }: Run, end: AttemptEnd): Promise<void> {
    const at = now();
    const note = async (db: Queryable, result: RunResult, isGone = false): Promise<void> => {
      if (triggeredBy === "schedule") await noteResult(db, scheduleId, { result, at, isGone, mostFailures });
    };
    if (end.kind === "failed") {
      const schedule = { pausesMs: triggeredBy === "manual" ? [] : pausesMs, random: deps.random };
      const nextAt = nextAttemptAt(end.result, schedule, { attempt: attempts, now: clock.now() });
      const { error, isGone } = end;
      if (nextAt !== null) return void (await retryRun(database, id, { at: isoTime(nextAt), error }));
      deps.onResult("failed");
      return database.transaction(async (db) => {
        await endRun(db, id, { status: "failed", at, error });
        await note(db, "failed", isGone);
      });
    }
    const result = end.kind === "sent" ? "delivered" : "quiet";
    deps.onResult(result);
    await database.transaction(async (db) => {
      if (end.kind === "sent") await endRun(db, id, { status: "delivered", at, error: end.remark });
      else await deleteRun(db, id);
      await note(db, result);
    });
  }

  async function sweep(): Promise<void> {
    if (clock.now() - sweptAt < dayMs) return;
    sweptAt = clock.now();
    await deleteRunsBefore(database, isoTime(clock.now() - keptDays * dayMs));
  }

  return {
    /** Ends the leases of runs that an earlier process left; for the only process of an installation. */
    release: async (): Promise<void> => void (await releaseRuns(database)),
    /** Begins what is due, and attempts what is pending; resolves when all that has its turn to wait for. */
    async poll(): Promise<void> {
      await beginDue();
      for (const { id, orgId } of await listPending(database, now(), mostAtOnce)) void start(id, orgId);
      await sweep();
    },
    /** Sends a schedule's answer now, whether or not its condition holds, once; returns the run as it ended. */
    async sendNow({ id: scheduleId, orgId }: Schedule): Promise<Run | null> {
      const run = { id: uuidv7(), orgId, scheduleId, triggeredBy: "manual", dueAt: now() } as const;
      await insertRun(database, { ...run, now: now() });
      await start(run.id, orgId);
      return findRun(database, orgId, run.id);
    },
    /** Resolves when every run in progress has ended. */
    async idle(): Promise<void> {
      await Promise.all(inFlight.values());
    },
  };
}
export type ScheduleRunner = ReturnType<typeof createScheduleRunner>;

/** Returns what a report of the answer contains; null for no report: an alert reports when its condition begins or ends to hold. */
function toTell(
  { triggeredBy }: Run,
  { doc: { condition }, alertingSince }: Schedule,
  { data }: Answer,
): { readonly kind: ReportKind; readonly rows: readonly Row[] } | null {
  const rows = data.rows as readonly Row[];
  if (condition === null || triggeredBy === "manual") return { kind: "answer", rows };
  const meeting = rowsThatMeet(condition, data);
  if (meeting.length > 0) return alertingSince === null ? { kind: "alert_started", rows: meeting } : null;
  return alertingSince === null ? null : { kind: "alert_ended", rows };
}

const worthAnother: Result = { outcome: "network_error", status: null, headers: {} };
const final: Result = { outcome: "invalid", status: null, headers: {} };

/** An attempt that threw: the question cannot be asked, now or ever, or the mail was not accepted. */
function toFailure(error: unknown): AttemptEnd {
  const message = error instanceof Error ? error.message : String(error);
  const isGone = error instanceof QuestionGoneError;
  const isFinal = isGone || (error instanceof MailError && error.isPermanent);
  return { kind: "failed", error: message, result: isFinal ? final : worthAnother, isGone };
}
