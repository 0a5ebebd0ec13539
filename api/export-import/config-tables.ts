import type { Database, DatabaseRow, DatabaseValue, Queryable } from "../database/database.ts";

/** Exported tables of the config database, referenced ones first, each with the columns that its rows are ordered by. */
export const exportedTables = {
  organizations: ["id"],
  documents: ["type", "id"],
  document_references: ["from_type", "from_id", "to_type", "to_id"],
  exclusive_references: ["from_type", "to_id"],
  api_keys: ["id"],
  access_tokens: ["org_id", "id"],
  sequences: ["name"],
  total_resets: ["org_id", "kind", "id"],
  number_allocations: ["org_id", "number", "slot"],
  allocated_requests: ["request_id"],
  pool_exhaustions: ["org_id", "pool_id", "minute"],
  pending_deliveries: ["id"],
  webhook_redeliveries: ["id"],
  webhook_receipts: ["org_id", "transaction_id"],
  caller_data: ["id"],
  adjustment_receipts: ["org_id", "transaction_id"],
  assistant_sessions: ["org_id", "user_id", "id"],
  assistant_messages: ["id"],
  approved_questions: ["org_id", "question_sha256"],
  saved_questions: ["id"],
  boards: ["org_id", "user_id"],
  shared_links: ["org_id", "id"],
  schedules: ["id"],
  schedule_runs: ["id"],
  schedule_sends: ["org_id", "triggered_by"],
  assistant_instructions: ["org_id"],
  assistant_usage: ["org_id", "day", "model"],
  audit_outbox: ["id"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type ExportedTable = keyof typeof exportedTables;

/** Tables that are not exported: state of calls in progress, which no other installation can continue, or of the moment. */
export const skippedTables: readonly string[] = ["open_calls", "call_holds", "hold_turns"];

const pageRows = 500;

/** Reads all rows of a table, a page at a time. */
export async function* rowsOf(database: Database, table: ExportedTable): AsyncGenerator<DatabaseRow> {
  const order = exportedTables[table].join(", ");
  for (let offset = 0; ; offset += pageRows) {
    const rows = await database.query(`SELECT * FROM ${table} ORDER BY ${order} LIMIT ${pageRows} OFFSET ${offset}`);
    yield* rows;
    if (rows.length < pageRows) return;
  }
}

export async function countOf(database: Database, table: string): Promise<number> {
  const [row] = await database.query(`SELECT count(*) AS rows FROM ${table}`);
  return Number(row?.["rows"] ?? 0);
}

/** Inserts a row; one that exists already stays as it is. */
export async function insertRow(db: Queryable, table: ExportedTable, row: DatabaseRow): Promise<void> {
  // Column names come from a file: only valid identifiers are spliced into the statement.
  const names = Object.keys(row).filter((name) => /^[a-z_]+$/.test(name));
  const values: DatabaseValue[] = names.map((name) => row[name] ?? null);
  const places = names.map((_, index) => `$${index + 1}`);
  const into = `INSERT INTO ${table} (${names.join(", ")})`;
  if (table !== "document_references")
    return void (await db.query(`${into} VALUES (${places.join(", ")}) ON CONFLICT DO NOTHING`, values));
  // The table has no unique key.
  const same = names.map((name, index) => `${name} = $${index + 1}`).join(" AND ");
  await db.query(`${into} SELECT ${places.join(", ")} WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${same})`, values);
}
