import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "../../ingest/clock.ts";
import { openDuckdb } from "../../sql/duckdb.ts";
import { allTables } from "../../warehouse/tables.ts";
import { startPlatform } from "../compose.ts";
import { backfill, daysOfHistory } from "../demo/backfill.ts";
import { demoOrganizations } from "../demo/documents.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand } from "./command.ts";
import { createProgress } from "./progress.ts";

const usage = `npm run fixtures -- --out DIR [--now TIME]

Writes the demo's 90 days of data as Parquet files, one for each table, and as trunkline.duckdb, for
your own tools.

  --out DIR    folder of the files; files of the same names are replaced
  --now TIME   end of the 90 days, ISO 8601; the same time, seed and calls give the same data`;

/** The receiver's address in the records; nothing is sent to it. */
const receiverUrl = "https://receiver.example.com";

await runCommand({
  options: { out: { type: "string" }, now: { type: "string" } },
  usage,
  also: ["DEMO_SEED", "DEMO_CALLS"],
  async run({ values }) {
    if (values.out === undefined) throw new Error(`--out is missing.\n\n${usage}`);
    const out = resolve(values.out);
    const now = values.now === undefined ? Date.now() : Date.parse(values.now);
    if (Number.isNaN(now)) throw new Error(`--now ${values.now} is not a time: write it like 2026-11-01T00:00:00Z.`);
    mkdirSync(out, { recursive: true });
    const folder = mkdtempSync(join(tmpdir(), "trunkline-fixtures-"));
    try {
      await fill(folder, now);
      const tables = await exportParquet(join(folder, "warehouse.duckdb"), out);
      moveFile(join(folder, "warehouse.duckdb"), join(out, "trunkline.duckdb"));
      for (const { table, rows } of tables)
        console.log(`${String(rows).padStart(9)} rows  ${join(out, `${table}.parquet`)}`);
      console.log(`               ${join(out, "trunkline.duckdb")}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

async function fill(folder: string, now: number): Promise<void> {
  const settings = readSettings({ LOG_LEVEL: "error", ...process.env, DATA_DIR: folder, WAREHOUSE_RETENTION_DAYS: "" });
  const { DEMO_SEED: seed, DEMO_CALLS: calls } = settings;
  const platform = await startPlatform(settings);
  const progress = createProgress("calls", calls);
  try {
    await backfill({
      log: platform.log,
      warehouse: platform.warehouse,
      clock: systemClock,
      seed,
      calls,
      now,
      days: daysOfHistory(),
      publishedChunks: 0,
      organizations: demoOrganizations({ seed, now, receiverUrl }),
      onPublished() {},
      onStored: (stored) => progress.update(stored, stored),
    });
  } finally {
    progress.end();
    await platform.stop();
  }
}

async function exportParquet(path: string, out: string): Promise<{ table: string; rows: number }[]> {
  const instance = await openDuckdb(path, "warehouse", { allowFiles: true });
  const connection = await instance.connect();
  try {
    const tables = [];
    for (const { table } of allTables) {
      const file = join(out, `${table}.parquet`).replaceAll("'", "''");
      const { rowsChanged } = await connection.run(`COPY ${table} TO '${file}' (FORMAT parquet, COMPRESSION zstd)`);
      tables.push({ table, rows: rowsChanged });
    }
    await connection.run("CHECKPOINT");
    return tables;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** A rename cannot leave its disk, and the temporary folder may be on another one. */
function moveFile(from: string, to: string): void {
  rmSync(to, { force: true });
  try {
    renameSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}
