import type { OrgId } from "../../../ingest/primitives.ts";
import type { Queryable } from "../../database/database.ts";

/** An organization's own words for the assistant: a glossary and rules. */
export interface Instructions {
  readonly instructions: string;
  readonly updatedBy: string | null;
  readonly updatedAt: string | null;
}

const none: Instructions = { instructions: "", updatedBy: null, updatedAt: null };

/** Empty where there are none. */
export async function findInstructions(db: Queryable, orgId: OrgId): Promise<Instructions> {
  const [row] = await db.query(
    "SELECT instructions, updated_by, updated_at FROM assistant_instructions WHERE org_id = $1",
    [orgId],
  );
  if (row === undefined) return none;
  return {
    instructions: String(row["instructions"]),
    updatedBy: String(row["updated_by"]),
    updatedAt: String(row["updated_at"]),
  };
}

export const replaceInstructions = (
  db: Queryable,
  orgId: OrgId,
  { instructions, updatedBy, updatedAt }: Instructions,
) =>
  db.query(
    `INSERT INTO assistant_instructions (org_id, instructions, updated_by, updated_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (org_id) DO UPDATE SET instructions = $2, updated_by = $3, updated_at = $4`,
    [orgId, instructions, updatedBy, updatedAt],
  );
