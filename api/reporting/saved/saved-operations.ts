import { v7 as uuidv7 } from "uuid";
import { z } from "zod";
import { answerSchema } from "../../../assistant/answer.ts";
import { parsePlan } from "../../../assistant/parse-plan.ts";
import { planSchema } from "../../../assistant/plan.ts";
import { isoTime } from "../../../ingest/clock.ts";
import { timestamp, wellFormedText } from "../../../ingest/primitives.ts";
import { diffDocuments } from "../../config/audit-diff.ts";
import { recordChange } from "../../config/audit-outbox.ts";
import { actorOf } from "../../config/resource-operations.ts";
import { name } from "../../config/resources/shapes.ts";
import { WriteConflictError } from "../../config/unit-of-work.ts";
import type { Queryable } from "../../database/database.ts";
import { actorName, type Caller } from "../../serve/caller.ts";
import { ApiError, conflict, notFound, ValidationError } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../../serve/pages.ts";
import { type QueryDeps, zoneOf } from "../conversations/query-operation.ts";
import { auditedChange, mayChange, requireMayChange } from "../conversations/shared-questions.ts";
import { answerSaved, examplePlan, planToday, QuestionGoneError, toSavedPlan } from "./saved-plan.ts";
import {
  deleteSaved,
  findSaved,
  insertSaved,
  listSaved,
  mostSaved,
  renameSaved,
  type SavedQuestion,
} from "./saved-rows.ts";

const ofUser = {
  tag: "Reporting assistant",
  area: "questions",
  access: "user",
  limit: "assistant",
  status: 200,
} as const;
const ofKey = { tag: "Reports", access: "api_key", limit: "api", status: 200 } as const;
const base = "/reporting_ai/saved";
const external = "/api/v1/reports/saved";
const one = "{saved_question_id}";
const params = z.object({ saved_question_id: z.string().min(1).max(64) });

const saved = z.object({
  id: z.string(),
  name: z.string(),
  query: z.string().nullable(),
  created_by: z.string(),
  created_at: timestamp,
  updated_at: timestamp,
  moves: z
    .boolean()
    .describe("Whether its period is read anew each time it is run; false for the dates it was saved with."),
});

/** A saved question as its users see it. */
export const savedShown = saved.extend({
  may_change: z.boolean().describe("Whether you may rename and delete it: who saved it and admins may."),
});

/** Operations of saved questions: for users to save and change them, for keys to fetch their answers. */
export const savedOperations = (deps: QueryDeps): Operation[] => [
  save(deps),
  list(deps),
  opening(deps),
  renaming(deps),
  removing(deps),
  listForKey(deps),
  answering(deps, { ...ofUser, path: `${base}/${one}/answer`, name: "getSavedQuestionAnswer" }),
  answering(deps, { ...ofKey, path: `${external}/${one}`, name: "getSavedAnswer" }),
];

const save = (deps: QueryDeps): Operation =>
  defineOperation({
    ...ofUser,
    status: 201,
    method: "post",
    path: base,
    name: "saveQuestion",
    summary: `Save a question with the plan of its answer, for all of the organization (${mostSaved} at the most)`,
    body: z.object({
      name,
      query: wellFormedText.trim().max(2000).default("").describe("What was asked."),
      plan: z.unknown().describe("The plan of an answer."),
    }),
    example: { name: "Revenue by campaign", query: "revenue by campaign last month", plan: examplePlan },
    answer: savedShown,
    errors: [409, 503],
    async handle(request) {
      const { caller, body } = request;
      const { name, query } = body;
      const plan = parsePlan(body.plan);
      if (plan === null) throw notRunnable();
      const { assistant, clock } = deps;
      const [id, now, timeZone] = [uuidv7(), clock.now(), zoneOf(deps, caller.orgId)];
      const reading = { assistant, orgId: caller.orgId, timeZone };
      const doc = { query, plan: await toSavedPlan(plan, { ...reading, query, now }) };
      const question = { id, name, createdBy: actorName(caller), createdAt: isoTime(now), doc };
      const audited = { entity: entityOf(question), changes: diffDocuments(secrets, {}, fieldsOf(question)), now };
      await auditedChange(deps)(async (db) => {
        if (!(await insertSaved(db, caller.orgId, question))) {
          throw conflict(`Your organization has ${mostSaved} saved questions: delete one that nobody needs.`);
        }
        await recordChange(db, actorOf(request), { action: "create", ...audited });
        return { result: undefined, changes: [] };
      });
      return toShownTo(caller, { ...question, updatedAt: question.createdAt });
    },
  });

const list = ({ database }: QueryDeps): Operation =>
  defineOperation({
    ...ofUser,
    method: "get",
    path: base,
    name: "listSavedQuestions",
    summary: "The organization's saved questions",
    query: pageQuery,
    answer: pageOf(savedShown),
    errors: [503],
    async handle({ caller, query: { sort_direction: direction, ...page } }) {
      const { questions, total } = await listSaved(database, caller.orgId, { ...page, direction });
      const shown = questions.map((question) => toShownTo(caller, question));
      return toPage(shown, total, page);
    },
  });

const listForKey = ({ database }: QueryDeps): Operation =>
  defineOperation({
    ...ofKey,
    method: "get",
    path: external,
    name: "listSavedQuestionsByKey",
    summary: "Saved questions, whose answers can be fetched",
    query: pageQuery,
    answer: pageOf(saved),
    errors: [503],
    async handle({ caller, query: { sort_direction: direction, ...page } }) {
      const { questions, total } = await listSaved(database, caller.orgId, { ...page, direction });
      return toPage(questions.map(toShown), total, page);
    },
  });

const opening = (deps: QueryDeps): Operation =>
  defineOperation({
    ...ofUser,
    method: "get",
    path: `${base}/${one}`,
    params,
    name: "getSavedQuestion",
    summary: "A saved question, with the plan that answers it today",
    answer: savedShown.extend({
      plan: planSchema.nullable().describe("Can be sent with the question; null where it can no longer be run."),
    }),
    errors: [404, 503],
    async handle({ caller, params: { saved_question_id: id } }) {
      const found = await findSaved(deps.database, caller.orgId, id);
      if (found === null) throw unknown(id);
      return { ...toShownTo(caller, found), plan: await planToday(deps, caller.orgId, found) };
    },
  });

const renaming = (deps: QueryDeps): Operation =>
  defineOperation({
    ...ofUser,
    method: "patch",
    path: `${base}/${one}`,
    params,
    name: "renameSavedQuestion",
    summary: "Rename a saved question",
    body: z.object({ name }),
    example: { name: "Revenue by campaign, monthly" },
    answer: savedShown,
    errors: [403, 404, 503],
    async handle(request) {
      const { caller, body } = request;
      const now = deps.clock.now();
      const renamed = await auditedChange(deps)(async (db) => {
        const old = await findOwn(db, caller, request.params.saved_question_id);
        const renamed = await renameSaved(db, caller.orgId, { id: old.id, name: body.name, now });
        if (renamed === null) throw new WriteConflictError();
        const changes = diffDocuments(secrets, fieldsOf(old), fieldsOf(renamed));
        const audited = { entity: entityOf(renamed), changes, now };
        if (changes.length > 0) await recordChange(db, actorOf(request), { action: "update", ...audited });
        return { result: renamed, changes: [] };
      });
      return toShownTo(caller, renamed);
    },
  });

const removing = (deps: QueryDeps): Operation =>
  defineOperation({
    ...ofUser,
    method: "delete",
    path: `${base}/${one}`,
    params,
    name: "deleteSavedQuestion",
    summary: "Delete a saved question",
    answer: z.object({ success: z.literal(true), id: z.string() }),
    errors: [403, 404, 503],
    async handle(request) {
      const { caller, params } = request;
      const id = params.saved_question_id;
      await auditedChange(deps)(async (db) => {
        const old = await findOwn(db, caller, id);
        if (!(await deleteSaved(db, caller.orgId, id))) throw new WriteConflictError();
        const audited = { entity: entityOf(old), changes: diffDocuments(secrets, fieldsOf(old), {}) };
        await recordChange(db, actorOf(request), { action: "delete", ...audited, now: deps.clock.now() });
        return { result: undefined, changes: [] };
      });
      return { success: true, id } as const;
    },
  });

/** Finds a question that the caller may change; throws 403 or 404. */
async function findOwn(db: Queryable, caller: Caller, id: string): Promise<SavedQuestion> {
  const found = await findSaved(db, caller.orgId, id);
  if (found === null) throw unknown(id);
  requireMayChange(caller, found.createdBy, `The saved question ${id}`);
  return found;
}

/** Answers a saved question by running its plan, over present data and dates. */
const answering = (
  deps: QueryDeps,
  about: (typeof ofUser | typeof ofKey) & { path: string; name: string },
): Operation =>
  defineOperation({
    ...about,
    method: "get",
    params,
    summary: "The answer to a saved question, of today",
    answer: answerSchema.omit({ follow_ups: true, clarification: true }).extend(saved.shape),
    errors: [404, 409, 503],
    async handle({ caller: { orgId }, params: { saved_question_id: id }, signal }) {
      const found = await findSaved(deps.database, orgId, id);
      if (found === null) throw unknown(id);
      const answered = answerSaved(deps, { orgId, saved: found, signal }).catch((error: unknown) => {
        throw error instanceof QuestionGoneError ? new ApiError(409, "question_outdated", error.message) : error;
      });
      const { follow_ups: _follow, ...answer } = await answered;
      return { ...answer, ...toShown(found) };
    },
  });

const toShown = ({ id, name, createdBy, createdAt, updatedAt, doc }: SavedQuestion) => ({
  id,
  name,
  query: doc?.query || null,
  created_by: createdBy,
  created_at: createdAt,
  updated_at: updatedAt,
  moves: doc !== null && doc.plan.kind !== "fixed",
});

export const toShownTo = (caller: Caller, question: SavedQuestion) => ({
  ...toShown(question),
  may_change: mayChange(caller, question.createdBy),
});

type Audited = Pick<SavedQuestion, "id" | "name" | "doc">;
const secrets = { secrets: [] };
const fieldsOf = ({ name, doc }: Audited) => ({ name, query: doc?.query, plan: doc?.plan });
const entityOf = ({ id, name }: Audited) => ({ type: "saved_question", id, name });

const unknown = (id: string) => notFound(`The saved question ${id}`);
const notRunnable = () =>
  new ValidationError([
    { loc: ["body", "plan"], msg: "is no plan of an answer that can be run", type: "plan_invalid" },
  ]);
