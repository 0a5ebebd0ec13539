import { z } from "zod";
import { isoTime } from "../../../ingest/clock.ts";
import { timestamp } from "../../../ingest/primitives.ts";
import { diffDocuments } from "../../config/audit-diff.ts";
import { recordChange } from "../../config/audit-outbox.ts";
import { actorOf } from "../../config/resource-operations.ts";
import type { Queryable } from "../../database/database.ts";
import type { Area } from "../../serve/areas.ts";
import { actorName, type Caller } from "../../serve/caller.ts";
import { ValidationError } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { may } from "../../serve/rights.ts";
import type { QueryDeps } from "../conversations/query-operation.ts";
import { auditedChange } from "../conversations/shared-questions.ts";
import { type Board, findBoard, organizationBoard, replaceBoard } from "./board-rows.ts";
import { savedShown, toShownTo } from "./saved-operations.ts";
import { findSavedOf } from "./saved-rows.ts";

/** Questions of one board: each of them is asked again while somebody looks at it. */
const mostPinned = 24;

const about = {
  tag: "Reporting assistant",
  area: "questions",
  access: "user",
  limit: "assistant",
  status: 200,
} as const;
const path = "/reporting_ai/boards";

const shown = z.object({
  questions: z.array(savedShown).describe("Saved questions in the order in which they are shown."),
  updated_by: z.string().nullable(),
  updated_at: timestamp.nullable(),
  may_change: z.boolean().describe("Whether you may change it: your own you may, the organization's its admins may."),
});

/** Operations of boards: saved questions that are pinned, a user's own and the organization's. */
export const boardOperations = (deps: QueryDeps): Operation[] => [
  defineOperation({
    ...about,
    method: "get",
    path,
    name: "listBoards",
    summary: "Your own board and the organization's: saved questions that are pinned",
    answer: z.object({ own: shown, organization: shown }),
    errors: [503],
    async handle({ caller }) {
      const { database } = deps;
      const read = async (userId: string) =>
        toShown(database, caller, userId, await findBoard(database, caller.orgId, userId));
      const [own, organization] = [await read(caller.actor.id), await read(organizationBoard)];
      return { own, organization };
    },
  }),
  changing(deps, { isOwn: true, area: "questions", path: `${path}/own`, name: "updateOwnBoard" }),
  changing(deps, {
    isOwn: false,
    area: "organization",
    path: `${path}/organization`,
    name: "updateOrganizationBoard",
  }),
];

type Changing = Pick<Operation, "path" | "name"> & { readonly isOwn: boolean; readonly area: Area };

const changing = (deps: QueryDeps, { isOwn, ...given }: Changing): Operation =>
  defineOperation({
    ...about,
    ...given,
    method: "patch",
    errors: [503],
    summary: `Pin saved questions to ${isOwn ? "your own" : "the organization's"} board, in this order, in place of those that it has (${mostPinned} at the most)`,
    body: z.object({
      saved_question_ids: z
        .array(z.string().min(1).max(64))
        .max(mostPinned)
        .refine((ids) => new Set(ids).size === ids.length, "names a question twice")
        .describe("Ids of saved questions in the order in which they are shown; empty to take all off."),
    }),
    example: { saved_question_ids: [] },
    answer: shown,
    async handle(request) {
      const { caller, body } = request;
      const userId = isOwn ? caller.actor.id : organizationBoard;
      const { saved_question_ids: questionIds } = body;
      const now = deps.clock.now();
      const board: Board = { questionIds, updatedBy: actorName(caller), updatedAt: isoTime(now) };
      await auditedChange(deps)(async (db) => {
        await refuseUnknown(db, caller, questionIds);
        const before = await findBoard(db, caller.orgId, userId);
        await replaceBoard(db, caller.orgId, userId, board);
        const changes = diffDocuments({ secrets: [] }, toFields(before), toFields(board));
        const entity = { type: "board", id: caller.orgId, name: "Board of the organization" };
        // A user's own board is nobody else's concern.
        if (!isOwn && changes.length > 0)
          await recordChange(db, actorOf(request), { action: "update", entity, changes, now });
        return { result: undefined, changes: [] };
      });
      return toShown(deps.database, caller, userId, board);
    },
  });

const toFields = ({ questionIds }: Board) => ({ saved_question_ids: questionIds });

/** Throws 422 for ids that are no saved questions of the organization. */
async function refuseUnknown(db: Queryable, { orgId }: Caller, ids: readonly string[]): Promise<void> {
  const found = new Set((await findSavedOf(db, orgId, ids)).map(({ id }) => id));
  const issues = ids.flatMap((id, index) =>
    found.has(id)
      ? []
      : [{ loc: ["body", "saved_question_ids", index], msg: "is no saved question", type: "unknown_reference" }],
  );
  if (issues.length > 0) throw new ValidationError(issues);
}

async function toShown(db: Queryable, caller: Caller, userId: string, { questionIds, updatedBy, updatedAt }: Board) {
  const found = new Map((await findSavedOf(db, caller.orgId, questionIds)).map((each) => [each.id, each]));
  const questions = questionIds.flatMap((id) => found.get(id) ?? []);
  return {
    questions: questions.map((question) => toShownTo(caller, question)),
    updated_by: updatedBy,
    updated_at: updatedAt,
    may_change: may(caller, userId === organizationBoard ? "organization:write" : "questions:write"),
  };
}
