import type { Database, DatabaseRow, DatabaseValue, Queryable } from "../database/database.ts";

/** Tables of config that are carried, in an order in which nothing is named before it is there, each by its rows' order. */
export const carriedTables = {
  organizations: ["id"],
  documents: ["type", "id"],
  document_references: ["from_type", "from_id", "to_type", "to_id"],
  exclusive_references: ["from_type", "to_id"],
  api_keys: ["id"],
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
  assistant_sessions: ["id"],
  assistant_messages: ["id"],
  approved_questions: ["org_id", "question_sha256"],
  saved_questions: ["id"],
  audit_outbox: ["id"],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type CarriedTable = keyof typeof carriedTables;

/** Of calls in progress, which nobody can carry over, or of the moment. */
export const leftTables: readonly string[] = ["open_calls", "call_holds", "hold_turns"];

const pageRows = 500;

/** All rows of a table, a page at a time. */
export async function* rowsOf(database: Database, table: CarriedTable): AsyncGenerator<DatabaseRow> {
  const order = carriedTables[table].join(", ");
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

/** What is there already stays as it is. */
export async function insertRow(db: Queryable, table: CarriedTable, row: DatabaseRow): Promise<void> {
  // Names come from a file: only those that a column may have are ever spliced in.
  const names = Object.keys(row).filter((name) => /^[a-z_]+$/.test(name));
  const values: DatabaseValue[] = names.map((name) => row[name] ?? null);
  const places = names.map((_, index) => `$${index + 1}`);
  const into = `INSERT INTO ${table} (${names.join(", ")})`;
  if (table !== "document_references")
    return void (await db.query(`${into} VALUES (${places.join(", ")}) ON CONFLICT DO NOTHING`, values));
  // Nothing makes its rows unique.
  const same = names.map((name, index) => `${name} = $${index + 1}`).join(" AND ");
  await db.query(`${into} SELECT ${places.join(", ")} WHERE NOT EXISTS (SELECT 1 FROM ${table} WHERE ${same})`, values);
}
