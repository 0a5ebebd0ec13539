import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { queryDuckdb } from "../duckdb/query.ts";
import { type PublicTable, publicColumns } from "../public-tables.ts";
import { defaultMaxRows, type QueryResult, WarehouseError } from "../warehouse.ts";
import { checkTree } from "./check-duckdb.ts";
import { checkExpansion } from "./check-expansion-duckdb.ts";
import { checkGrowth } from "./check-growth-duckdb.ts";
import { defaultMaxBytes, fenced, type GuardedQuery, maxTextLength, withoutEnd } from "./guarded.ts";
import { oneSelect, refuse, toNodes } from "./tree.ts";

/** An instance that only parses and plans; it holds no rows. */
const planningMemory = "256MB";
/** The database of the rows, whatever its file is called. */
const database = "warehouse";

const maxComments = 100;

/** Used more than once, a table would be copied whole for the query, not read. */
const readInPlace = "NOT MATERIALIZED ";

/** Resource limits of a text: memory, of which the engine accounts for a part, and disk. */
export interface SqlLimits {
  readonly memoryBytes: number;
  readonly diskBytes: number;
}

export interface RowsGiven {
  /** A warehouse's file, or a copy of one. */
  readonly path: string;
  /** The engine's folder for temporary files; it creates and keeps it. */
  readonly temporaryFolder: string;
  readonly limits: SqlLimits;
}

/** An instance that reads a warehouse's file and reaches nothing else: its own database, where names are looked up, is empty. */
export async function openReadOnly({ path, temporaryFolder, limits }: RowsGiven): Promise<DuckDBInstance> {
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
    memory_limit: `${Math.floor(limits.memoryBytes / 2)}B`,
    max_temp_directory_size: `${limits.diskBytes}B`,
    temp_directory: temporaryFolder,
  });
  const connection = await instance.connect();
  try {
    await connection.run(`ATTACH '${path.replaceAll("'", "''")}' AS ${database} (READ_ONLY)`);
    await connection.run("SET enable_external_access = false");
    await connection.run("SET lock_configuration = true");
    return instance;
  } catch (error) {
    instance.closeSync();
    throw error;
  } finally {
    connection.closeSync();
  }
}

/**
 * The guard on DuckDB, which has no users, in layers that stand each without the others:
 *
 * 1. `check`: the engine's own parser makes a tree of the text, and the tree is held against lists of what is allowed.
 * 2. `plan`: a second instance, which holds no table at all, must be able to plan the text over empty tables of the public
 *    columns. Whatever the text names in any way, also by SQL inside of strings, is there or is not.
 * 3. `run`: the text stands under names for the organization's own rows, on an instance that looks up all others in a
 *    database that holds nothing (`openReadOnly`), in a transaction that only reads.
 * 4. Limits of rows, bytes, length, nesting and growth; and the process that all of this runs in, which has limits of time
 *    and memory (`sql-processes.ts`).
 *
 * What only the first two layers stop is a name with its database before it.
 */
export async function openDuckdbGuard(instance: DuckDBInstance) {
  const planner = await openPlanner(await readTypes(instance));

  function run(query: GuardedQuery, stop: AbortSignal): Promise<QueryResult> {
    const { orgId, text, maxRows = defaultMaxRows, maxBytes = defaultMaxBytes } = query;
    return queryDuckdb(instance, {
      maxRows,
      maxBytes,
      stop,
      values: [orgId],
      before: ["BEGIN TRANSACTION READ ONLY"],
      text: fenced(withoutEnd(text), (table) => `${database}.main."${table}" WHERE org_id = $1`, readInPlace),
    });
  }

  return {
    check: planner.check,
    plan: planner.plan,
    run,
    /** All layers; `onPlanned` is called between planning and running. */
    async select(
      query: GuardedQuery,
      stop: AbortSignal,
      onPlanned: () => void = () => undefined,
    ): Promise<QueryResult> {
      await planner.check(query.text);
      await planner.plan(query.text);
      onPlanned();
      return run(query, stop).catch((error: unknown) => {
        throw stop.aborted ? error : toRefusal(error);
      });
    },
    close: planner.close,
  };
}

type Types = ReadonlyMap<string, string>;
const keyOf = (table: string, column: string): string => `${table}.${column}`;

async function readTypes(instance: DuckDBInstance): Promise<Types> {
  const connection = await instance.connect();
  try {
    const found = await connection.runAndReadAll(
      `SELECT table_name, column_name, data_type FROM information_schema.columns
       WHERE table_catalog = '${database}' AND table_schema = 'main'`,
    );
    return new Map(
      found.getRows().map(([table, column, type]) => [keyOf(String(table), String(column)), String(type)] as const),
    );
  } finally {
    connection.closeSync();
  }
}

async function openPlanner(types: Types) {
  const instance = await DuckDBInstance.create(":memory:", {
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    threads: "1",
    allow_community_extensions: "false",
    enable_external_access: "false",
    memory_limit: planningMemory,
    lock_configuration: "true",
    max_temp_directory_size: "0B",
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
  // The parser takes time by the square of how deep comments stand in comments.
  if (text.split("/*").length > maxComments) throw refuse(`The query has more than ${maxComments} comments.`);
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
    checkExpansion(statement);
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

/** Converts an error of a run. Only errors about values repeat the engine's message: it is about these rows. */
function toRefusal(error: unknown): unknown {
  const message = error instanceof Error ? error.message : "";
  if (error instanceof WarehouseError) return error;
  if (/^Out of Memory Error/.test(message)) return tooMuchMemory(error);
  if (/^(Conversion|Out of Range) Error/.test(message)) {
    return refuse(`The query cannot run: ${toSentence(error)}`, { cause: error, mentionsRowValues: true });
  }
  if (/^(IO|Internal|FATAL) Error/i.test(message)) return error;
  return refuse("The query cannot run as it is. Make it simpler.", { cause: error });
}
