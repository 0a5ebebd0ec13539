import { join } from "node:path";
import { type Logger, pino } from "pino";
import { createAssistant } from "../assistant/assistant.ts";
import { type Clock, systemClock } from "../ingest/clock.ts";
import { runLifecycle } from "../ingest/lifecycle/run.ts";
import type { EventLog } from "../ingest/log/log.ts";
import { openKafkaLog } from "../ingest/log/log-kafka.ts";
import { openLmdbLog } from "../ingest/log/log-lmdb.ts";
import { duckdbHistoryDialect } from "../warehouse/history-dialect-duckdb.ts";
import { type LoadedBatch, runLoader } from "../warehouse/loader.ts";
import { sql } from "../warehouse/statement.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../warehouse/warehouse-duckdb.ts";
import { type LocalIssuer, openIssuer, signInWarning, tokenVerifier } from "./auth/access-tokens.ts";
import { type ApiKeyStore, createApiKeyStore } from "./auth/api-keys.ts";
import { createClosers } from "./closers.ts";
import { createAuditOutbox } from "./config/audit.ts";
import { openDuckdbDatabase } from "./config/database-duckdb.ts";
import { openPostgresDatabase } from "./config/database-postgres.ts";
import { sweepPauses } from "./config/pause-sweep.ts";
import { definitions } from "./config/registry.ts";
import { createResourceService } from "./config/service.ts";
import { openSnapshot } from "./config/snapshot.ts";
import { type ConfigStore, createConfigStore } from "./config/store.ts";
import { allOperations } from "./operations.ts";
import type { Parts } from "./parts.ts";
import { redpandaOptions } from "./redpanda-settings.ts";
import { repeat } from "./repeat.ts";
import { openRouting } from "./routing/open-routing.ts";
import { createApp } from "./serve/app.ts";
import { createGuards } from "./serve/guards.ts";
import type { Health } from "./serve/health.ts";
import { serve } from "./serve/http-server.ts";
import { createMemoryLimiters, type Limiters, openSharedLimiters, type RateLimits } from "./serve/limiters.ts";
import type { PageSession } from "./serve/page-routes.ts";
import { inFront } from "./serve/ping-route.ts";
import type { Settings } from "./settings.ts";
import { openCallStore, openTelephony } from "./telephony/open-telephony.ts";
import { openWebhooks } from "./webhooks/open-webhooks.ts";
import { receiving } from "./webhooks/receive/route.ts";

/** One installation, running. */
export interface Platform {
  readonly log: EventLog;
  readonly warehouse: Warehouse;
  readonly config: ConfigStore;
  readonly apiKeys: ApiKeyStore;
  /** Makes an access token; null where tokens come from an identity provider. */
  readonly issueToken: LocalIssuer["issue"] | null;
  /** Resolves when decisions and requests meet every change of config and keys that was made before. */
  settled(): Promise<void>;
  /** Begins to serve; returns the base address. */
  listen(session?: PageSession): Promise<string>;
  /** Resolves with the error of a part that cannot go on. */
  readonly failure: Promise<unknown>;
  /** Finishes what is in hand, makes it durable and closes all; twice safely. */
  stop(): Promise<void>;
}

export interface PlatformOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
  onLoaded?(batch: LoadedBatch): void;
}

/** Opens the stores that the settings name, wires every part to them and starts the workers. */
export async function startPlatform(settings: Settings, options: PlatformOptions = {}): Promise<Platform> {
  const { clock = systemClock, logger = pino({ level: settings.LOG_LEVEL }, pino.destination(2)), onLoaded } = options;
  const closers = createClosers(logger);
  try {
    return await open({ settings, clock, logger, closers }, onLoaded);
  } catch (error) {
    await closers.close();
    throw error;
  }
}

type Base = Pick<Parts, "settings" | "clock" | "logger" | "closers">;

async function open(base: Base, onLoaded: PlatformOptions["onLoaded"]): Promise<Platform> {
  const { settings, logger, closers, clock } = base;
  const { config, apiKeys, ...parts } = await openStores(base);
  const { log, warehouse, database, snapshot, onTrouble } = parts;
  const onBatch = onLoaded === undefined ? {} : { onBatch: onLoaded };
  const consumers = [
    runLifecycle({ log, clock, onTrouble: onTrouble("lifecycle") }),
    ...runLoader({ log, warehouse, clock, onTrouble: onTrouble("loader"), ...onBatch }),
  ];
  for (const consumer of consumers) closers.add({ close: () => consumer.stop() });
  const { outbox, service } = openConfig(parts);
  const localIssuer = await openIssuer(settings);
  const warning = signInWarning(settings);
  if (warning !== null) logger.warn(warning);

  const routing = await openRouting(parts);
  const openCalls = await openCallStore(parts);
  const { live, pinger } = routing;
  const { delivery, redeliveries, receiver } = await openWebhooks(parts, {
    ...{ service, dialect: duckdbHistoryDialect, openCalls, live },
  });
  const { calls, carriers } = openTelephony(parts, { openCalls, routing, receiver });
  const operations = allOperations({
    ...{ service, calls, carriers, pinger, database, apiKeys, snapshot, warehouse, clock },
    delivery: { ...delivery, redeliveries, log },
    assistant: createAssistant({ warehouse, clock }),
    counts: {
      ...{ snapshot, database, outbox, clock, factsOf: live.factsOf, resets: live.resets },
      onTrouble: onTrouble("audit"),
    },
  });
  const limiters = await openLimiters(base);
  const { MAX_BODY_BYTES: maxBodyBytes } = settings;
  const pingRoute = { pings: routing.pings, find: snapshot.inboundRtb, limiters, logger };
  const receiveRoute = { receiver, find: snapshot.incomingWebhook, log, limiters, clock, logger, maxBodyBytes };
  const guards = createGuards({ snapshot, verifyToken: tokenVerifier(settings, localIssuer), clock, limiters });
  const health = { checks: healthChecks(parts), stopping: closers.closing };
  const app = (pageSession: PageSession) =>
    createApp({ operations, guards, logger, health, pageSession, maxBodyBytes });

  return {
    ...{ log, warehouse, config, apiKeys, issueToken: localIssuer?.issue ?? null, settled: snapshot.settled },
    async listen(session = { mode: "token" }) {
      // Whoever has just been given a key may use it with the first request.
      await snapshot.settled();
      return closers.add(await serve(inFront(pingRoute, receiving(receiveRoute, app(session))), settings)).url;
    },
    failure: firstFailure([...consumers, live, delivery]),
    stop: closers.close,
  };
}

/** The adapters that the settings name. */
async function openStores({ settings, clock, logger, closers }: Base) {
  const inDataDir = (...names: string[]) => join(settings.DATA_DIR, ...names);
  const onTrouble = (part: string) => (error: unknown) => logger.error({ err: error, part }, "will try again");
  const redpanda = await redpandaOptions(settings);
  const log = closers.add(
    redpanda === null
      ? await openLmdbLog({ dir: inDataDir("log"), clock })
      : await openKafkaLog({ ...redpanda, clock, onTrouble: onTrouble("log") }),
  );
  const warehouse = closers.add(await openDuckdbWarehouse({ path: inDataDir("warehouse.duckdb") }));
  const database = closers.add(
    settings.DATABASE_URL === undefined
      ? await openDuckdbDatabase({ path: inDataDir("config.duckdb") })
      : await openPostgresDatabase({ url: settings.DATABASE_URL, clock, onTrouble: onTrouble("config") }),
  );
  const config = createConfigStore(database, clock);
  const apiKeys = createApiKeyStore(database, clock);
  const snapshot = closers.add(
    await openSnapshot({ database, store: config, apiKeys, clock, onTrouble: onTrouble("config") }),
  );
  return { settings, clock, logger, closers, onTrouble, log, warehouse, database, snapshot, config, apiKeys };
}

const minuteMs = 60 * 1000;

/** What changes config, and tells the audit log of it. */
function openConfig({ log, database, snapshot, clock, closers, onTrouble }: Parts) {
  const outbox = createAuditOutbox(database, log);
  const service = createResourceService({
    ...{ database, outbox, clock, definitions, settled: snapshot.settled },
    onTrouble: onTrouble("audit"),
  });
  // What an earlier run had written but not yet handed to the log.
  outbox.drain().catch(onTrouble("audit"));
  const everyMinute = async () => {
    await sweepPauses({ snapshot, service, clock });
    // What the log did not take with the change that it tells of.
    await outbox.drain();
  };
  closers.add(repeat({ clock, everyMs: minuteMs, work: everyMinute, onTrouble: onTrouble("config") }));
  return { outbox, service };
}

async function openLimiters({ settings, closers }: Base): Promise<Limiters> {
  const limits = limitsOf(settings);
  return settings.DATABASE_URL === undefined
    ? createMemoryLimiters(limits)
    : closers.add(await openSharedLimiters(limits, settings.DATABASE_URL)).limiters;
}

/** Resolves with the error of the first that cannot go on; never while all do. */
const firstFailure = (parts: readonly { readonly finished: Promise<unknown> }[]): Promise<unknown> =>
  Promise.race(
    parts.map(({ finished }) =>
      finished.then(
        () => new Promise(() => {}),
        (error) => error,
      ),
    ),
  );

const limitsOf = (settings: Settings): RateLimits => ({
  api: settings.API_RATE_LIMIT_PER_MIN,
  assistant: settings.ASSISTANT_RATE_LIMIT_PER_MIN,
  webhooks: settings.WEBHOOK_RATE_LIMIT_PER_MIN,
  rtb: settings.RTB_RATE_LIMIT_PER_MIN,
});

const healthChecks = ({ log, warehouse, database }: Parts): Health["checks"] => ({
  log: async () => void (await log.ends("call-signals")),
  warehouse: async () => void (await warehouse.query(sql`SELECT 1`, { timeoutMs: 2000 })),
  config: async () => void (await database.query("SELECT 1")),
});
