import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import type { Unit } from "../../../assistant/catalog/field.ts";
import type { AuditRecord } from "../../../ingest/audit.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { timestamp } from "../../../ingest/primitives.ts";
import { diffDocuments } from "../../config/audit-diff.ts";
import { recordChange } from "../../config/audit-outbox.ts";
import { actorOf } from "../../config/resource-operations.ts";
import { name } from "../../config/resources/shapes.ts";
import { WriteConflictError } from "../../config/unit-of-work.ts";
import type { Queryable } from "../../database/database.ts";
import { actorName, type Caller } from "../../serve/caller.ts";
import { ApiError, conflict, notFound, ValidationError } from "../../serve/errors.ts";
import { defineOperation, type Operation, type OperationRequest } from "../../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../../serve/pages.ts";
import { newSigningSecret } from "../../webhooks/deliver/sign.ts";
import { type QueryDeps, zoneOf } from "../conversations/query-operation.ts";
import { auditedChange, mayChange, requireMayChange } from "../conversations/shared-questions.ts";
import { answerSaved, QuestionGoneError } from "../saved/saved-plan.ts";
import { findSaved, findSavedOf, type SavedQuestion } from "../saved/saved-rows.ts";
import { type Condition, conditionSchema, describeCondition, figuresOf, unitOf } from "./condition.ts";
import { reportKinds } from "./report.ts";
import { cancelRuns, countManual, listRuns, type Run, runStatuses } from "./run-rows.ts";
import {
  type Destination,
  deleteSchedule,
  destinationSchema,
  findSchedule,
  insertSchedule,
  listSchedules,
  mostSchedules,
  pauseReasons,
  runResults,
  type Schedule,
  updateSchedule,
} from "./schedule-rows.ts";
import { keptDays, mostFailures, type ScheduleRunner } from "./schedule-runner.ts";
import { describeTiming, nextTime, timingSchema } from "./timing.ts";

export interface ScheduleOperationsDeps extends QueryDeps {
  readonly schedules: {
    readonly runner: Pick<ScheduleRunner, "sendNow">;
    readonly canMail: boolean;
    /** Domains of addresses that mails may go to; null for all. */
    readonly mailDomains: readonly string[] | null;
  };
}

const about = {
  tag: "Reporting assistant",
  area: "questions",
  access: "user",
  limit: "assistant",
  status: 200,
} as const;
const base = "/reporting_ai/schedules";
const one = `${base}/{schedule_id}`;
const params = z.object({ schedule_id: z.string().min(1).max(64) });

/** Answers that people of one organization may have sent at once in an hour: each goes to whatever address was given. */
const mostManualPerHour = 30;
const hourMs = 60 * 60 * 1000;

const shown = z
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
const changed = shown.extend({ signing_secret: signingSecret });

const run = z
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

/** Operations of schedules: saved questions that are asked and sent by themselves. */
export const scheduleOperations = (deps: ScheduleOperationsDeps): Operation[] => [
  creating(deps),
  listing(deps),
  reading(deps),
  changing(deps),
  removing(deps),
  sending(deps),
  history(deps),
];

const creating = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    status: 201,
    method: "post",
    path: base,
    name: "createSchedule",
    summary: `Send a saved question's answer by mail or webhook, by the clock or as an alert (${mostSchedules} at the most)`,
    body: writable.partial({ name: true }).extend({ condition: writable.shape.condition.default(null) }),
    example: {
      saved_question_id: "SAVED_QUESTION_ID",
      timing: { every: "workday", at: "08:00" },
      deliver_to: { kind: "webhook", url: "https://hooks.customer.example/reports" },
    },
    answer: changed,
    errors: [409, 503],
    async handle(request) {
      const { caller, body } = request;
      const { saved, unit } = await settle(deps, request, body);
      const now = deps.clock.now();
      const createdAt = isoTime(now);
      const secret = body.deliver_to.kind === "webhook" ? newSigningSecret() : null;
      const { timing, condition, deliver_to } = body;
      const signing = secret === null ? null : { secret, previous: null };
      const schedule: Schedule = {
        id: uuidv7(),
        orgId: caller.orgId,
        savedQuestionId: saved.id,
        createdBy: actorName(caller),
        createdAt,
        updatedAt: createdAt,
        doc: { name: body.name ?? saved.name, timing, condition, unit, deliver_to, signing },
        nextRunAt: isoTime(nextTime(timing, { after: now, zone: zoneOf(deps, caller.orgId) })),
        alertingSince: null,
        lastRunAt: null,
        lastResult: null,
        failures: 0,
        pausedAt: null,
        pauseReason: null,
      };
      await auditedChange(deps)(async (db) => {
        if (!(await insertSchedule(db, schedule)))
          throw conflict(`Your organization has ${mostSchedules} schedules: delete one that nobody needs.`);
        await audit(db, request, "create", { before: null, after: schedule, now });
        return { result: undefined, changes: [] };
      });
      return { ...toShown(caller, schedule, saved), signing_secret: secret };
    },
  });

const listing = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: base,
    name: "listSchedules",
    summary: "The organization's scheduled answers and alerts",
    query: pageQuery,
    answer: pageOf(shown).extend({
      can_mail: z.boolean().describe("Whether this installation sends mail; else answers go to webhooks."),
    }),
    errors: [503],
    async handle({ caller, query: { sort_direction: direction, ...page } }) {
      const { schedules, total } = await listSchedules(deps.database, caller.orgId, { ...page, direction });
      const ids = [...new Set(schedules.map(({ savedQuestionId }) => savedQuestionId))];
      const found = new Map((await findSavedOf(deps.database, caller.orgId, ids)).map((each) => [each.id, each]));
      const rows = schedules.map((each) => toShown(caller, each, found.get(each.savedQuestionId) ?? null));
      return { ...toPage(rows, total, page), can_mail: deps.schedules.canMail };
    },
  });

const reading = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: one,
    params,
    name: "getSchedule",
    summary: "A scheduled answer or alert",
    answer: shown,
    errors: [404, 503],
    async handle({ caller, params: { schedule_id: id } }) {
      const found = await findSchedule(deps.database, caller.orgId, id);
      if (found === null) throw unknown(id);
      return toShown(caller, found, await findSaved(deps.database, caller.orgId, found.savedQuestionId));
    },
  });

const changing = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "patch",
    path: one,
    params,
    name: "updateSchedule",
    summary: "Change, pause or resume a scheduled answer or alert",
    body: writable.partial().extend({
      paused: z
        .boolean()
        .optional()
        .describe("true pauses it, and what it has not sent yet is not sent; false resumes it, from its next time on."),
    }),
    example: { paused: true },
    answer: changed,
    errors: [403, 404, 409, 503],
    async handle(request) {
      const { caller, body } = request;
      const before = await findOwn(deps, caller, request.params.schedule_id);
      const { saved_question_id, name, timing, condition, deliver_to, paused } = body;
      const given = {
        saved_question_id: saved_question_id ?? before.savedQuestionId,
        timing: timing ?? before.doc.timing,
        condition: condition === undefined ? before.doc.condition : condition,
        deliver_to: deliver_to ?? before.doc.deliver_to,
      };
      // A pause needs nothing but itself.
      const isAsked = saved_question_id !== undefined || timing !== undefined || condition !== undefined;
      const { saved, unit } =
        isAsked || deliver_to !== undefined || paused === false
          ? await settle(deps, request, given)
          : {
              saved: await findSaved(deps.database, caller.orgId, before.savedQuestionId),
              unit: before.doc.unit,
            };
      const now = deps.clock.now();
      const secret = isNewAddress(before.doc.deliver_to, given.deliver_to) ? newSigningSecret() : null;
      const signing = secret === null ? before.doc.signing : { secret, previous: null };
      const isPaused = paused ?? before.pausedAt !== null;
      const wasPaused = before.pausedAt !== null;
      const isOtherCondition = saved_question_id !== undefined || condition !== undefined;
      const next = isoTime(nextTime(given.timing, { after: now, zone: zoneOf(deps, caller.orgId) }));
      const { saved_question_id: savedQuestionId, ...terms } = given;
      const after: Schedule = {
        ...before,
        savedQuestionId,
        updatedAt: isoTime(now),
        doc: {
          ...terms,
          unit,
          name: name ?? before.doc.name,
          signing: terms.deliver_to.kind === "webhook" ? signing : null,
        },
        nextRunAt: isPaused ? null : timing !== undefined || wasPaused ? next : before.nextRunAt,
        alertingSince: isPaused || isOtherCondition ? null : before.alertingSince,
        failures: isPaused ? before.failures : 0,
        pausedAt: isPaused ? (before.pausedAt ?? isoTime(now)) : null,
        pauseReason: isPaused ? (before.pauseReason ?? "user") : null,
      };
      await auditedChange(deps)(async (db) => {
        if (!(await updateSchedule(db, after, before.updatedAt)))
          throw conflict("The schedule was changed at this moment by somebody else: read it again.");
        if (isPaused && !wasPaused) await cancelRuns(db, before.id, isoTime(now));
        await audit(db, request, actionOf(wasPaused, isPaused), { before, after, now });
        return { result: undefined, changes: [] };
      });
      return { ...toShown(caller, after, saved), signing_secret: secret };
    },
  });

const removing = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "delete",
    path: one,
    params,
    name: "deleteSchedule",
    summary: "Delete a scheduled answer or alert, with its history",
    answer: z.object({ success: z.literal(true), id: z.string() }),
    errors: [403, 404, 503],
    async handle(request) {
      const before = await findOwn(deps, request.caller, request.params.schedule_id);
      await auditedChange(deps)(async (db) => {
        if (!(await deleteSchedule(db, before.orgId, before.id))) throw new WriteConflictError();
        await audit(db, request, "delete", { before, after: null, now: deps.clock.now() });
        return { result: undefined, changes: [] };
      });
      return { success: true, id: before.id } as const;
    },
  });

const sending = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: `${one}/send`,
    params,
    name: "sendScheduleNow",
    summary: `Send a schedule's answer once, now, whether or not it is paused or its condition holds (${mostManualPerHour} an hour)`,
    answer: run,
    errors: [403, 404, 503],
    async handle({ caller, params: { schedule_id: id } }) {
      const schedule = await findOwn(deps, caller, id);
      const since = isoTime(deps.clock.now() - hourMs);
      if ((await countManual(deps.database, caller.orgId, since)) >= mostManualPerHour) {
        const message = `Your organization has had ${mostManualPerHour} answers sent by hand in the last hour: wait, or leave it to the schedule.`;
        throw new ApiError(429, "too_many_sent", message, { headers: { "Retry-After": "600" } });
      }
      const sent = await deps.schedules.runner.sendNow(schedule);
      if (sent === null) throw unknown(id);
      return toShownRun(sent);
    },
  });

const history = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: `${one}/runs`,
    params,
    name: "listScheduleRuns",
    summary: `What a schedule has sent, and what failed, for ${keptDays} days; runs with nothing to tell are not kept`,
    query: pageQuery,
    answer: pageOf(run),
    errors: [404, 503],
    async handle({ caller: { orgId }, params: { schedule_id: id }, query: { sort_direction: direction, ...page } }) {
      if ((await findSchedule(deps.database, orgId, id)) === null) throw unknown(id);
      const { runs, total } = await listRuns(deps.database, { orgId, scheduleId: id }, { ...page, direction });
      return toPage(runs.map(toShownRun), total, page);
    },
  });

type Request = OperationRequest<unknown, unknown, unknown>;
type Terms = Pick<z.infer<typeof writable>, "saved_question_id" | "timing" | "condition" | "deliver_to">;

/**
 * Returns the question of valid terms, which is asked once to see whether the condition is about a figure of it, and that
 * figure's unit.
 */
async function settle(deps: ScheduleOperationsDeps, { caller: { orgId }, signal }: Request, terms: Terms) {
  const { saved_question_id: id, timing, condition, deliver_to: destination } = terms;
  if (timing.every === "minutes" && condition === null)
    throw invalid(["timing"], "asks every few minutes: give it a condition, or have it every hour or day");
  refuseDestination(deps, destination);
  const saved = await findSaved(deps.database, orgId, id);
  if (saved === null) throw invalid(["saved_question_id"], "is no saved question", "reference_not_found");
  const unit = condition === null ? null : await unitOfCondition(deps, condition, { orgId, saved, signal });
  return { saved, unit };
}

function refuseDestination({ schedules: { canMail, mailDomains } }: ScheduleOperationsDeps, to: Destination): void {
  if (to.kind !== "mail") return;
  if (!canMail) {
    const message = "This installation sends no mail: its operator sets SMTP_URL and MAIL_FROM. Use a webhook.";
    throw new ApiError(409, "mail_not_set_up", message);
  }
  if (mailDomains === null) return;
  const issues = to.to.flatMap((address, index) =>
    mailDomains.includes(address.slice(address.lastIndexOf("@") + 1).toLowerCase())
      ? []
      : [issueAt(["deliver_to", "to", index], `must be an address at ${mailDomains.join(" or ")}`)],
  );
  if (issues.length > 0) throw new ValidationError(issues);
}

async function unitOfCondition(
  deps: ScheduleOperationsDeps,
  condition: Condition,
  asking: Parameters<typeof answerSaved>[1],
): Promise<Unit | null> {
  const answered = answerSaved(deps, asking).catch((error: unknown) => {
    throw error instanceof QuestionGoneError ? invalid(["saved_question_id"], "can no longer be run") : error;
  });
  const { columns } = (await answered).data;
  const figures = figuresOf({ columns });
  if (condition.kind === "rows" || figures.includes(condition.column)) return unitOf(condition, columns);
  const has = figures.length === 0 ? "the answer has none" : `the answer has ${figures.join(", ")}`;
  throw invalid(["condition", "column"], `is no column of figures: ${has}`);
}

const issueAt = (loc: readonly (string | number)[], msg: string, type = "value_error") => ({
  loc: ["body", ...loc],
  msg,
  type,
});
const invalid = (...given: Parameters<typeof issueAt>) => new ValidationError([issueAt(...given)]);

/** Finds a schedule that the caller may change; throws 403 or 404. */
async function findOwn({ database }: QueryDeps, caller: Caller, id: string): Promise<Schedule> {
  const found = await findSchedule(database, caller.orgId, id);
  if (found === null) throw unknown(id);
  requireMayChange(caller, found.createdBy, `The schedule ${id}`);
  return found;
}

const isNewAddress = (before: Destination, after: Destination): boolean =>
  after.kind === "webhook" && (before.kind !== "webhook" || before.url !== after.url);

function actionOf(wasPaused: boolean, isPaused: boolean): AuditRecord["action"] {
  if (wasPaused === isPaused) return "update";
  return isPaused ? "pause" : "resume";
}

interface Audited {
  readonly before: Schedule | null;
  readonly after: Schedule | null;
  readonly now: number;
}

async function audit(
  db: Queryable,
  request: Request & Parameters<typeof actorOf>[0],
  action: AuditRecord["action"],
  { before, after, now }: Audited,
): Promise<void> {
  const known = after ?? before;
  if (known === null) return;
  const changes = diffDocuments({ secrets: ["signing", "url"] }, fieldsOf(before), fieldsOf(after));
  const entity = { type: "schedule", id: known.id, name: known.doc.name };
  if (changes.length > 0) await recordChange(db, actorOf(request), { action, entity, changes, now });
}

const fieldsOf = (schedule: Schedule | null) =>
  schedule === null
    ? {}
    : { saved_question_id: schedule.savedQuestionId, ...schedule.doc, paused: schedule.pausedAt !== null };

function toShown(caller: Caller, schedule: Schedule, saved: SavedQuestion | null) {
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

const toShownRun = (given: Run) => ({
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

const unknown = (id: string) => notFound(`The schedule ${id}`);
