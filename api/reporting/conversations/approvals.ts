import { isDeepStrictEqual } from "node:util";
import { type StandingPlan, standingPlanSchema } from "../../../assistant/standing-plan.ts";
import { readJson } from "../../../ingest/parse.ts";
import { cutText } from "../../../ingest/primitives.ts";
import { diffDocuments } from "../../config/audit-diff.ts";
import { type Actor, recordChange } from "../../config/audit-outbox.ts";
import { WriteConflictError } from "../../config/unit-of-work.ts";
import type { Queryable } from "../../database/database.ts";
import { actorName } from "../../serve/caller.ts";
import { may } from "../../serve/rights.ts";
import {
  type Approved,
  deleteApproved,
  findApproved,
  insertApproved,
  listToMakeRoom,
  type NewApproved,
  replaceApproved,
} from "./approved-rows.ts";
import { mayChange } from "./shared-questions.ts";

interface Approval {
  readonly actor: Actor;
  readonly question: string;
  readonly plan: StandingPlan;
  readonly now: number;
}

/** Reasons for which a question is not approved: another user approved another answer, or the organization has the most. */
export type Refusal = "approved_otherwise" | "no_room";

/**
 * Approves a plan as the answer to a question, for all of the organization; for a transaction, which is retried on
 * `WriteConflictError`. What another user approved stays as it is, unless an admin approves another answer. At the limit
 * a new approval replaces the user's own oldest one; an admin's replaces the oldest of all.
 */
export async function approve(db: Queryable, approval: Approval): Promise<Refusal | null> {
  const { actor, question, plan, now } = approval;
  const { caller } = actor;
  const given = { question, plan, by: actorName(caller), now };
  const standing = await findApproved(db, caller.orgId, question);
  if (standing === null) return add(db, actor, given);
  const isSame = isDeepStrictEqual(standing.plan, standingPlanSchema.parse(readJson(JSON.stringify(plan))));
  if (standing.approvedBy !== given.by && (isSame || !may(caller, "organization:write")))
    return isSame ? null : "approved_otherwise";
  if (!(await replaceApproved(db, caller.orgId, { ...given, standing }))) throw new WriteConflictError();
  const changes = diffDocuments(secrets, fieldsOf(standing), fieldsOf({ ...given, approvedBy: given.by }));
  const entity = entityOf(standing.id, question);
  if (changes.length > 0) await recordChange(db, actor, { action: "update", entity, changes, now });
  return null;
}

async function add(db: Queryable, actor: Actor, given: NewApproved): Promise<Refusal | null> {
  const { orgId } = actor.caller;
  const admin = may(actor.caller, "organization:write");
  const { isFull, oldest } = await listToMakeRoom(db, orgId, { of: admin ? null : given.by });
  if (isFull) return "no_room";
  for (const standing of oldest) await withdraw(db, { actor, standing, now: given.now });
  const id = await insertApproved(db, orgId, given);
  const changes = diffDocuments(secrets, {}, fieldsOf({ ...given, approvedBy: given.by }));
  const entity = entityOf(id, given.question);
  await recordChange(db, actor, { action: "create", entity, changes, now: given.now });
  return null;
}

interface Withdrawal {
  readonly actor: Actor;
  readonly standing: Approved;
  readonly now: number;
}

/** Deletes an approval; for a transaction, as above. The caller has checked that the actor may. */
export async function withdraw(db: Queryable, { actor, standing, now }: Withdrawal): Promise<void> {
  if (!(await deleteApproved(db, actor.caller.orgId, standing))) throw new WriteConflictError();
  const changes = diffDocuments(secrets, fieldsOf(standing), {});
  const entity = entityOf(standing.id, standing.question);
  await recordChange(db, actor, { action: "delete", entity, changes, now });
}

/** Deletes the approval of a question, if the actor may. */
export async function withdrawQuestion(db: Queryable, { actor, question, now }: Omit<Approval, "plan">): Promise<void> {
  const standing = await findApproved(db, actor.caller.orgId, question);
  if (standing !== null && mayChange(actor.caller, standing.approvedBy)) await withdraw(db, { actor, standing, now });
}

const secrets = { secrets: [] };
const fieldsOf = ({ question, plan, approvedBy }: Pick<Approved, "question" | "plan" | "approvedBy">) => ({
  question,
  plan,
  approved_by: approvedBy,
});
const entityOf = (id: string, question: string | null) => ({
  type: "approved_question",
  id,
  name: question && cutText(question, 250),
});
