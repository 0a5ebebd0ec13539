import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Dialect } from "../../assistant/compile/dialect.ts";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { systemClock } from "../../ingest/clock.ts";
import { DuckdbFileInUse } from "../../sql/duckdb.ts";
import { checkDuckdbHead, DuckdbFileFault } from "../../sql/duckdb-file.ts";
import { openDuckdbReader, type WarehouseReader } from "../../warehouse/duckdb-reader.ts";
import { dialectsOf, openWarehouse } from "../adapters.ts";
import { createConfigStore, type Organization } from "../config/store.ts";
import { fixtureFile, hasFixture, openFixtureFile } from "../fixtures/fixture-file.ts";
import type { Settings } from "../settings/settings.ts";
import { openConfigDatabase } from "./config-database.ts";

/** Data that a command reads without a platform: fixtures, or an installation's stores. */
export interface DataSource {
  readonly warehouse: WarehouseReader;
  readonly dialect: Dialect;
  readonly organizations: readonly Organization[];
  /** Path of the warehouse's DuckDB file; null where another engine keeps it. */
  readonly file: string | null;
  /** The time that fixtures lead up to, ms; null for an installation's data, which go on. */
  readonly until: number | null;
}

interface FixtureSource extends DataSource {
  readonly file: string;
  readonly until: number;
}

const makeFixtures = "npm run fixtures -- --out DIR makes fixtures";

/**
 * Opens the data in a folder, of fixtures or the `DATA_DIR` of a stopped platform; without a folder, the stores that the
 * settings name. Nothing in the warehouse is changed. An error says what to do.
 */
export function openDataSource(settings: Settings, folder: string | undefined): Promise<DataSource> {
  if (folder === undefined) return openInstallation(settings);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`There is no folder ${folder}: ${makeFixtures}.`);
  if (hasFixture(folder)) return openFixtures(folder);
  const { CLICKHOUSE_URL: _engine, DATABASE_URL: _config, ...embedded } = settings;
  return openInstallation({ ...embedded, DATA_DIR: folder });
}

/** Opens the fixtures in a folder. An error says what to do. */
export async function openFixtures(folder: string): Promise<FixtureSource> {
  const file = fixtureFile(folder);
  if (!hasFixture(folder)) throw new Error(`There are no fixtures: ${file} does not exist. ${makeFixtures}.`);
  const advice =
    "Close what has it open, such as a shell of DuckDB or a notebook; for reading alone all may have it open.";
  const { warehouse, organizations, until } = await readable(file, advice, () => openFixtureFile(folder));
  return { warehouse, file, dialect: duckdbDialect, organizations, until };
}

async function openInstallation(settings: Settings): Promise<DataSource> {
  const { DATA_DIR, CLICKHOUSE_URL } = settings;
  const file = CLICKHOUSE_URL === undefined ? join(DATA_DIR, "warehouse.duckdb") : null;
  const warehouse =
    file !== null
      ? await openEmbedded(file)
      : await openWarehouse(settings, { clock: systemClock, leavesRetention: true });
  try {
    const organizations = await organizationsOf(settings);
    return { warehouse, file, dialect: dialectsOf(settings).assistant, organizations, until: null };
  } catch (error) {
    await warehouse.close();
    throw error;
  }
}

const askPlatform = "If that is a running platform, stop it, or ask on its page or by POST /reporting_ai/query.";

async function openEmbedded(file: string): Promise<WarehouseReader> {
  if (!existsSync(file))
    throw new Error(`There are no data: ${file} does not exist. Name another folder; ${makeFixtures}.`);
  return readable(file, askPlatform, () => openDuckdbReader(file));
}

/** Opens a DuckDB file; an error says which one, and what to do. */
async function readable<T>(file: string, adviceInUse: string, open: () => Promise<T>): Promise<T> {
  try {
    checkDuckdbHead(file);
    return await open();
  } catch (error) {
    if (error instanceof DuckdbFileInUse)
      throw new Error(`${file} is in use by another process. ${adviceInUse}`, { cause: error });
    if (error instanceof DuckdbFileFault)
      throw new Error(`${file} is no data of ours: it ${error.message}.`, { cause: error });
    throw error;
  }
}

async function organizationsOf(settings: Settings): Promise<Organization[]> {
  const database = await openConfigDatabase(settings, { mayCreate: false, whileRunning: askPlatform });
  try {
    return await createConfigStore(database, systemClock).organizations();
  } finally {
    await database.close();
  }
}
