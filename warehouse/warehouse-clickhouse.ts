import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import pLimit from "p-limit";
import { type ClickhouseOptions, createClickhouse, prepareClickhouse } from "../sql/clickhouse.ts";
import { readColumns } from "./clickhouse/columns.ts";
import { writeComments } from "./clickhouse/comments.ts";
import { toQueryError, toStoringError } from "./clickhouse/errors.ts";
import { applyRetention, showFrom, takePast } from "./clickhouse/retention.ts";
import { readRows } from "./clickhouse/rows.ts";
import { createClickhouseStore } from "./clickhouse/store.ts";
import { toParameter, toParameterType } from "./clickhouse/values.ts";
import type { GuardedWarehouse } from "./guarded/guarded.ts";
import { openClickhouseGuard } from "./guarded/run-clickhouse.ts";
import { setUpRowPolicies } from "./guarded/set-up-row-policies-clickhouse.ts";
import { followCutoff, keepAll, type Retention } from "./retention.ts";
import { render, type SqlValue, type Statement } from "./statement.ts";
import { createTracker } from "./tracker.ts";
import { defaultMaxRows, defaultTimeoutMs, type QueryOptions, type QueryResult } from "./warehouse.ts";
import { withinTime } from "./within-time.ts";

/** More at once would only share the same disks, and hold the memory of each. */
const maxStoresAtOnce = 4;

export interface GuardUser {
  readonly username: string;
  readonly password: string;
  /** The setting that keys are in, on a server that knows no custom ones. */
  readonly keySetting?: string;
}

interface GuardOptions {
  /** The user that runs analysts' SQL on a server, in place of the tables' owner. */
  readonly guardUser?: GuardUser;
  /** Receives an error if the server does not separate organizations by itself. */
  onTrouble?(error: unknown): void;
}
interface Given extends GuardOptions {
  /** Default: every row is kept. */
  readonly retention?: Retention;
}

/**
 * The warehouse on a ClickHouse server. It is opened whether the server is there or not: the first thing that is asked of
 * it brings the schema up to date, and while the server is away everything is `unavailable`.
 */
export function openClickhouseWarehouse(options: ClickhouseOptions, given: Given = {}): GuardedWarehouse {
  const { retention = keepAll, ...guardGiven } = given;
  const client = createClickhouse(options);
  const { track, close } = createTracker(toStoringError);
  const stores = pLimit(maxStoresAtOnce);
  let opened: ReturnType<typeof open> | undefined;

  async function open() {
    await prepareClickhouse(client, "warehouse", options);
    await applyRetention(client, retention);
    await writeComments(client);
    return createClickhouseStore(client, await readColumns(client));
  }
  const prepared = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const follow = followCutoff(retention, (cutoff) => showFrom(client, cutoff));
  /** Processes that only store move the cutoff, too: calls must be added up before the engine deletes them. */
  const ready = async () => {
    const store = await prepared();
    await follow();
    return store;
  };
  const guard = createGuard(client, { options, ...guardGiven, ready });

  return {
    store: (range) => track(() => stores(async () => (await ready()).store(range))),
    position: (topic, partition) => track(async () => (await ready()).position(topic, partition)),
    takePast: (all) =>
      track(async () => {
        await ready();
        await takePast(client, all);
        await writeComments(client);
      }),
    query: (statement, options) =>
      track(() =>
        withinTime(options, async (stop) => {
          await ready();
          return query(client, statement, { ...options, stop });
        }),
      ),
    guarded: {
      engine: "ClickHouse",
      select: (query) =>
        track(() =>
          withinTime(query, async (stop) => {
            await ready();
            return (await guard.open()).select(query, stop);
          }),
        ),
    },
    close: () =>
      close(async () => {
        await guard.close();
        await client.close();
      }),
  };
}

interface GuardGiven extends GuardOptions {
  readonly options: ClickhouseOptions;
  ready(): Promise<unknown>;
}

const toldOf = ({ onTrouble }: GuardOptions) => (onTrouble === undefined ? {} : { onTrouble });

/** Opened with the first text, when the schema is there. */
function createGuard(client: ClickHouseClient, given: GuardGiven) {
  const { options, guardUser } = given;
  let opened: ReturnType<typeof open> | undefined;
  async function open() {
    await given.ready();
    const found = await client.query({ query: "SELECT currentDatabase()", format: "JSONCompactEachRow" });
    const [[database] = [""]] = await found.json<readonly [string]>();
    if (guardUser === undefined) return openClickhouseGuard({ options, database, dialect });
    const { username: user, password, keySetting: setting } = guardUser;
    const policed = { owner: client, database, user, ...(setting === undefined ? {} : { setting }), ...toldOf(given) };
    return openClickhouseGuard({
      options,
      database,
      dialect,
      reader: { username: user, password },
      setUpRowPolicies: (reader) => setUpRowPolicies({ ...policed, reader }),
    });
  }
  return {
    open() {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw toQueryError(error);
      });
      return opened;
    },
    close: async () => (await opened?.catch(() => undefined))?.close(),
  };
}

/**
 * Settings for standard SQL semantics: an empty sum is NULL, and so is a row without a match. Parts are partitioned by
 * month, and so are rows.
 */
const dialect: ClickHouseSettings = {
  aggregate_functions_null_for_empty: 1,
  join_use_nulls: 1,
  group_by_use_nulls: 1,
  cast_keep_nullable: 1,
  do_not_merge_across_partitions_select_final: 1,
  date_time_output_format: "iso",
  output_format_json_quote_64bit_integers: 0,
  output_format_json_quote_decimals: 0,
  output_format_json_quote_denormals: 0,
};
/** 2: nothing is written, and a query may bring settings; the server then ends one whose asker is gone. */
const readOnly: ClickHouseSettings = { readonly: "2", cancel_http_readonly_queries_on_client_close: 1 };

interface Asked extends QueryOptions {
  readonly stop: AbortSignal;
}

async function query(
  client: ClickHouseClient,
  statement: Statement,
  { stop, timeoutMs = defaultTimeoutMs, maxRows = defaultMaxRows }: Asked,
): Promise<QueryResult> {
  const values: SqlValue[] = [];
  const text = render(statement, (value) => `{p${values.push(value)}:${toParameterType(value)}}`);
  stop.throwIfAborted();
  try {
    const found = await client.query({
      query: text,
      query_params: Object.fromEntries(values.map((value, index) => [`p${index + 1}`, toParameter(value)])),
      format: "JSONCompactEachRowWithNamesAndTypes",
      abort_signal: stop,
      clickhouse_settings: {
        ...dialect,
        ...readOnly,
        // Its own deadline, for an asker that is lost to it; ours comes first.
        max_execution_time: Math.ceil(timeoutMs / 1000) + 1,
        // One row more than wanted shows whether there were more; the engine does not produce unread rows.
        max_result_rows: String(maxRows + 1),
        result_overflow_mode: "break",
      },
    });
    return await readRows(found, maxRows);
  } catch (error) {
    throw toQueryError(error);
  }
}
