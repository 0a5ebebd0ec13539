import { DuckDBInstance } from "@duckdb/node-api";

/**
 * Reads all rows of a file and what its log of writes (`.wal`) adds to them, and returns how many each table has. Throws what
 * the engine throws. Changes nothing; but the engine may end the process.
 */
export async function readWholeDuckdb(path: string): Promise<ReadonlyMap<string, number>> {
  const instance = await DuckDBInstance.create(path, {
    access_mode: "READ_ONLY",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    enable_external_access: "false",
    threads: "2",
  });
  const connection = await instance.connect();
  try {
    const tables = await connection.runAndReadAll(
      "SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal",
    );
    const rows = new Map<string, number>();
    for (const [schema, table] of tables.getRows()) {
      const name = [schema, table].map((each) => `"${String(each).replaceAll('"', '""')}"`).join(".");
      // A hash of the whole row needs each of its columns; the engine holds blocks against their checksums as it reads them.
      const read = await connection.runAndReadAll(`SELECT count(*), bit_xor(hash(each)) FROM ${name} AS each`);
      rows.set(String(table), Number(read.getRows()[0]?.[0] ?? 0));
    }
    return rows;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
