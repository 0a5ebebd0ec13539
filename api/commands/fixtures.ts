import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isoTime, systemClock } from "../../ingest/clock.ts";
import { openDuckdb } from "../../sql/duckdb.ts";
import { allTables } from "../../warehouse/tables.ts";
import { startPlatform } from "../compose.ts";
import { backfill, daysOfHistory } from "../demo/backfill.ts";
import { demoOrganizations } from "../demo/documents.ts";
import { copyHistory } from "../fixtures/copy-history.ts";
import { type FixtureFacts, fixtureFile, fixtureTables, writeFacts } from "../fixtures/fixture-file.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";
import { findOrganization } from "./config-database.ts";
import { openDataSource } from "./data-source.ts";
import { createProgress } from "./progress.ts";

const usage = `npm run fixtures -- --out DIR [--now TIME] [--json]
npm run fixtures -- --out DIR --from DATA_DIR [--organization ORG] [--since TIME] [--until TIME]

Writes Parquet files, one for each table, and trunkline.duckdb, for your own tools: the demo's 90
days of data, or with --from an installation's own, whose platform is stopped. Of these, callers'
numbers, addresses of e-mail, secrets and recordings are replaced, the same by the same everywhere;
names of people in tags and bodies stay.

  --out DIR            folder of the files; files of the same names are replaced
  --now TIME           end of the 90 days, ISO 8601 [now]; the same time, seed and calls give
                       the same data
  --from DATA_DIR      folder of the installation, which stays as it is
  --organization ORG   id or name of the one organization that is copied [all]
  --since TIME         beginning of what is copied, whole calls, ISO 8601 [its first record]
  --until TIME         its end [now]
  --json               prints the files and their rows as JSON`;

/** The receiver's address in the records; nothing is sent to it. */
const receiverUrl = "https://receiver.example.com";

const options = {
  out: { type: "string" },
  now: { type: "string" },
  from: { type: "string" },
  organization: { type: "string" },
  since: { type: "string" },
  until: { type: "string" },
  json: { type: "boolean" },
} as const;

await runCommand({
  options,
  usage,
  also: ["DEMO_SEED", "DEMO_CALLS"],
  async run({ values }, output) {
    if (values.out === undefined) throw new UsageError("--out is missing: give a folder.");
    const out = resolve(values.out);
    const { from, organization } = values;
    const [now, since, until] = [toTime("now", values), toTime("since", values), toTime("until", values)];
    const others = (["organization", "since", "until"] as const).find((name) => values[name] !== undefined);
    if (from === undefined && others !== undefined) throw new UsageError(`--${others} needs --from DATA_DIR.`);
    if (from !== undefined && now !== null) throw new UsageError("--now is for the demo's data: give --until.");
    mkdirSync(out, { recursive: true });
    const folder = mkdtempSync(join(tmpdir(), "trunkline-fixtures-"));
    try {
      const file = join(folder, "warehouse.duckdb");
      const facts =
        from === undefined
          ? await fillWithDemo(folder, now ?? Date.now())
          : await copyInstallation(file, { from: resolve(from), organization, since, until });
      const tables = await exportParquet(file, out, facts);
      moveFile(file, fixtureFile(out));
      for (const { rows, file } of tables) output.text(`${String(rows).padStart(9)} rows  ${file}`);
      output.text(`               ${fixtureFile(out)}`);
      output.json({ file: fixtureFile(out), until: isoTime(facts.until), tables });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
});

function toTime<Name extends string>(name: Name, values: Partial<Record<Name, string>>): number | null {
  const given = values[name];
  const time = given === undefined ? null : Date.parse(given);
  if (!Number.isNaN(time)) return time;
  throw new UsageError(`--${name} ${given} is not a time: write it like 2026-11-01T00:00:00Z.`);
}

async function fillWithDemo(folder: string, now: number): Promise<FixtureFacts> {
  const settings = readSettings({ LOG_LEVEL: "error", ...process.env, DATA_DIR: folder, WAREHOUSE_RETENTION_DAYS: "" });
  const { DEMO_SEED: seed, DEMO_CALLS: calls } = settings;
  const platform = await startPlatform(settings);
  const organizations = demoOrganizations({ seed, now, receiverUrl });
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
      organizations,
      onPublished() {},
      onStored: (stored) => progress.update(stored, stored),
    });
  } finally {
    progress.end();
    await platform.stop();
  }
  return { until: now, organizations: organizations.map(({ org_id: id, name, timezone }) => ({ id, name, timezone })) };
}

interface Wanted {
  readonly from: string;
  readonly organization: string | undefined;
  readonly since: number | null;
  readonly until: number | null;
}

async function copyInstallation(
  file: string,
  { from, organization, since, until: end }: Wanted,
): Promise<FixtureFacts> {
  const source = await openDataSource(readSettings(process.env), from);
  // Only to see that it can be read, and whose data there are.
  await source.warehouse.close();
  if (source.file === null) throw new Error(`${from} has no warehouse of its own.`);
  const until = end ?? source.until ?? Date.now();
  const all = [...source.organizations];
  const organizations =
    organization === undefined ? all : [await findOrganization({ organizations: async () => all }, organization)];
  const instance = await openDuckdb(file, "warehouse", { allowFiles: true });
  const connection = await instance.connect();
  const progress = createProgress("tables", allTables.length);
  try {
    const orgIds = organizations.map(({ id }) => id);
    await copyHistory(connection, { path: source.file, orgIds, since, until }, (done) => progress.update(done, done));
  } finally {
    progress.end();
    connection.closeSync();
    instance.closeSync();
  }
  return { organizations, until };
}

async function exportParquet(path: string, out: string, facts: FixtureFacts) {
  const instance = await openDuckdb(path, "warehouse", { allowFiles: true });
  const connection = await instance.connect();
  try {
    await writeFacts(connection, facts);
    const tables = [];
    for (const table of [...allTables.map((each) => each.table), ...fixtureTables]) {
      const file = join(out, `${table}.parquet`);
      const quoted = file.replaceAll("'", "''");
      const { rowsChanged } = await connection.run(`COPY ${table} TO '${quoted}' (FORMAT parquet, COMPRESSION zstd)`);
      tables.push({ table, rows: rowsChanged, file });
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
