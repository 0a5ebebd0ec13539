import { z } from "zod";
import { readJson } from "../../../ingest/parse.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import type { Queryable } from "../../database/database.ts";

/** The saved questions of a board, in the order in which they are shown; some of them may have been deleted since. */
export interface Board {
  readonly questionIds: readonly string[];
  readonly updatedBy: string | null;
  readonly updatedAt: string | null;
}

/** The user id of the organization's board. */
export const organizationBoard = "";

const idsSchema = z.array(z.string());

/** Empty where nothing was pinned yet. */
export async function findBoard(db: Queryable, orgId: OrgId, userId: string): Promise<Board> {
  const [row] = await db.query(
    "SELECT saved_question_ids, updated_by, updated_at FROM boards WHERE org_id = $1 AND user_id = $2",
    [orgId, userId],
  );
  if (row === undefined) return { questionIds: [], updatedBy: null, updatedAt: null };
  return {
    questionIds: idsSchema.safeParse(readJson(String(row["saved_question_ids"]))).data ?? [],
    updatedBy: String(row["updated_by"]),
    updatedAt: String(row["updated_at"]),
  };
}

export const replaceBoard = (db: Queryable, orgId: OrgId, userId: string, board: Board) =>
  db.query(
    `INSERT INTO boards (org_id, user_id, saved_question_ids, updated_by, updated_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org_id, user_id) DO UPDATE SET saved_question_ids = $3, updated_by = $4, updated_at = $5`,
    [orgId, userId, JSON.stringify(board.questionIds), board.updatedBy, board.updatedAt],
  );
