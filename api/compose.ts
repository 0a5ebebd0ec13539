import { createAssistant } from "../assistant/assistant.ts";
import { createSqlRunner } from "../assistant/own-sql.ts";
import { type Clock, systemClock } from "../ingest/clock.ts";
import type { EventLog, NewMessage } from "../ingest/log/log.ts";
import { type Place, watchProgress } from "../ingest/log/progress.ts";
import { UnreadableError } from "../ingest/unreadable.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { createWorkerApp } from "./app.ts";
import { type LocalIssuer, openIssuer, signInWarning, tokenVerifier } from "./auth/access-tokens.ts";
import type { ApiKeyStore } from "./config/api-keys.ts";
import { numberWarnings } from "./config/number-warnings.ts";
import { createConfigChanges, openConfig, tendConfig } from "./config/open-config.ts";
import type { ConfigStore } from "./config/store.ts";
import { type ConsumerOptions, firstFailure, runConsumers } from "./consumers.ts";
import { openDataDir } from "./data-dir/open-data-dir.ts";
import type { Database } from "./database/database.ts";
import { createExports } from "./exports/export.ts";
import { createBacklog } from "./metrics/backlog.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { openFront } from "./open-front.ts";
import { createMetricsFront } from "./open-metrics.ts";
import { openPlanner } from "./open-planner.ts";
import { dialectsOf, openDatabase, openLog, openWarehouse } from "./open-stores.ts";
import { allOperations } from "./operations.ts";
import type { Parts } from "./parts.ts";
import type { Base } from "./process/base.ts";
import { createClosers, openOrClose } from "./process/closers.ts";
import { groupLines, letterLines } from "./process/log-lines.ts";
import { openLogger } from "./process/logger.ts";
import { repeat } from "./process/repeat.ts";
import { createUnreadableRows } from "./process/unreadable-rows.ts";
import { openAdjuster } from "./reporting/adjust/open-adjuster.ts";
import { tendSessions } from "./reporting/conversations/tend-sessions.ts";
import { lookBackWarnings } from "./routing/look-back.ts";
import { openRouting } from "./routing/open-routing.ts";
import { prepareForDecisions } from "./routing/prepare.ts";
import { serve } from "./serve/http-server.ts";
import { type PageSession, signInOf } from "./serve/page-routes.ts";
import type { Settings } from "./settings/settings.ts";
import { storeChecks } from "./store-checks.ts";
import { openCallStore, openTelephony } from "./telephony/open-telephony.ts";
import { openDeliverer, openDeliveryDesk, openWebhooks } from "./webhooks/open-webhooks.ts";

/** One process of an installation, running. */
export interface Process {
  /** Begins to serve; returns the base address. */
  listen(session?: PageSession): Promise<string>;
  /** Resolves with the error of a part that cannot go on. */
  readonly failure: Promise<unknown>;
  /** Finishes what is in hand, makes it durable and closes all; twice safely. */
  stop(): Promise<void>;
}

/** A process that serves the API, whatever else it does: so an installation of one process, whole. */
export interface Platform extends Process {
  readonly log: EventLog;
  readonly warehouse: Warehouse;
  readonly config: ConfigStore;
  readonly apiKeys: ApiKeyStore;
  /** Makes an access token; null where tokens come from an identity provider. */
  readonly issueToken: LocalIssuer["issue"] | null;
  /** Resolves when decisions and requests meet every change of config and keys that was made before. */
  settled(): Promise<void>;
}

export interface PlatformOptions extends ConsumerOptions {
  readonly clock?: Clock;
  readonly logger?: Base["logger"];
  /** What every part shall have in place of the log, such as one that watches what they read. */
  through?(log: EventLog): EventLog;
  /** Whether a retention that was set stays where the settings name none. */
  readonly leavesRetention?: boolean;
  /** Ends the opening where it aborts before all is open: what is open is closed, and its reason thrown. */
  readonly stop?: AbortSignal;
}

/** Opens the stores that the settings name, wires every part to them and starts the workers of its roles. */
export const startPlatform = (settings: Settings, options: PlatformOptions = {}): Promise<Platform> =>
  start(settings, options, openPlatform);

/** Likewise for a process without the API. */
export const startWorker = (settings: Settings, options: PlatformOptions = {}): Promise<Process> =>
  start(settings, options, openWorker);

type Open<P> = (base: Base, options: PlatformOptions) => Promise<P>;

async function start<P>(settings: Settings, options: PlatformOptions, open: Open<P>): Promise<P> {
  const { clock = systemClock, logger = openLogger(settings.LOG_LEVEL).logger } = options;
  const { through = (log: EventLog) => log, stop } = options;
  const closers = createClosers({ logger, clock });
  const metrics = createMetrics(clock);
  const leaveOut = createUnreadableRows(metrics, logger);
  const onTrouble = (part: string) => (error: unknown) =>
    error instanceof UnreadableError ? leaveOut(part, error) : logger.error({ err: error, part }, "will try again");
  return openOrClose(closers, stop, async () => {
    const dataDir = closers.add("DATA_DIR", await openDataDir(settings, (text) => logger.warn(text)));
    const told = { clock, onTrouble: onTrouble("log"), onGroupEvent: groupLines(logger) };
    const opened = closers.add("event log", await openLog(settings, told));
    const { log, places } = watchProgress(tellingOf(through(opened), [metrics.published, letterLines(logger)]));
    const base: Base = { settings, clock, logger, closers, log, metrics, onTrouble };
    tendBacklog(base, places);
    const process = await open(base, options);
    dataDir.opened();
    // The last of what is open, and so the first to be closed.
    closers.add("stores", { close: async () => dataDir.closing() });
    return process;
  });
}

/** The log, telling each of them what is published. */
const tellingOf = (log: EventLog, tell: readonly ((messages: readonly NewMessage[]) => void)[]): EventLog => ({
  ...log,
  async publish(messages) {
    const positions = await log.publish(messages);
    for (const each of tell) each(messages);
    return positions;
  },
});

/** Half as long as most look at metrics. */
const backlogEveryMs = 5000;

function tendBacklog({ log, clock, closers, metrics }: Base, places: () => readonly Place[]): void {
  const { refresh, current } = createBacklog({ log, places });
  metrics.backlogFrom(current);
  // A log that is away is told of by whoever works on it.
  const onTrouble = (): void => undefined;
  closers.add("backlog", repeat({ clock, everyMs: backlogEveryMs, work: refresh, onTrouble }));
}

const openConfigDatabase = async ({ settings, clock, closers, onTrouble }: Base): Promise<Database> =>
  closers.add("config database", await openDatabase(settings, { clock, onTrouble: onTrouble("config") }));

const does = ({ settings }: Base, role: Settings["ROLES"][number]): boolean => settings.ROLES.includes(role);

async function openPlatform(base: Base, options: PlatformOptions): Promise<Platform> {
  const { settings, logger, closers, clock, log, onTrouble } = base;
  const told = { clock, onTrouble: onTrouble("warehouse"), leavesRetention: options.leavesRetention };
  const warehouse = closers.add("warehouse", await openWarehouse(settings, told));
  const database = await openConfigDatabase(base);
  const { config, apiKeys, snapshot } = await openConfig(base, database, prepareForDecisions);
  const dialects = dialectsOf(settings);
  const parts: Parts = { ...base, warehouse, dialects, database, snapshot };
  const consumers = runConsumers(base, { warehouse, ...options });
  const changes = createConfigChanges(parts);
  tendConfig(parts, changes);
  tendSessions(parts);
  const localIssuer = await openIssuer(settings);
  const warning = signInWarning(settings);
  if (warning !== null) logger.warn(warning);
  for (const each of numberWarnings(snapshot.configs())) logger.warn(each);
  for (const each of lookBackWarnings(snapshot.configs(), settings.WAREHOUSE_RETENTION_DAYS)) logger.warn(each);

  const routing = await openRouting(parts);
  const openCalls = await openCallStore(parts);
  const { live, pinger } = routing;
  const deliverer = does(base, "deliver") ? openDeliverer(parts, changes) : null;
  const desk = deliverer ?? openDeliveryDesk(parts);
  const onDue = () => deliverer?.retries.nudge();
  const { redeliveries, receiver } = await openWebhooks(parts, { openCalls, live, onDue });
  const { calls, carriers } = openTelephony(parts, { openCalls, routing, receiver });
  const { guarded } = warehouse;
  const planner = await openPlanner(settings, { guarded, clock, onTrouble: onTrouble("assistant") });
  const operations = allOperations({
    service: changes.service,
    calls,
    carriers,
    pinger,
    database,
    apiKeys,
    snapshot,
    warehouse,
    clock,
    dialects,
    outbox: changes.outbox,
    reports: { warehouse, dialect: dialects.report },
    exports: createExports(),
    adjuster: await openAdjuster(parts, { openCalls, live, outbox: changes.outbox }),
    delivery: { ...desk, redeliveries, log },
    assistant: createAssistant({ warehouse, clock, planner, dialect: dialects.assistant }),
    runSql: createSqlRunner({ guarded, clock }),
    counts: {
      snapshot,
      database,
      outbox: changes.outbox,
      clock,
      factsOf: live.factsOf,
      resets: live.resets,
      onTrouble: onTrouble("audit"),
    },
    onTrouble: onTrouble("assistant"),
  });
  const verifyToken = tokenVerifier(settings, localIssuer);
  const metricsFront = createMetricsFront(base);
  const front = await openFront(parts, { operations, pings: routing.pings, receiver, verifyToken, metricsFront });

  return {
    log,
    warehouse,
    config,
    apiKeys,
    issueToken: localIssuer?.issue ?? null,
    settled: snapshot.settled,
    async listen(session = signInOf(settings)) {
      // Whoever has just been given a key may use it with the first request.
      await snapshot.settled();
      await metricsFront.listen();
      return closers.add("HTTP server", await serve(front(session), settings)).url;
    },
    failure: firstFailure([...consumers, live, ...(deliverer === null ? [] : [deliverer])]),
    stop: closers.close,
  };
}

/** Opens no store that its roles do not need. */
async function openWorker(base: Base, options: PlatformOptions): Promise<Process> {
  const { settings, logger, closers, clock, log, onTrouble } = base;
  const told = { clock, onTrouble: onTrouble("warehouse"), leavesRetention: options.leavesRetention };
  const loads = does(base, "load") && settings.ANALYTICS;
  const warehouse = loads ? closers.add("warehouse", await openWarehouse(settings, told)) : undefined;
  const running: { readonly finished: Promise<unknown> }[] = runConsumers(base, { warehouse, ...options });
  const database = does(base, "deliver") ? await openConfigDatabase(base) : undefined;
  if (database !== undefined) {
    const { snapshot } = await openConfig(base, database);
    const parts = { ...base, database, snapshot };
    running.push(openDeliverer(parts, createConfigChanges(parts)));
  }
  const health = { ...storeChecks({ log, warehouse, database }, settings), stopping: closers.closing };
  const metricsFront = createMetricsFront(base);
  const app = createWorkerApp({ logger, health, metrics: metricsFront.besideAll });
  return {
    async listen() {
      await metricsFront.listen();
      return closers.add("HTTP server", await serve(app, settings)).url;
    },
    failure: firstFailure(running),
    stop: closers.close,
  };
}
