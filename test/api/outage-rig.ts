import { onTestFinished } from "vitest";
import { openDatabase, openLog, openWarehouse } from "../../api/adapters.ts";
import { createApiKeyStore } from "../../api/config/api-keys.ts";
import { createConfigStore } from "../../api/config/store.ts";
import type { Role } from "../../api/settings/roles.ts";
import { readSettings } from "../../api/settings/settings.ts";
import { systemClock as clock } from "../../ingest/clock.ts";
import { callEventNames } from "../../ingest/event.ts";
import { orgOne } from "../make.ts";
import { exampleConfig, openTestReceiver } from "../platform.ts";
import { startClickhouseServer } from "../services/clickhouse.ts";
import { startKafka } from "../services/kafka.ts";
import { startPostgres } from "../services/postgres.ts";
import { temporaryFolder } from "../temporary.ts";
import { startProcess } from "./start-process.ts";

export type Store = "log" | "warehouse" | "database";

/** What a store that can be stopped for a while does. */
interface Stoppable {
  kill(): void | Promise<void>;
  startAgain(): void | Promise<void>;
}

/** Which stores a process of a role looks at. */
const storesOf: Readonly<Record<Role, readonly Store[]>> = {
  api: ["log", "warehouse", "database"],
  lifecycle: ["log"],
  deliver: ["log", "database"],
  load: ["log", "warehouse"],
};

export type Worker = Awaited<ReturnType<typeof startProcess>> & { readonly role: Role };

export interface Readiness {
  readonly status: number;
  readonly checks: Readonly<Partial<Record<Store, string>>>;
}

/** Brokers, PostgreSQL and ClickHouse of its own, which are stopped as it likes, and processes on them. */
export async function openOutageRig() {
  const kafka = await startKafka();
  onTestFinished(() => kafka.stop());
  const postgres = startPostgres();
  onTestFinished(() => postgres.stop());
  const clickhouse = await startClickhouseServer();
  onTestFinished(() => clickhouse.stop());
  const receiver = await openTestReceiver();
  const environment = {
    DATA_DIR: temporaryFolder(),
    HOST: "127.0.0.1",
    ALLOW_PRIVATE_DESTINATIONS: "true",
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: clickhouse.url,
    API_RATE_LIMIT_PER_MIN: "1000000",
    REDPANDA_BROKERS: kafka.environment["TEST_REDPANDA_BROKERS"] ?? "",
    REDPANDA_REPLICATION: "1",
    LOG_LEVEL: "info",
  };
  const settings = readSettings(environment);
  const key = await fill(settings, receiver.url);
  const stores: Readonly<Record<Store, Stoppable>> = { log: kafka, warehouse: clickhouse, database: postgres };

  return {
    key,
    stores,
    received: receiver.received,
    async start(role: Role): Promise<Worker> {
      return { ...(await startProcess({ ...environment, ROLES: role })), role };
    },
    /** What was produced and stored, read past the processes. */
    async openBooks() {
      const log = await openLog(settings, { clock });
      onTestFinished(() => log.close());
      const warehouse = await openWarehouse(settings, { clock });
      onTestFinished(() => warehouse.close());
      return { log, warehouse };
    },
  };
}

/** One organization with webhooks for every event; returns its key. */
async function fill(settings: ReturnType<typeof readSettings>, receiverUrl: string): Promise<string> {
  const database = await openDatabase(settings, { clock });
  const config = createConfigStore(database, clock);
  await config.saveOrganization({ id: orgOne, name: "First", timezone: "UTC" });
  await config.save(orgOne, exampleConfig(receiverUrl, callEventNames));
  const { key } = await createApiKeyStore(database, clock).issue(orgOne, "test");
  await database.close();
  return key;
}

export async function readinessOf({ url }: Pick<Worker, "url">): Promise<Readiness> {
  const response = await fetch(`${url}/readyz`);
  const { checks } = (await response.json()) as { checks: Readiness["checks"] };
  return { status: response.status, checks };
}

/** Messages that a role has yet to work through, over its processes. */
export async function backlogOf(role: Role, workers: readonly Worker[]): Promise<number> {
  const texts = await Promise.all(workers.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()));
  const found = texts.flatMap((text) => [
    ...text.matchAll(/^trunkline_backlog_messages\{consumer="(\w+)".*\} (\d+)$/gm),
  ]);
  return found.reduce((sum, [, consumer, messages]) => (consumer === role ? sum + Number(messages) : sum), 0);
}

/** What `/readyz` of a role is to say while one store is away, or none: which of its stores are not "ok". */
export const awayOf = (role: Role, store: Store | null): readonly Store[] =>
  storesOf[role].filter((each) => each === store);
