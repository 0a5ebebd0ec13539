import { z } from "zod";
import { toStandingPlan } from "../../../assistant/standing-plan.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { actorOf } from "../../config/resource-operations.ts";
import { notFound } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { approve, withdrawQuestion } from "./approvals.ts";
import { approvalSchema, findApproved, toApproval } from "./approved-rows.ts";
import { findMessage, type Message, setFeedback } from "./message-rows.ts";
import { type QueryDeps, zoneOf } from "./query-operation.ts";
import { meansPlan } from "./question-plans.ts";
import { ownerOf } from "./session-rows.ts";
import { auditedChange } from "./shared-questions.ts";

/**
 * Feedback on an answer. A useful one is approved: its plan answers the same question of the whole organization from then
 * on, if the question has the same meaning by itself, over a period that its words name on any day. "Not useful" withdraws
 * that. What another user approved stays as it is, except for admins; the response has the approval that now applies.
 */
export const feedbackOperation = (deps: QueryDeps): Operation =>
  defineOperation({
    tag: "Reporting assistant",
    area: "questions",
    access: "user",
    limit: "assistant",
    method: "post",
    path: "/reporting_ai/messages/{message_id}/feedback",
    name: "giveFeedback",
    summary:
      "Say whether an answer was useful; one that was answers the same question of your organization from then on",
    params: z.object({ message_id: z.string().min(1).max(64) }),
    body: z.object({ useful: z.boolean(), comment: z.string().trim().max(2000).nullish() }),
    example: { useful: true, comment: "That is how we count them." },
    status: 200,
    answer: z.object({
      message_id: z.string(),
      useful: z.boolean(),
      comment: z.string().nullable(),
      remembered: z.boolean().describe("Whether the same question is answered by this plan from now on."),
      not_remembered: z
        .enum(["not_by_itself", "approved_otherwise", "no_room"])
        .nullable()
        .describe(
          "Why a useful one is not: its question does not mean the same by itself on another day, another user approved another answer, or there are as many as may be.",
        ),
      approval: approvalSchema
        .nullable()
        .describe("By which the same question is answered from now on: what another user approved stays."),
    }),
    errors: [404, 503],
    async handle(request) {
      const { caller, params, body } = request;
      const { useful, comment = null } = body;
      const id = params.message_id;
      const { database, clock } = deps;
      const owner = ownerOf(caller);
      const message = await findMessage(database, owner, id);
      if (message === null) throw notFound(`The message ${id}`);
      const plan = useful ? await standingPlanOf(deps, owner.orgId, message) : null;
      const given = { actor: actorOf(request), question: message.question, now: clock.now() };
      const { refusal, standing } = await auditedChange(deps)(async (db) => {
        await setFeedback(db, owner, { id, useful, comment });
        const refusal = plan === null ? ("not_by_itself" as const) : await approve(db, { ...given, plan });
        if (!useful) await withdrawQuestion(db, given);
        return { result: { refusal, standing: await findApproved(db, owner.orgId, message.question) }, changes: [] };
      });
      return {
        message_id: id,
        useful,
        comment,
        remembered: refusal === null,
        not_remembered: useful ? refusal : null,
        approval: standing && toApproval(standing, owner),
      };
    },
  });

async function standingPlanOf(deps: QueryDeps, orgId: OrgId, { answer, question, follows, createdAt }: Message) {
  if (answer.plan === null) return null;
  // Most questions of a session have their meaning without the one before.
  const reading = { assistant: deps.assistant, orgId, timeZone: zoneOf(deps, orgId) };
  // Feedback is stored even while the warehouse is down; the question is not approved then.
  if (follows && !(await meansPlan(question, answer.plan, reading).catch(deps.onTrouble))) return null;
  return toStandingPlan(answer.plan, Date.parse(createdAt));
}
