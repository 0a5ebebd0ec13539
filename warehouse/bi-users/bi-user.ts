import { createHash } from "node:crypto";
import { type Policy, toStatements } from "../guarded/row-policies-clickhouse.ts";
import { type PublicTable, publicColumns } from "../public-tables.ts";
import { storedIn } from "../tables.ts";

/**
 * A ClickHouse user for the BI tools of one organization. It may read one database, that has a view of each public table
 * and nothing else. The views run with the rights of a second user that cannot sign in, to which row policies show the
 * organization's rows alone. A view's own condition is no barrier: where the engine evaluates what a reader asks for
 * before it, `WHERE throwIf(call_id = '…')` tells of other organizations' rows. Policies come before all else.
 */
export interface BiUser {
  readonly orgId: string;
  /** The database with the platform's tables. */
  readonly source: string;
  /** The database with the user's views. */
  readonly database: string;
  readonly username: string;
  /** The user whose rights the views have. */
  readonly definer: string;
}

const hashLength = 12;

/** Returns the names of an organization's user; the organization's id may hold any character, so they have its hash. */
export function toBiUser(source: string, orgId: string): BiUser {
  const name = `${namePrefix(source)}${createHash("sha256").update(orgId).digest("hex").slice(0, hashLength)}`;
  return { orgId, source, database: name, username: name, definer: `${name}_rows` };
}

/** Returns the prefix of the names of all BI users' databases. */
export const namePrefix = (source: string): string => `${source}_bi_`;

const megabyte = 1_000_000;
const gigabyte = 1000 * megabyte;

/** Limits that no query can change; what is too large fails, as a part of an answer would pass for the whole. */
export const fixedSettings: Readonly<Record<string, number | string>> = {
  readonly: 1,
  max_execution_time: 30,
  timeout_overflow_mode: "throw",
  max_memory_usage: 2 * gigabyte,
  max_threads: 4,
  max_concurrent_queries_for_user: 10,
  max_rows_to_read: gigabyte,
  max_bytes_to_read: 50 * gigabyte,
  read_overflow_mode: "throw",
  max_result_rows: 1_000_000,
  max_result_bytes: 500 * megabyte,
  max_temporary_data_on_disk_size_for_query: 4 * gigabyte,
};

/** Settings that the drivers of BI tools send with each query: how results are written, and what comes of too many rows. */
export const changeableSettings = [
  "enable_http_compression",
  "http_zlib_compression_level",
  "http_wait_end_of_query",
  "session_timezone",
  "date_time_input_format",
  "date_time_output_format",
  "output_format_json_quote_64bit_integers",
  "result_overflow_mode",
  "async_insert",
  "log_comment",
] as const;

const quoted = (name: string): string => `\`${name.replaceAll(/[\\`]/g, "\\$&")}\``;
/** The engine takes a backslash for an escape, also in a string. */
const literal = (value: string): string => `'${value.replaceAll(/[\\']/g, "\\$&")}'`;

/** Access to a recording depends on the call: here its address only says that there is one. */
const column = (name: string): string =>
  name === "recording_url" ? "if(isNull(recording_url), NULL, 'hidden') AS recording_url" : quoted(name);

/** The tables whose rows the views have. */
export const policedTables: readonly string[] = Object.keys(publicColumns).map(storedIn);

/** The rows that the definer is shown of each table. */
export const biPolicies = ({ orgId }: BiUser): readonly Policy[] =>
  policedTables.map((table) => ({ table, filter: `org_id = ${literal(orgId)}` }));

/** The grants of the user that signs in, and of its views, as GRANT writes them. */
export const loginGrants = ({ database }: BiUser): readonly string[] => [`SELECT ON ${quoted(database)}.*`];
export const definerGrants = ({ source }: BiUser): readonly string[] =>
  [...Object.keys(publicColumns), ...policedTables, "retention"].map(
    (table) => `SELECT ON ${quoted(source)}.${quoted(table)}`,
  );

/**
 * Makes the user of the views with its policies and grants; in this order it never reads what it should not. Its password
 * is nobody's, and it may sign in from nowhere.
 */
export const definerStatements = (user: BiUser, owner: string, unknown: PasswordHash): readonly string[] => [
  `CREATE USER IF NOT EXISTS ${quoted(user.definer)} ${identified(unknown)} HOST NONE`,
  ...toStatements(biPolicies(user), { database: user.source, owner, reader: user.definer }),
  ...definerGrants(user).map((grant) => `GRANT ${grant} TO ${quoted(user.definer)}`),
];

/** Makes the database and its views, also anew. */
export const viewStatements = (user: BiUser): readonly string[] => [
  `CREATE DATABASE IF NOT EXISTS ${quoted(user.database)} COMMENT ${literal(user.orgId)}`,
  ...Object.keys(publicColumns).map((table) => viewOf(user, table as PublicTable)),
];

function viewOf({ orgId, source, database, definer }: BiUser, table: PublicTable): string {
  const columns = publicColumns[table].map(column).join(", ");
  return `CREATE OR REPLACE VIEW ${quoted(database)}.${quoted(table)} DEFINER = ${quoted(definer)} SQL SECURITY DEFINER
    AS SELECT ${columns} FROM ${quoted(source)}.${quoted(table)} WHERE org_id = ${literal(orgId)}`;
}

const checkView = "rows_of_others";

/** A view that has the names of tables of which the definer is shown another organization's rows. */
export function checkStatements({ orgId, database, source, definer }: BiUser) {
  const view = `${quoted(database)}.${quoted(checkView)}`;
  const parts = policedTables.map(
    (table) => `SELECT * FROM (SELECT ${literal(table)} AS table FROM ${quoted(source)}.${quoted(table)}
      WHERE org_id != ${literal(orgId)} LIMIT 1)`,
  );
  return {
    make: `CREATE OR REPLACE VIEW ${view} DEFINER = ${quoted(definer)} SQL SECURITY DEFINER AS ${parts.join(" UNION ALL ")}`,
    read: `SELECT DISTINCT table FROM ${view} ORDER BY table`,
    drop: `DROP VIEW IF EXISTS ${view} SYNC`,
  };
}

/** A password as the server keeps it. */
export interface PasswordHash {
  /** SHA-256 of the password and the salt behind it, in hexadecimal digits. */
  readonly hash: string;
  readonly salt: string;
}

const identified = ({ hash, salt }: PasswordHash): string =>
  `IDENTIFIED WITH sha256_hash BY ${literal(hash)} SALT ${literal(salt)}`;

/** Makes the user that signs in. */
export function loginStatements(user: BiUser, password: PasswordHash): readonly string[] {
  const fixed = Object.entries(fixedSettings).map(
    ([name, value]) => `${name} = ${typeof value === "number" ? value : literal(value)} CONST`,
  );
  const changeable = changeableSettings.map((name) => `${name} CHANGEABLE_IN_READONLY`);
  return [
    `CREATE USER ${quoted(user.username)} ${identified(password)} HOST ANY DEFAULT DATABASE ${quoted(user.database)} SETTINGS ${[...fixed, ...changeable].join(", ")}`,
    ...loginGrants(user).map((grant) => `GRANT ${grant} TO ${quoted(user.username)}`),
  ];
}

export const rotateStatement = ({ username }: BiUser, password: PasswordHash): string =>
  `ALTER USER ${quoted(username)} ${identified(password)}`;

/** Removes all of it, the sign-in first. */
export const dropStatements = (user: BiUser): readonly string[] => [
  `DROP USER IF EXISTS ${quoted(user.username)}`,
  `DROP DATABASE IF EXISTS ${quoted(user.database)} SYNC`,
  ...policedTables.map(
    (table) =>
      `DROP ROW POLICY IF EXISTS ${quoted(`organization_for_${user.definer}`)} ON ${quoted(user.source)}.${quoted(table)}`,
  ),
  `DROP USER IF EXISTS ${quoted(user.definer)}`,
];
