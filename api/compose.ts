import { createAssistant } from "../assistant/assistant.ts";
import { createSqlRunner } from "../assistant/sql/runner.ts";
import { type Clock, systemClock } from "../ingest/clock.ts";
import type { EventLog } from "../ingest/log/log.ts";
import { UnreadableError } from "../ingest/unreadable.ts";
import { createLoadingLag } from "../warehouse/loading-lag.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import { dialectsOf, openDatabase, openModelParts, openWarehouse, openWarehouseThread } from "./adapters.ts";
import { createWorkerApp } from "./app.ts";
import type { AppContext } from "./app-context.ts";
import { issueToken } from "./auth/access-token-operations.ts";
import { openIssuer, signInWarning, type TokenHolder, tokenVerifier } from "./auth/access-tokens.ts";
import type { ApiKeyStore } from "./config/api-keys.ts";
import { createTokenStore } from "./config/issued-tokens.ts";
import { numberWarnings } from "./config/number-warnings.ts";
import { createConfigService, openConfig, startConfigTasks } from "./config/open-config.ts";
import type { ConfigStore } from "./config/store.ts";
import { type ConsumerOptions, firstFailure, runConsumers } from "./consumers.ts";
import { openDataDir } from "./data-dir/open-data-dir.ts";
import type { Database } from "./database/database.ts";
import { createExports } from "./exports/export.ts";
import { openLogger } from "./logging/logger.ts";
import { createUnreadableRowLog } from "./logging/unreadable-rows.ts";
import { createMetrics } from "./metrics/metrics.ts";
import { createMetricsEndpoint } from "./metrics-endpoint.ts";
import { openObservedLog } from "./observed-log.ts";
import { allOperations } from "./operations.ts";
import type { ProcessContext } from "./process/context.ts";
import { createShutdown, openOrClose } from "./process/shutdown.ts";
import { readinessChecks } from "./readiness.ts";
import { startSessionSweep } from "./reporting/conversations/session-rows.ts";
import { createUsageRecorder, listGreatest, monthOf } from "./reporting/conversations/usage-rows.ts";
import { openAdjuster } from "./reporting/payout-adjustments/adjuster.ts";
import { openSchedules } from "./reporting/schedules/open-schedules.ts";
import { openRequestListener } from "./request-listener.ts";
import { compileConditions, openRouting } from "./routing/open-routing.ts";
import { retentionWarnings } from "./routing/retention-warnings.ts";
import { serve } from "./serve/http-server.ts";
import { type PageSession, signInOf } from "./serve/page-routes.ts";
import { modelPrices } from "./settings/assistant.ts";
import type { Settings } from "./settings/settings.ts";
import { openCallStore, openTelephony } from "./telephony/open-telephony.ts";
import { openTracing } from "./tracing/open-tracing.ts";
import { tracePlanner, traceQueries } from "./tracing/trace-queries.ts";
import { openDeliverer, openDeliveryParts, openWebhooks } from "./webhooks/open-webhooks.ts";

/** One process of an installation, running. */
export interface Process {
  /** Starts to serve and returns the base address. */
  listen(session?: PageSession): Promise<string>;
  /** Resolves with the error of a part that has failed for good. */
  readonly failure: Promise<unknown>;
  /** Finishes the work in progress, makes it durable and closes everything; may be called twice. */
  stop(): Promise<void>;
}

/** A process that serves the API: alone, with all roles, it is a whole installation. */
export interface Platform extends Process {
  readonly log: EventLog;
  readonly warehouse: Warehouse;
  readonly config: ConfigStore;
  readonly apiKeys: ApiKeyStore;
  /** Issues an access token; null if tokens come from an identity provider. */
  readonly issueToken: ((holder: TokenHolder, seconds: number) => Promise<string>) | null;
  /** Resolves when every earlier change of config and keys is in effect. */
  settled(): Promise<void>;
}

export interface PlatformOptions extends ConsumerOptions {
  readonly clock?: Clock;
  readonly logger?: ProcessContext["logger"];
  /** Wraps the log that every part gets, such as to observe what they read. */
  through?(log: EventLog): EventLog;
  /** Opens an embedded warehouse in a thread of its own, which goes by the system's clock. */
  readonly warehouseThread?: boolean;
  /** Keeps the warehouse's retention if the settings name none. */
  readonly leavesRetention?: boolean;
  /** Serves what reads alone: every change is refused, and nothing is taken from the log. */
  readonly readOnly?: boolean;
  /** Aborts the start: everything that is open is closed, and the signal's reason is thrown. */
  readonly stop?: AbortSignal;
}

/** Opens the stores that the settings name, wires every part to them and starts the workers of its roles. */
export const startPlatform = (settings: Settings, options: PlatformOptions = {}): Promise<Platform> =>
  start(settings, options, openPlatform);

/** Adds up what the language model takes, and has the metrics by organization tell it. */
function openUsageRecorder({ settings, database, clock, metrics, shutdown, onTrouble }: AppContext) {
  metrics.readOrganizations((most) => listGreatest(database, { from: monthOf(clock.now()), most }));
  const deps = { database, clock, model: settings.OPENAI_MODEL, prices: modelPrices(settings) };
  return shutdown.add("model usage", createUsageRecorder({ ...deps, onTrouble: onTrouble("assistant") }));
}

/** Starts a process without the API. */
export const startWorker = (settings: Settings, options: PlatformOptions = {}): Promise<Process> =>
  start(settings, options, openWorker);

type Open<P> = (context: ProcessContext, options: PlatformOptions) => Promise<P>;

async function start<P>(settings: Settings, options: PlatformOptions, open: Open<P>): Promise<P> {
  const { clock = systemClock, logger = openLogger(settings.LOG_LEVEL).logger } = options;
  const { through = (log: EventLog) => log, stop } = options;
  const shutdown = createShutdown({ logger, clock });
  const metrics = createMetrics(clock, modelPrices(settings));
  const logUnreadableRow = createUnreadableRowLog(metrics, logger);
  const onTrouble = (part: string) => (error: unknown) =>
    error instanceof UnreadableError
      ? logUnreadableRow(part, error)
      : logger.error({ err: error, part }, "will try again");
  return openOrClose(shutdown, stop, async () => {
    const dataDir = shutdown.add("DATA_DIR", await openDataDir(settings, (text) => logger.warn(text)));
    const tracing = await openTracing(settings, { onSpans: metrics.spans, onTrouble: onTrouble("tracing") });
    if (tracing !== null) shutdown.add("tracing", tracing);
    const parts = { settings, clock, logger, shutdown, metrics, tracing, onTrouble };
    const context: ProcessContext = { ...parts, log: await openObservedLog(parts, through) };
    const process = await open(context, options);
    dataDir.opened();
    // Added last, so that it is closed first.
    shutdown.add("stores", { close: async () => dataDir.closing() });
    return process;
  });
}

const openConfigDatabase = async ({ settings, clock, shutdown, onTrouble }: ProcessContext): Promise<Database> =>
  shutdown.add("config database", await openDatabase(settings, { clock, onTrouble: onTrouble("config") }));

const hasRole = ({ settings }: ProcessContext, role: Settings["ROLES"][number]): boolean =>
  settings.ROLES.includes(role);

async function openPlatform(context: ProcessContext, options: PlatformOptions): Promise<Platform> {
  const { settings, logger, shutdown, clock, log, onTrouble } = context;
  const warehouseDeps = { clock, onTrouble: onTrouble("warehouse"), leavesRetention: options.leavesRetention };
  const thread = options.warehouseThread === true ? await openWarehouseThread(settings, warehouseDeps) : null;
  const opened = shutdown.add("warehouse", thread ?? (await openWarehouse(settings, warehouseDeps)));
  const warehouse = traceQueries(opened, context.tracing);
  const database = await openConfigDatabase(context);
  const { config, apiKeys, snapshot } = await openConfig(context, database, compileConditions);
  const dialects = dialectsOf(settings);
  const appContext: AppContext = { ...context, warehouse, dialects, database, snapshot };
  const { readOnly = false } = options;
  const consumers = readOnly ? [] : runConsumers(context, { warehouse, runLoader: thread?.runLoader, ...options });
  const changes = createConfigService(appContext);
  startConfigTasks(appContext, changes);
  startSessionSweep(appContext);
  const localIssuer = await openIssuer(settings);
  const tokens = createTokenStore(database, clock);
  const warning = signInWarning(settings);
  if (warning !== null) logger.warn(warning);
  for (const each of numberWarnings(snapshot.configs())) logger.warn(each);
  for (const each of retentionWarnings(snapshot.configs(), settings.WAREHOUSE_RETENTION_DAYS)) logger.warn(each);

  const routing = await openRouting(appContext);
  const openCalls = await openCallStore(appContext);
  const { live, pinger } = routing;
  const deliverer = hasRole(context, "deliver") ? openDeliverer(appContext, changes) : null;
  const delivery = deliverer ?? openDeliveryParts(appContext);
  const onDue = () => deliverer?.worker.wake();
  const { redeliveries, receiver } = await openWebhooks(appContext, { openCalls, live, onDue });
  const { calls, carriers } = openTelephony(appContext, { openCalls, routing, receiver });
  const { guarded } = warehouse;
  const usage = openUsageRecorder(appContext);
  const modelParts = await openModelParts(settings, {
    guarded,
    clock,
    onTrouble: onTrouble("assistant"),
    onPlanned(report) {
      context.metrics.modelAsked(report);
      usage.record(report);
    },
  });
  const loadingLag = createLoadingLag({ log, warehouse, clock });
  const assistant = createAssistant({
    warehouse,
    clock,
    ...modelParts,
    planner: tracePlanner(modelParts.planner, context.tracing),
    loadingLag,
    dialect: dialects.assistant,
  });
  let pageAddress = settings.PUBLIC_URL ?? null;
  const schedules = await openSchedules(appContext, {
    assistant,
    isReadOnly: readOnly,
    pageAddress: () => pageAddress,
  });
  const operations = allOperations({
    service: changes.service,
    calls,
    carriers,
    dryRun: { ...routing.dry, snapshot, clock, peekCallerData: receiver.peekCallerData },
    pinger,
    database,
    apiKeys,
    tokens,
    issuer: localIssuer,
    snapshot,
    warehouse,
    clock,
    dialects,
    outbox: changes.outbox,
    reports: { warehouse, dialect: dialects.report },
    exports: createExports(),
    adjuster: await openAdjuster(appContext, { openCalls, live, outbox: changes.outbox }),
    delivery: { ...delivery, redeliveries, log },
    assistant,
    schedules,
    loadingLag,
    similar: modelParts.similar,
    runSql: createSqlRunner({ guarded, clock }),
    counts: {
      snapshot,
      database,
      outbox: changes.outbox,
      clock,
      statsOf: live.statsOf,
      resets: live.resets,
      onTrouble: onTrouble("audit"),
    },
    onTrouble: onTrouble("assistant"),
  });
  const verifyToken = tokenVerifier(settings, localIssuer);
  const metricsEndpoint = createMetricsEndpoint(context);
  const listenerFor = await openRequestListener(appContext, {
    operations,
    pings: routing.pings,
    receiver,
    verifyToken,
    metricsEndpoint,
    readOnly,
  });

  return {
    log,
    warehouse,
    config,
    apiKeys,
    issueToken:
      localIssuer &&
      (async (holder, seconds) =>
        (await issueToken({ tokens, clock, issuer: localIssuer }, { ...holder, seconds })).token),
    settled: snapshot.settled,
    async listen(session = signInOf(settings)) {
      // A key that was just created works with the first request.
      await snapshot.settled();
      await metricsEndpoint.listen();
      const { url } = shutdown.add("HTTP server", await serve(listenerFor(session), settings));
      pageAddress ??= url;
      return url;
    },
    failure: firstFailure([...consumers, live, ...(deliverer === null ? [] : [deliverer])]),
    stop: shutdown.close,
  };
}

/** Opens only the stores that its roles need. */
async function openWorker(context: ProcessContext, options: PlatformOptions): Promise<Process> {
  const { settings, logger, shutdown, clock, log, onTrouble } = context;
  const warehouseDeps = { clock, onTrouble: onTrouble("warehouse"), leavesRetention: options.leavesRetention };
  const loads = hasRole(context, "load") && settings.ANALYTICS;
  const warehouse = loads ? shutdown.add("warehouse", await openWarehouse(settings, warehouseDeps)) : undefined;
  const running: { readonly finished: Promise<unknown> }[] = runConsumers(context, { warehouse, ...options });
  const database = hasRole(context, "deliver") ? await openConfigDatabase(context) : undefined;
  if (database !== undefined) {
    const { snapshot } = await openConfig(context, database);
    const configContext = { ...context, database, snapshot };
    running.push(openDeliverer(configContext, createConfigService(configContext)));
  }
  const health = { ...readinessChecks({ log, warehouse, database }, settings), stopping: shutdown.closing };
  const metricsEndpoint = createMetricsEndpoint(context);
  const app = createWorkerApp({ logger, health, metrics: metricsEndpoint.onMainPort });
  return {
    async listen() {
      await metricsEndpoint.listen();
      return shutdown.add("HTTP server", await serve(app, settings)).url;
    },
    failure: firstFailure(running),
    stop: shutdown.close,
  };
}
