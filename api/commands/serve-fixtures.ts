import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clockFrom, isoTime, systemClock } from "../../ingest/clock.ts";
import { openDatabase } from "../adapters.ts";
import { type Platform, startPlatform } from "../compose.ts";
import { createConfigStore } from "../config/store.ts";
import { type DemoFile, install, writeDemoFile } from "../demo/installation.ts";
import type { FixtureFacts } from "../fixtures/fixture-file.ts";
import { openLogger } from "../logging/logger.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { openFixtures } from "./data-source.ts";
import { createStopSignal, untilStopped } from "./stop-signal.ts";

/** Settings of the service that count here. Those of stores and of an identity provider do not: the data are in the folder. */
const settingsThatCount = /^(HOST|PORT|LOG_LEVEL|TRUST_PROXY|PUBLIC_URL|METRICS_.*|OPENAI_.*|ASSISTANT_.*|.*_PER_MIN)$/;

/**
 * Serves the API and the page over the fixtures in a folder until it is stopped, read-only. They are copied into a folder
 * for the time being, where the platform also keeps conversations: the folder itself stays as it is.
 */
export async function serveFixtures(folder: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-served-"));
  try {
    await serveFrom(dataDir, folder);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function serveFrom(dataDir: string, folder: string): Promise<void> {
  const stop = createStopSignal();
  const settings = readSettings({
    LOG_LEVEL: "warn",
    API_RATE_LIMIT_PER_MIN: "6000",
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => settingsThatCount.test(name))),
    LOCAL_ISSUER: "true",
    DATA_DIR: dataDir,
  });
  const fixtures = await takeCopy(folder, settings);
  const { logger, close } = openLogger(settings.LOG_LEVEL);
  try {
    const platform = await startPlatform(settings, {
      logger,
      stop,
      clock: clockFrom(fixtures.until),
      readOnly: true,
    });
    try {
      const served = await listen(platform, fixtures, dataDir);
      console.log(welcome(served, { folder, until: fixtures.until, file: join(dataDir, "demo.json") }));
      await untilStopped(stop, platform);
    } finally {
      await platform.stop();
    }
  } catch (error) {
    if (error !== stop.reason) throw error;
  } finally {
    close();
  }
}

/** Copies the fixtures into DATA_DIR while they are open for reading, so that nobody writes to them meanwhile. */
async function takeCopy(folder: string, settings: Settings): Promise<FixtureFacts> {
  const { warehouse, file, organizations, until } = await openFixtures(folder);
  try {
    // Before the warehouse: without its organizations, that is refused.
    const database = await openDatabase(settings, { clock: systemClock });
    for (const each of organizations) await createConfigStore(database, systemClock).saveOrganization(each);
    await database.close();
    const target = join(settings.DATA_DIR, "warehouse.duckdb");
    for (const end of ["", ".wal"].filter((each) => existsSync(`${file}${each}`)))
      copyFileSync(`${file}${end}`, `${target}${end}`, constants.COPYFILE_FICLONE);
    return { organizations, until };
  } finally {
    await warehouse.close();
  }
}

/** Starts to serve, with a key and a token for each organization. */
async function listen(
  platform: Platform,
  { organizations: given, until }: FixtureFacts,
  dataDir: string,
): Promise<DemoFile> {
  const installed = await install(
    platform,
    given.map(({ id, name, timezone }) => ({ org_id: id, name, timezone, documents: [] })),
    dataDir,
  );
  const organizations = installed.map(({ shown }) => shown);
  const session = organizations.map(({ org_id, name, access_token }) => ({ org_id, name, access_token }));
  const base_url = await platform.listen({
    mode: "demo",
    organizations: session,
    clock_offset_ms: until - systemClock.now(),
    read_only: true,
  });
  const served = { base_url, organizations };
  writeDemoFile(dataDir, served);
  return served;
}

interface Shown {
  readonly folder: string;
  readonly until: number;
  readonly file: string;
}

function welcome({ base_url: url, organizations: [first] }: DemoFile, { folder, until, file }: Shown): string {
  return `
Trunkline serves ${folder}, read-only. It is ${isoTime(until)} there.

  Ask it something   ${url}
  Webhook history    curl -H "X-API-Key: ${first?.api_key}" "${url}/api/v1/webhooks/outgoing-requests?limit=5"
  Keys and tokens    ${file}

Try: "revenue by campaign last month". Ctrl+C stops it; the fixtures stay as they are.`;
}
