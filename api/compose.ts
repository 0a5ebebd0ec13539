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
import { definitions } from "./config/registry.ts";
import { createResourceService } from "./config/service.ts";
import { openSnapshot } from "./config/snapshot.ts";
import { type ConfigStore, createConfigStore } from "./config/store.ts";
import { allOperations } from "./operations.ts";
import { redpandaOptions } from "./redpanda-settings.ts";
import { openLiveFacts } from "./routing/figures/open-live-facts.ts";
import { releaseForgotten } from "./routing/figures/reservations.ts";
import { createInboundPings } from "./routing/inbound/inbound-pings.ts";
import { createAsk } from "./routing/quotes/ask-route.ts";
import { createPingControls } from "./routing/rtb/controls.ts";
import { createPing } from "./routing/rtb/ping.ts";
import { createPinger } from "./routing/rtb/pinger.ts";
import { createTcpa } from "./routing/tcpa/tcpa.ts";
import { createApp } from "./serve/app.ts";
import { createGuards } from "./serve/guards.ts";
import type { Health } from "./serve/health.ts";
import { serve } from "./serve/http-server.ts";
import { createMemoryLimiters, openSharedLimiters, type RateLimits } from "./serve/limiters.ts";
import type { PageSession } from "./serve/page-routes.ts";
import { inFront } from "./serve/ping-route.ts";
import type { Settings } from "./settings.ts";
import { findCall } from "./telephony/call-sid.ts";
import { createCalls } from "./telephony/calls.ts";
import { createOpenCallStore } from "./telephony/open-calls.ts";
import { tellingTo } from "./telephony/told.ts";
import { type DeliveryTerms, openDelivery } from "./webhooks/deliver/open-delivery.ts";
import { createSender } from "./webhooks/deliver/send.ts";
import { createReceiver } from "./webhooks/receive/receiver.ts";
import { receiving } from "./webhooks/receive/route.ts";
import { createRedeliveries } from "./webhooks/redeliver/redeliveries.ts";

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

/** What a step had to tell and could not is told by whoever finds it so much later. */
const tellLateMs = 10_000;
const sweepEveryMs = 60 * 60 * 1000;

/** Opens the stores that the settings name, wires every part to them and starts the workers. */
export async function startPlatform(settings: Settings, options: PlatformOptions = {}): Promise<Platform> {
  const { clock = systemClock, logger = pino({ level: settings.LOG_LEVEL }, pino.destination(2)), onLoaded } = options;
  const closers = createClosers(logger);
  const inDataDir = (...names: string[]) => join(settings.DATA_DIR, ...names);
  const onTrouble = (part: string) => (error: unknown) => logger.error({ err: error, part }, "will try again");
  try {
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
    const allowPrivateDestinations = settings.ALLOW_PRIVATE_DESTINATIONS;
    const sender = closers.add(createSender({ allowPrivateDestinations }));
    const pinger = closers.add(createPinger({ allowPrivateDestinations }));
    const tcpa = closers.add(createTcpa({ allowPrivateDestinations, clock }));
    const { ask, askRoute } = createAsk({
      ...{ ping: createPing({ controls: createPingControls({ clock }), sender: pinger, clock }), clock },
    });

    const consumers = [
      runLifecycle({ log, clock, onTrouble: onTrouble("lifecycle") }),
      ...runLoader({
        log,
        warehouse,
        clock,
        onTrouble: onTrouble("loader"),
        ...(onLoaded ? { onBatch: onLoaded } : {}),
      }),
    ];
    for (const consumer of consumers) closers.add({ close: () => consumer.stop() });
    const outbox = createAuditOutbox(database, log);
    const service = createResourceService({
      ...{ database, outbox, clock, definitions, settled: snapshot.settled },
      onTrouble: onTrouble("audit"),
    });
    const delivery = closers.add(
      openDelivery({
        ...{ log, database, snapshot, edit: service.edit, sender, clock, random: Math.random },
        ...{ terms: deliveryTermsOf(settings), onTrouble: onTrouble("deliver") },
        onNotice: (notice, count) => logger.warn({ ...notice, count }, "outgoing webhook"),
      }),
    );
    const redeliveries = closers.add(
      createRedeliveries({
        ...{ database, warehouse, dialect: duckdbHistoryDialect, snapshot, clock },
        ...{ onDue: delivery.retries.nudge, onTrouble: onTrouble("redeliver") },
      }),
    );

    const live = closers.add(
      await openLiveFacts({ database, log, warehouse, snapshot, clock, onTrouble: onTrouble("routing") }),
    );
    const localIssuer = await openIssuer(settings);
    const warning = signInWarning(settings);
    if (warning !== null) logger.warn(warning);
    const openCalls = createOpenCallStore({
      database,
      clock,
      publish: tellingTo(log, onTrouble("telephony")),
      onTrouble: onTrouble("telephony"),
    });
    // What an earlier run had written but not yet handed to the log.
    await openCalls.tellLeftOver();
    outbox.drain().catch(onTrouble("audit"));
    const tidy = async () => {
      await openCalls.sweep();
      await releaseForgotten(database, clock.now());
      await receiver.tidy();
    };
    const tellLate = setInterval(() => openCalls.tellLeftOver(tellLateMs).catch(onTrouble("telephony")), tellLateMs);
    closers.add({ close: async () => clearInterval(tellLate) });
    const sweep = setInterval(() => tidy().catch(onTrouble("telephony")), sweepEveryMs).unref();
    closers.add({ close: async () => clearInterval(sweep) });
    const pings = closers.add(
      createInboundPings({
        ...{ database, clock, askRoute, factsOf: live.factsOf, checkTcpa: tcpa.check, noLoss: settings.NO_LOSS_PINGS },
        ...{ configOf: snapshot.config, publish: log.publish, onTrouble: onTrouble("pings") },
      }),
    );
    const receiver = closers.add(
      createReceiver({
        ...{ database, log, warehouse, openCalls, clock, onTrouble: onTrouble("receiver") },
        earlierCalls: (orgId, caller) => live.factsOf(orgId).earlierCalls(caller),
      }),
    );
    // What an earlier run had accepted but not yet done.
    await receiver.tidy().catch(onTrouble("receiver"));
    const calls = createCalls({
      ...{ snapshot, openCalls, clock, ask, sender: pinger, random: Math.random },
      ...{ factsOf: live.factsOf, held: live.held, note: live.note, checkTcpa: tcpa.check },
      takeAllocation: pings.take,
      takeCallerData: receiver.takeCallerData,
    });
    const operations = allOperations({
      service,
      delivery: { ...delivery, redeliveries, log },
      assistant: createAssistant({ warehouse, clock }),
      calls,
      carriers: {
        ...{ snapshot, clock, settings, warn: (message) => logger.warn(message) },
        calls: { ...calls, find: findCall(openCalls) },
      },
      counts: {
        ...{ snapshot, database, outbox, clock, factsOf: live.factsOf, resets: live.resets },
        onTrouble: onTrouble("audit"),
      },
      pinger,
      database,
      apiKeys,
      snapshot,
      warehouse,
      clock,
    });
    const limits = limitsOf(settings);
    const limiters =
      settings.DATABASE_URL === undefined
        ? createMemoryLimiters(limits)
        : closers.add(await openSharedLimiters(limits, settings.DATABASE_URL)).limiters;
    const verifyToken = tokenVerifier(settings, localIssuer);
    const pingRoute = { pings, find: snapshot.inboundRtb, limiters, logger };
    const receiveRoute = {
      ...{ receiver, find: snapshot.incomingWebhook, log, limiters, clock, logger },
      maxBodyBytes: settings.MAX_BODY_BYTES,
    };
    const app = (pageSession: PageSession) =>
      createApp({
        operations,
        guards: createGuards({ snapshot, verifyToken, clock, limiters }),
        logger,
        health: { checks: healthChecks(log, warehouse, () => database.query("SELECT 1")), stopping: closers.closing },
        pageSession,
        maxBodyBytes: settings.MAX_BODY_BYTES,
      });

    return {
      ...{ log, warehouse, config, apiKeys, issueToken: localIssuer?.issue ?? null, settled: snapshot.settled },
      async listen(session = { mode: "token" }) {
        // Whoever has just been given a key may use it with the first request.
        await snapshot.settled();
        return closers.add(await serve(inFront(pingRoute, receiving(receiveRoute, app(session))), settings)).url;
      },
      failure: Promise.race(
        [...consumers, live, delivery].map(({ finished }) =>
          finished.then(
            () => new Promise(() => {}),
            (error) => error,
          ),
        ),
      ),
      stop: closers.close,
    };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

const limitsOf = (settings: Settings): RateLimits => ({
  api: settings.API_RATE_LIMIT_PER_MIN,
  assistant: settings.ASSISTANT_RATE_LIMIT_PER_MIN,
  webhooks: settings.WEBHOOK_RATE_LIMIT_PER_MIN,
  rtb: settings.RTB_RATE_LIMIT_PER_MIN,
});

const deliveryTermsOf = (settings: Settings): DeliveryTerms => ({
  pausesMs: settings.WEBHOOK_RETRY_SECONDS.map((seconds) => seconds * 1000),
  pauseAfterMs: settings.WEBHOOK_PAUSE_AFTER_HOURS * 60 * 60 * 1000,
  probeEveryMs: settings.WEBHOOK_PROBE_MINUTES * 60 * 1000,
  keepMs: settings.WEBHOOK_KEEP_DAYS * 24 * 60 * 60 * 1000,
});

const healthChecks = (log: EventLog, warehouse: Warehouse, askDatabase: () => Promise<unknown>): Health["checks"] => ({
  log: async () => void (await log.ends("call-signals")),
  warehouse: async () => void (await warehouse.query(sql`SELECT 1`, { timeoutMs: 2000 })),
  config: async () => void (await askDatabase()),
});
