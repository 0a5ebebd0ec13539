import { type PublicTable, publicColumns } from "../public-tables.ts";
import type { QueryOptions, QueryResult, Warehouse } from "../warehouse.ts";

/** A SELECT written by an analyst or a model. */
export interface GuardedQuery extends QueryOptions {
  readonly orgId: string;
  readonly text: string;
  /** Reading stops before the values of a result hold more, and the result says that it was cut. Default 8 MiB. */
  readonly maxBytes?: number;
}

/**
 * Runs text that is not ours for one organization. It meets the public tables and nothing else, of each the public
 * columns and that organization's rows; it changes nothing. Two adapters: DuckDB and ClickHouse.
 */
export interface GuardedSelect {
  /** The SQL dialect of the text. */
  readonly engine: "DuckDB" | "ClickHouse";
  /**
   * Throws `WarehouseError`: `query_refused` with a message for the text's author, `query_timeout`, `query_cancelled`.
   */
  select(query: GuardedQuery): Promise<QueryResult>;
}

/** A warehouse that runs SQL of others beside ours. */
export interface GuardedWarehouse extends Warehouse {
  readonly guarded: GuardedSelect;
}

/** Longer than what people and models write; what an engine needs to plan grows faster than the text. */
export const maxTextLength = 20_000;
export const defaultMaxBytes = 8 * 1024 * 1024;
/** Texts that run at once, in all and of one organization: the engine has other work, and others have questions. */
export const maxGuardedAtOnce = [4, 2] as const;

/** Quotes a name of the analysts' tables, so that the engine does not take it for another. */
const quoted = (name: string): string => `"${name}"`;

/** Access to a recording depends on the call: here its address only says that there is one. */
const masked: Readonly<Record<string, string>> = {
  recording_url: "CASE WHEN recording_url IS NOT NULL THEN 'hidden' END",
};
const shown = (name: string): string => {
  const mask = masked[name];
  return mask === undefined ? quoted(name) : `${mask} AS ${quoted(name)}`;
};

/**
 * The text between what it may see: each public table is a name for the organization's rows, its columns listed one by
 * one. `source` says where a table's rows come from, fence included. Line breaks end a comment that the text may end in.
 */
export function fenced(text: string, source: (table: PublicTable) => string, hint = ""): string {
  const tables = Object.keys(publicColumns) as PublicTable[];
  const names = tables.map((table) => {
    const columns = publicColumns[table].map(shown).join(", ");
    return `${quoted(table)} AS ${hint}(SELECT ${columns} FROM ${source(table)})`;
  });
  return `WITH ${names.join(",\n")}\nSELECT * FROM (\n${text}\n) AS result`;
}

/** The text without the semicolon that people end a statement with. */
export const withoutEnd = (text: string): string => text.replace(/[\s;]+$/, "");
