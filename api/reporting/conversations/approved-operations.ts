import { z } from "zod";
import { describePlan } from "../../../assistant/phrasing/explain.ts";
import { planSchema } from "../../../assistant/plan.ts";
import { actorOf } from "../../config/resource-operations.ts";
import { notFound } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../../serve/pages.ts";
import { withdraw } from "./approvals.ts";
import {
  type Approved,
  approvalSchema,
  findApprovedById,
  listApproved,
  mostApproved,
  toApproval,
} from "./approved-rows.ts";
import { type QueryDeps, zoneOf } from "./query-operation.ts";
import { ownerOf } from "./session-rows.ts";
import { auditedChange, mayChange, requireMayChange } from "./shared-questions.ts";

const about = {
  tag: "Reporting assistant",
  area: "questions",
  access: "user",
  limit: "assistant",
  status: 200,
} as const;
const base = "/reporting_ai/approved";

const shown = approvalSchema.extend({
  query: z.string().nullable().describe("As it was asked; null where it was approved before that was kept."),
  summary: z.string().nullable().describe("What it is answered by today, in words; null where nothing any more."),
  plan: planSchema.nullable().describe("Likewise, as a plan that can be sent."),
  may_change: z.boolean().describe("Whether you may take it back: who approved it and admins may."),
});

/** Operations of approved questions, whose plans answer the same question of the organization from then on. */
export const approvedOperations = (deps: QueryDeps): Operation[] => [list(deps), remove(deps)];

const list = (deps: QueryDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: base,
    name: "listApprovedQuestions",
    summary: `Questions that are answered as your organization found right, by when that was (${mostApproved} at the most)`,
    query: pageQuery,
    answer: pageOf(shown),
    errors: [503],
    async handle({ caller, query: { sort_direction: direction, ...page } }) {
      const { assistant, database } = deps;
      const [viewer, timeZone] = [ownerOf(caller), zoneOf(deps, caller.orgId)];
      const { approved, total } = await listApproved(database, caller.orgId, { ...page, direction });
      const toShown = (each: Approved) => {
        const plan = each.plan && assistant.planOfToday(each.plan, timeZone);
        return {
          ...toApproval(each, viewer),
          query: each.question,
          plan,
          summary: plan && describePlan(plan),
          may_change: mayChange(caller, each.approvedBy),
        };
      };
      return toPage(approved.map(toShown), total, page);
    },
  });

const remove = (deps: QueryDeps): Operation =>
  defineOperation({
    ...about,
    method: "delete",
    path: `${base}/{approved_question_id}`,
    name: "deleteApprovedQuestion",
    summary: "Take an approval back: the question is read anew from then on",
    params: z.object({ approved_question_id: z.string().min(1).max(64) }),
    answer: z.object({ success: z.literal(true), id: z.string() }),
    errors: [403, 404, 503],
    async handle(request) {
      const { caller, params } = request;
      const id = params.approved_question_id;
      await auditedChange(deps)(async (db) => {
        const standing = await findApprovedById(db, caller.orgId, id);
        if (standing === null) throw notFound(`The approved question ${id}`);
        requireMayChange(caller, standing.approvedBy, `The approved question ${id}`);
        await withdraw(db, { actor: actorOf(request), standing, now: deps.clock.now() });
        return { result: undefined, changes: [] };
      });
      return { success: true, id } as const;
    },
  });
