import { text as readAll } from "node:stream/consumers";
import type { ClickHouseClient, ClickHouseSettings } from "@clickhouse/client";
import { createFairQueue } from "../../ingest/concurrency/fair-queue.ts";
import { type ClickhouseOptions, createClickhouse } from "../../sql/clickhouse.ts";
import { isEngineState, toQueryError } from "../clickhouse/errors.ts";
import { readRows } from "../clickhouse/rows.ts";
import { defaultMaxRows, defaultTimeoutMs, type QueryResult, WarehouseError } from "../warehouse.ts";
import { checkLines, checkWriting, noSettings } from "./check-clickhouse.ts";
import { syntaxError, toWords } from "./error-messages-clickhouse.ts";
import { defaultMaxBytes, fenced, type GuardedQuery, maxGuardedAtOnce, maxTextLength, withoutEnd } from "./guarded.ts";
import type { Keys } from "./set-up-row-policies-clickhouse.ts";
import { oneSelect, refuse } from "./tree.ts";

export interface ClickhouseGuardOptions {
  /** The user that owns the tables. */
  readonly options: ClickhouseOptions;
  /** The user that runs the text, if it is another one. */
  readonly reader?: Pick<ClickhouseOptions, "username" | "password">;
  /** The database with the rows. */
  readonly database: string;
  /** The format of results and the semantics of queries, as for our own ones. */
  readonly dialect: ClickHouseSettings;
  /** Has the engine show that reader an organization's rows for a key alone. */
  setUpRowPolicies?(reader: ClickHouseClient): Promise<Keys>;
}

const noKeys: Keys = () => Promise.resolve({});
const notAnAggregate = "215";
/** A setting in a text that is parsed read-only. */
const readOnlySetting = "164";
const gigabyte = 1_000_000_000;
const readOnly: ClickHouseSettings = { readonly: "1", cancel_http_readonly_queries_on_client_close: 1 };

/** Resource limits of one text; and a plain UNION means UNION DISTINCT as elsewhere. */
const limits: ClickHouseSettings = {
  union_default_mode: "DISTINCT",
  max_memory_usage: String(gigabyte),
  max_temporary_data_on_disk_size_for_query: String(4 * gigabyte),
  // The hours of a century, as a series of time counts them.
  function_range_max_elements_in_block: "1000000",
  max_ast_depth: "500",
  max_ast_elements: "20000",
  max_expanded_ast_elements: "100000",
  max_subquery_depth: "50",
  max_recursive_cte_evaluation_depth: "1",
};

/** A text is parsed under the same limits as it runs. */
const parsing: ClickHouseSettings = { ...limits, ...readOnly, max_execution_time: 10 };

/**
 * The guard on ClickHouse, in layers that stand each without the others:
 *
 * 1. `check`: the engine's own parser makes a tree of the text, which is held against lists of what is allowed. First the
 *    text is parsed as a value that is bound, so that nothing in it is run however it is written.
 * 2. `run`: the text stands under names for the organization's own rows, in a database that holds nothing, where all
 *    other names are looked up.
 * 3. The query is read-only in the way that lets it change no setting and reach no other host.
 * 4. Limits of time, rows, bytes, memory, disk, length, nesting and how many run at once.
 * 5. Where a user of its own runs it, that one's grants, and row policies: the engine shows it no row but for a key.
 */
export async function openClickhouseGuard(given: ClickhouseGuardOptions) {
  const { database, dialect } = given;
  const empty = `${database}_no_tables`;
  const client = await openEmpty(given, empty);
  const keys = (await given.setUpRowPolicies?.(client).catch(closing(client))) ?? noKeys;
  const queue = createFairQueue({ limits: maxGuardedAtOnce, fairBy: "time" });

  /** In an order, standard SQL takes a name for the alias, elsewhere for the column: the engine knows one way at a time. */
  async function run(query: GuardedQuery, stop: AbortSignal): Promise<QueryResult> {
    const key = await keys(query.orgId);
    return runAs(query, stop, { ...key, prefer_column_name_to_alias: 1 }).catch((error: unknown) => {
      if (codeOf(error) !== notAnAggregate) throw error;
      return runAs(query, stop, { ...key, prefer_column_name_to_alias: 0 });
    });
  }

  async function runAs(query: GuardedQuery, stop: AbortSignal, settings: ClickHouseSettings): Promise<QueryResult> {
    const { orgId, text, maxRows = defaultMaxRows, maxBytes = defaultMaxBytes, timeoutMs = defaultTimeoutMs } = query;
    const found = await client.query({
      query: fenced(withoutEnd(text), (table) => `\`${database}\`.\`${table}\` WHERE org_id = {organization:String}`),
      query_params: { organization: orgId },
      format: "JSONCompactEachRowWithNamesAndTypes",
      abort_signal: stop,
      clickhouse_settings: {
        ...dialect,
        ...limits,
        ...readOnly,
        ...settings,
        max_execution_time: Math.ceil(timeoutMs / 1000) + 1,
        max_result_rows: String(maxRows + 1),
        result_overflow_mode: "break",
      },
    });
    return readRows(found, maxRows, maxBytes);
  }

  async function checkAndRun(query: GuardedQuery, stop: AbortSignal): Promise<QueryResult> {
    stop.throwIfAborted();
    try {
      await check(client, query.text);
      return await run(query, stop);
    } catch (error) {
      throw stop.aborted ? error : toRefusal(error, [database, empty]);
    }
  }

  return {
    check: (text: string): Promise<void> => check(client, text),
    run,
    select: (query: GuardedQuery, stop: AbortSignal): Promise<QueryResult> =>
      queue.run([query.orgId], () => checkAndRun(query, stop), { signal: stop }),
    close: () => client.close(),
  };
}

/** A client whose names are looked up in an empty database, which is made unless it is there. */
async function openEmpty({ options, reader }: ClickhouseGuardOptions, empty: string): Promise<ClickHouseClient> {
  const maker = createClickhouse(options);
  await maker.command({ query: "CREATE DATABASE IF NOT EXISTS {name:Identifier}", query_params: { name: empty } });
  await maker.close();
  return createClickhouse({ ...options, ...reader, database: empty });
}

const closing = (client: ClickHouseClient) => async (error: unknown) => {
  await client.close();
  throw error;
};

/** Layer 1. */
async function check(client: ClickHouseClient, text: string): Promise<void> {
  if (text.length > maxTextLength) throw refuse(`The query is longer than ${maxTextLength} characters. Shorten it.`);
  // Half a character or a NUL is lost on its way to the parser, which then would judge another text.
  if (/\0|\p{Surrogate}/u.test(text)) throw refuse("The query has a character that is not possible here.");
  const asked = withoutEnd(text);
  const [written] = await lines(client, "SELECT formatQuerySingleLine({asked:String})", { asked });
  if (written === undefined) throw new WarehouseError("unavailable", "The engine has parsed nothing.");
  checkWriting(written);
  checkLines(await explain(client, asked).catch(notOneSelect));
}

/**
 * The lines of the tree that the engine's parser makes of a text. The statement stands by itself: as a subquery it would be a
 * table function, which takes the grant to make temporary tables. A FORMAT at its end would be the text's own, so the
 * answer's is asked for beside it.
 */
async function explain(client: ClickHouseClient, asked: string): Promise<readonly string[]> {
  const { stream } = await client.exec({
    query: `EXPLAIN AST ${asked}\n`,
    http_headers: { "X-ClickHouse-Format": "JSONCompactEachRow" },
    clickhouse_settings: parsing,
  });
  const answered = await readAll(stream);
  return answered
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => (JSON.parse(line) as readonly [string])[0]);
}

/** A text that parses by itself, as the word SELECT may be left out there, and not behind EXPLAIN; or one with SETTINGS. */
function notOneSelect(error: unknown): never {
  const code = codeOf(error);
  if (code === readOnlySetting) throw refuse(noSettings, { cause: error });
  throw code === syntaxError ? refuse(oneSelect, { cause: error }) : error;
}

async function lines(client: ClickHouseClient, query: string, query_params: Record<string, string>) {
  const found = await client.query({
    query,
    query_params,
    format: "JSONCompactEachRow",
    clickhouse_settings: parsing,
  });
  const rows = await found.json<readonly [string]>();
  return rows.map(([line]) => line);
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** A policy's own: no text can throw it. */
const noKey = "395";
/**
 * The code of a missing grant: allowed statements need none but those of the guard's user, so an operator has left one
 * out.
 */
const accessDenied = "497";

const misgranted = (said: string): string =>
  `The user that runs analysts' SQL lacks a grant, see compose.yaml for those that CLICKHOUSE_GUARD_USERNAME needs. ClickHouse: ${said}`;

/** Converts an error of a text: with a message for its author if the text is at fault. */
function toRefusal(error: unknown, hidden: readonly string[]): unknown {
  if (error instanceof WarehouseError) return error;
  const known = toQueryError(error);
  const code = codeOf(error);
  if (code === accessDenied) return new WarehouseError("unavailable", misgranted(known.message), { cause: error });
  if (
    known.code === "query_timeout" ||
    known.code === "query_cancelled" ||
    code === noKey ||
    typeof code !== "string" ||
    !/^\d+$/.test(code) ||
    isEngineState(code)
  ) {
    return known;
  }
  return toWords({ code, message: known.message, hidden }, error);
}
