import { join } from "node:path";
import { clickhouseDialect } from "../assistant/compile/dialect-clickhouse.ts";
import { duckdbDialect } from "../assistant/compile/dialect-duckdb.ts";
import type { Similar } from "../assistant/llm/similar.ts";
import type { ModelReport, Planner, Summarizer } from "../assistant/planning.ts";
import type { Clock } from "../ingest/clock.ts";
import type { GroupEvent } from "../ingest/log/group-event.ts";
import type { EventLog } from "../ingest/log/log.ts";
import { clickhouseReportDialect } from "../warehouse/calls/report-dialect-clickhouse.ts";
import { duckdbReportDialect } from "../warehouse/calls/report-dialect-duckdb.ts";
import type { GuardedSelect, GuardedWarehouse } from "../warehouse/guarded/guarded.ts";
import { clickhouseRtbDialect } from "../warehouse/rtb/dialect-clickhouse.ts";
import { duckdbRtbDialect } from "../warehouse/rtb/dialect-duckdb.ts";
import type { WarehouseThread } from "../warehouse/thread/warehouse-thread.ts";
import { disabledWarehouse } from "../warehouse/warehouse-disabled.ts";
import type { Dialects } from "./app-context.ts";
import { checkStore } from "./data-dir/check-data-dir.ts";
import type { Database } from "./database/database.ts";
import { clickhouseGuardUser, clickhouseOptions } from "./settings/clickhouse.ts";
import { redpandaOptions } from "./settings/redpanda.ts";
import type { Settings } from "./settings/settings.ts";

export interface StoreDeps {
  readonly clock: Clock;
  /** Receives the errors of operations that the store tries again. */
  onTrouble?(error: unknown): void;
}

export interface LogDeps extends StoreDeps {
  onGroupEvent?(event: GroupEvent): void;
}

export interface WarehouseDeps extends StoreDeps {
  /** Keeps the store's retention if the settings name none: for commands that run without the service's settings. */
  readonly leavesRetention?: boolean | undefined;
}

/** Opens the event log that the settings name. Drivers are imported only if they are needed, for a quick start. */
export async function openLog(settings: Settings, deps: LogDeps): Promise<EventLog> {
  const redpanda = await redpandaOptions(settings);
  if (redpanda !== null) {
    const { openKafkaLog } = await import("../ingest/log/log-kafka.ts");
    return openKafkaLog({ ...redpanda, ...deps });
  }
  checkStore(settings, "log/data.mdb");
  const { openLmdbLog } = await import("../ingest/log/log-lmdb.ts");
  return openLmdbLog({ dir: logDirOf(settings), clock: deps.clock });
}

/** Returns the name of the log's system in traces. */
export const logSystemOf = ({ REDPANDA_BROKERS }: Settings): string =>
  REDPANDA_BROKERS === undefined ? "lmdb" : "kafka";

/** Opens the warehouse that the settings name; a ClickHouse server need not be reachable yet. */
export async function openWarehouse(settings: Settings, given: WarehouseDeps): Promise<GuardedWarehouse> {
  if (!settings.ANALYTICS) return disabledWarehouse;
  const { leavesRetention = false, clock, ...handlers } = given;
  const unset = leavesRetention ? ("as it is" as const) : null;
  const retention = { days: settings.WAREHOUSE_RETENTION_DAYS ?? unset, clock, ...handlers };
  const clickhouse = clickhouseOptions(settings);
  if (clickhouse !== null) {
    const { openClickhouseWarehouse } = await import("../warehouse/warehouse-clickhouse.ts");
    const guardUser = clickhouseGuardUser(settings);
    const guarded = { ...handlers, ...(guardUser === undefined ? {} : { guardUser }) };
    return openClickhouseWarehouse(clickhouse, { ...guarded, retention });
  }
  checkStore(settings, warehouseFile);
  const { openDuckdbWarehouse } = await import("../warehouse/warehouse-duckdb.ts");
  return openDuckdbWarehouse({ path: join(settings.DATA_DIR, warehouseFile), retention });
}

const warehouseFile = "warehouse.duckdb";

/** Opens the warehouse in a thread of its own, if it and the log are embedded; else returns null. It goes by the system's clock. */
export async function openWarehouseThread(
  settings: Settings,
  { onTrouble }: Omit<StoreDeps, "clock">,
): Promise<WarehouseThread | null> {
  const { ANALYTICS, REDPANDA_BROKERS, CLICKHOUSE_URL, DATA_DIR, WAREHOUSE_RETENTION_DAYS } = settings;
  if (!ANALYTICS || REDPANDA_BROKERS !== undefined || CLICKHOUSE_URL !== undefined) return null;
  checkStore(settings, warehouseFile);
  const thread = await import("../warehouse/thread/warehouse-thread.ts");
  return thread.openWarehouseThread({
    path: join(DATA_DIR, warehouseFile),
    logDir: logDirOf(settings),
    retentionDays: WAREHOUSE_RETENTION_DAYS ?? null,
    ...(onTrouble && { onTrouble }),
  });
}

const logDirOf = ({ DATA_DIR }: Settings): string => join(DATA_DIR, "log");

/** Returns the SQL dialects of the engine that the settings name. */
export const dialectsOf = ({ CLICKHOUSE_URL }: Settings): Dialects =>
  CLICKHOUSE_URL === undefined
    ? { report: duckdbReportDialect, rtb: duckdbRtbDialect, assistant: duckdbDialect }
    : { report: clickhouseReportDialect, rtb: clickhouseRtbDialect, assistant: clickhouseDialect };

/** Opens the config database that the settings name. */
export async function openDatabase(settings: Settings, deps: StoreDeps): Promise<Database> {
  const { DATA_DIR, DATABASE_URL } = settings;
  if (DATABASE_URL === undefined) {
    checkStore(settings, "platform.sqlite");
    const { embeddedFile, openSqliteDatabase } = await import("./database/database-sqlite.ts");
    return openSqliteDatabase(embeddedFile(DATA_DIR));
  }
  const { openPostgresDatabase } = await import("./database/database-postgres.ts");
  return openPostgresDatabase({ url: DATABASE_URL, ...deps });
}

export interface PlannerDeps {
  readonly guarded: GuardedSelect;
  readonly clock: Clock;
  onTrouble(error: unknown): void;
  onPlanned?(report: ModelReport): void;
}

interface ModelParts {
  readonly planner: Planner;
  readonly summarizer?: Summarizer;
  readonly similar?: Similar;
}

/** Opens what understands the assistant's questions: the language model that the settings name, or the rules alone. */
export async function openModelParts(settings: Settings, deps: PlannerDeps): Promise<ModelParts> {
  const { OPENAI_API_KEY: apiKey, OPENAI_REPLY_FORMAT: format } = settings;
  if (apiKey === undefined) return { planner: (await import("../assistant/planning.ts")).offlinePlanner };
  const { openOpenAiModel } = await import("../assistant/llm/model-openai.ts");
  const { createLlmPlanner } = await import("../assistant/llm/planner-llm.ts");
  const model = openOpenAiModel({
    apiKey,
    baseUrl: settings.OPENAI_BASE_URL,
    model: settings.OPENAI_MODEL,
    temperature: settings.OPENAI_TEMPERATURE,
    maxTokens: settings.OPENAI_MAX_TOKENS,
    replyWay: format === "auto" ? undefined : format,
  });
  const sendValues = settings.ASSISTANT_SEND_VALUES;
  const given = { ...deps, model, deadlineMs: settings.ASSISTANT_DEADLINE_SECONDS * 1000 };
  const similar = await openSimilar(settings, deps);
  const planner = createLlmPlanner({ ...given, engine: deps.guarded.engine, sendValues, similar });
  const parts = { planner, ...(similar && { similar }) };
  if (!settings.ASSISTANT_SUMMARY || !sendValues) return parts;
  const { createSummarizer } = await import("../assistant/llm/summarizer.ts");
  return { ...parts, summarizer: createSummarizer(given) };
}

/** Undefined where no model of embeddings is set. */
async function openSimilar(settings: Settings, deps: PlannerDeps): Promise<Similar | undefined> {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_EMBEDDING_MODEL: model } = settings;
  if (apiKey === undefined || model === undefined) return undefined;
  const { openSimilarByEmbeddings } = await import("../assistant/llm/similar-openai.ts");
  return openSimilarByEmbeddings({ apiKey, baseUrl, model }, deps);
}
