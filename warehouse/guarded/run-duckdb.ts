import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { queryDuckdb } from "../duckdb/query.ts";
import { type PublicTable, publicColumns } from "../public-tables.ts";
import { defaultMaxRows, type QueryResult, WarehouseError } from "../warehouse.ts";
import { checkTree } from "./check-duckdb.ts";
import { checkGrowth } from "./growth-duckdb.ts";
import { defaultMaxBytes, fenced, type GuardedQuery, maxGuardedAtOnce, maxTextLength, withoutEnd } from "./guarded.ts";
import { watchMemory } from "./memory-duckdb.ts";
import { oneSelect, refuse, toNodes } from "./tree.ts";
import { createFairTurns } from "./turns.ts";

/** An instance that only parses and plans; it holds no rows. */
const planningMemory = "256MB";
/** The database in which the text's names are looked up, after the names around it: it holds nothing. */
const emptyDatabase = "no_tables";

/** Used more than once, a table would be copied whole for the query, not read. */
const readInPlace = "NOT MATERIALIZED ";

export interface DuckdbGuardOptions {
  /** What a text may hold beside what the engine can put on disk. */
  readonly maxHeldBytes?: number;
}

/**
 * The guard on DuckDB, which has no users, in layers that stand each without the others:
 *
 * 1. `check`: the engine's own parser makes a tree of the text, and the tree is held against lists of what is allowed.
 * 2. `plan`: a second instance, which holds no table at all, must be able to plan the text over empty tables of the public
 *    columns. Whatever the text names in any way, also by SQL inside of strings, is there or is not.
 * 3. `run`: the text stands under names for the organization's own rows, on a connection that looks up all others in a
 *    database that holds nothing, in a transaction that only reads.
 * 4. Limits of time, rows, bytes, memory, length, nesting, growth and how many run at once.
 *
 * The rows are read on the instance that holds them: opening the same file a second time in one process is not safe
 * (the engine locks it against other processes only), and a copy would be behind. What only the first two layers stop
 * is a name with its database before it.
 */
export async function openDuckdbGuard(instance: DuckDBInstance, { maxHeldBytes }: DuckdbGuardOptions = {}) {
  const rows = await describeRows(instance);
  const planner = await openPlanner(rows.types);
  const turns = createFairTurns(maxGuardedAtOnce);

  async function run(query: GuardedQuery, stopped: AbortSignal): Promise<QueryResult> {
    const memory = await watchMemory(instance, maxHeldBytes);
    const stop = AbortSignal.any([stopped, memory.signal]);
    return runUntil(query, stop)
      .catch((error: unknown) => {
        throw memory.signal.aborted ? tooMuchMemory(error) : error;
      })
      .finally(memory.end);
  }

  function runUntil(query: GuardedQuery, stop: AbortSignal): Promise<QueryResult> {
    const { orgId, text, maxRows = defaultMaxRows, maxBytes = defaultMaxBytes } = query;
    return queryDuckdb(instance, {
      ...{ maxRows, maxBytes, stop, values: [orgId] },
      before: [`USE ${emptyDatabase}`, "BEGIN TRANSACTION READ ONLY"],
      text: fenced(withoutEnd(text), (table) => `${rows.database}.main."${table}" WHERE org_id = $1`, readInPlace),
    });
  }

  return {
    check: planner.check,
    plan: planner.plan,
    run,
    select: (query: GuardedQuery, stop: AbortSignal): Promise<QueryResult> =>
      turns(query.orgId, stop, async () => {
        await planner.check(query.text);
        await planner.plan(query.text);
        return run(query, stop).catch((error: unknown) => {
          throw stop.aborted ? error : toRefusal(error);
        });
      }),
    close: planner.close,
  };
}

type Types = ReadonlyMap<string, string>;
const keyOf = (table: string, column: string): string => `${table}.${column}`;

/** What the instance's database is called, and the types of its columns. */
async function describeRows(instance: DuckDBInstance) {
  const connection = await instance.connect();
  try {
    const named = await connection.runAndReadAll("SELECT current_database()");
    const database = `"${String(named.getRows()[0]?.[0]).replaceAll('"', '""')}"`;
    const found = await connection.runAndReadAll(
      `SELECT table_name, column_name, data_type FROM information_schema.columns
       WHERE table_catalog = current_database() AND table_schema = 'main'`,
    );
    const types = found.getRows().map(([table, column, type]) => [keyOf(String(table), String(column)), String(type)]);
    await connection.run(`ATTACH ':memory:' AS ${emptyDatabase}`);
    return { database, types: new Map(types as [string, string][]) };
  } finally {
    connection.closeSync();
  }
}

async function openPlanner(types: Types) {
  const instance = await DuckDBInstance.create(":memory:", {
    ...{ autoinstall_known_extensions: "false", autoload_known_extensions: "false", threads: "1" },
    ...{ allow_community_extensions: "false", enable_external_access: "false", memory_limit: planningMemory },
    ...{ lock_configuration: "true", max_temp_directory_size: "0B" },
  });
  const connection = await instance.connect();
  const emptyRows = (table: PublicTable): string => {
    const columns = publicColumns[table].map((name) => `CAST(NULL AS ${types.get(keyOf(table, name))}) AS "${name}"`);
    return `(SELECT ${columns.join(", ")} LIMIT 0)`;
  };
  return {
    /** Layer 1. */
    check: (text: string): Promise<void> => check(connection, text),
    /** Layer 2. */
    async plan(text: string): Promise<void> {
      try {
        const prepared = await connection.prepare(fenced(withoutEnd(text), emptyRows));
        prepared.destroySync();
      } catch (error) {
        throw refuse(`The query cannot run: ${toSentence(error)}`, { cause: error });
      }
    },
    close(): void {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function check(connection: DuckDBConnection, text: string): Promise<void> {
  if (text.length > maxTextLength) throw refuse(`The query is longer than ${maxTextLength} characters. Shorten it.`);
  const serialize = "SELECT json_serialize_sql($1::VARCHAR, skip_null := true, skip_empty := true)";
  const serialized = await connection.runAndReadAll(serialize, [text]);
  const [root] = toNodes(parse(String(serialized.getRows()[0]?.[0])));
  if (root === undefined || root["error"] !== false) {
    const isSyntax = root?.["error_type"] === "parser";
    throw refuse(isSyntax ? `The query cannot be read: ${root["error_message"]}.` : oneSelect);
  }
  const statements = toNodes(root["statements"]);
  if (statements.length !== 1) throw refuse(oneSelect);
  for (const statement of statements) {
    checkTree(statement);
    checkGrowth(statement);
  }
}

/** Numbers beyond those that there are come as words, which are no JSON. */
function parse(tree: string): unknown {
  try {
    return JSON.parse(tree);
  } catch (error) {
    throw refuse("The query has a number that is not possible here.", { cause: error });
  }
}

/** The engine's words without the kind before them and the excerpt behind. */
function toSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const [said = ""] = message.replace(/^[\w ]+ Error: /, "").split(/\n\s*\nLINE|\nLINE/);
  return said.replace(/\s+/g, " ").trim();
}

const tooMuchMemory = (cause: unknown) =>
  refuse("The query needs more memory than there is. Ask for a shorter period or fewer columns.", { cause });

/** What went wrong with the rows. Only errors about values are told in the engine's words: they speak of these rows. */
function toRefusal(error: unknown): unknown {
  const message = error instanceof Error ? error.message : "";
  if (error instanceof WarehouseError) return error;
  if (/^Out of Memory Error/.test(message)) return tooMuchMemory(error);
  if (/^(Conversion|Out of Range) Error/.test(message)) {
    return refuse(`The query cannot run: ${toSentence(error)}`, { cause: error, tellsOfRows: true });
  }
  if (/^(IO|Internal|FATAL) Error/i.test(message)) return error;
  return refuse("The query cannot run as it is. Make it simpler.", { cause: error });
}
