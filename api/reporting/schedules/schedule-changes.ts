import { v7 as uuidv7 } from "uuid";
import type { Unit } from "../../../assistant/catalog/field.ts";
import type { AuditRecord } from "../../../ingest/audit.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { diffDocuments } from "../../config/audit-diff.ts";
import { recordChange } from "../../config/audit-outbox.ts";
import { actorOf } from "../../config/resource-operations.ts";
import { WriteConflictError } from "../../config/unit-of-work.ts";
import type { Queryable } from "../../database/database.ts";
import { actorName, type Caller } from "../../serve/caller.ts";
import { ApiError, conflict, notFound, ValidationError } from "../../serve/errors.ts";
import type { OperationRequest } from "../../serve/operation.ts";
import { newSigningSecret } from "../../webhooks/deliver/sign.ts";
import { type QueryDeps, zoneOf } from "../conversations/query-operation.ts";
import { auditedChange, requireMayChange } from "../conversations/shared-questions.ts";
import { answerSaved, QuestionGoneError } from "../saved/saved-plan.ts";
import { findSaved } from "../saved/saved-rows.ts";
import { type Condition, figuresOf, unitOf } from "./condition.ts";
import { cancelRuns } from "./run-rows.ts";
import {
  type Destination,
  deleteSchedule,
  findSchedule,
  insertSchedule,
  mostSchedules,
  type Schedule,
  updateSchedule,
} from "./schedule-rows.ts";
import { type NewSchedule, type ScheduleChange, toShown } from "./schedule-schemas.ts";
import { nextTime } from "./timing.ts";

export interface ScheduleChangesDeps extends QueryDeps {
  readonly schedules: {
    readonly canMail: boolean;
    /** Domains of addresses that mails may go to; null for all. */
    readonly mailDomains: readonly string[] | null;
  };
}

type Request = OperationRequest<unknown, unknown, unknown>;

/** Makes a schedule. Throws 409 beyond the organization's most, and a validation error where its question or condition does not fit. */
export async function createSchedule(deps: ScheduleChangesDeps, request: Request, body: NewSchedule) {
  const { caller } = request;
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
}

/** Changes, pauses or resumes a schedule. Throws 403, 404, and 409 where somebody else changed it at the same moment. */
export async function changeSchedule(
  deps: ScheduleChangesDeps,
  request: Request,
  { id, body }: { id: string; body: ScheduleChange },
) {
  const { caller } = request;
  const before = await findOwn(deps, caller, id);
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
}

/** Deletes a schedule with its history. Throws 403 and 404. */
export async function removeSchedule(deps: ScheduleChangesDeps, request: Request, id: string) {
  const before = await findOwn(deps, request.caller, id);
  await auditedChange(deps)(async (db) => {
    if (!(await deleteSchedule(db, before.orgId, before.id))) throw new WriteConflictError();
    await audit(db, request, "delete", { before, after: null, now: deps.clock.now() });
    return { result: undefined, changes: [] };
  });
  return { success: true, id: before.id } as const;
}

/** Finds a schedule that the caller may change. Throws 403 and 404. */
export async function findOwn({ database }: QueryDeps, caller: Caller, id: string): Promise<Schedule> {
  const found = await findSchedule(database, caller.orgId, id);
  if (found === null) throw unknown(id);
  requireMayChange(caller, found.createdBy, `The schedule ${id}`);
  return found;
}

/** Names a schedule that is not there. */
export const unknown = (id: string) => notFound(`The schedule ${id}`);

type Terms = Pick<NewSchedule, "saved_question_id" | "timing" | "condition" | "deliver_to">;

/**
 * Returns the question of valid terms, which is asked once to see whether the condition is about a figure of it, and that
 * figure's unit.
 */
async function settle(deps: ScheduleChangesDeps, { caller: { orgId }, signal }: Request, terms: Terms) {
  const { saved_question_id: id, timing, condition, deliver_to: destination } = terms;
  if (timing.every === "minutes" && condition === null)
    throw invalid(["timing"], "asks every few minutes: give it a condition, or have it every hour or day");
  refuseDestination(deps, destination);
  const saved = await findSaved(deps.database, orgId, id);
  if (saved === null) throw invalid(["saved_question_id"], "is no saved question", "reference_not_found");
  const unit = condition === null ? null : await unitOfCondition(deps, condition, { orgId, saved, signal });
  return { saved, unit };
}

function refuseDestination({ schedules: { canMail, mailDomains } }: ScheduleChangesDeps, to: Destination): void {
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
  deps: ScheduleChangesDeps,
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
