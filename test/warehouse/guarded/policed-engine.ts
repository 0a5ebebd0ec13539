import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Session } from "chdb";
import { createChdbConnection } from "chdb/connection";
import type { ClickhouseOptions } from "../../../sql/clickhouse.ts";
import { keyTable, toPolicies } from "../../../warehouse/guarded/policies-clickhouse.ts";
import { publicColumns } from "../../../warehouse/public-tables.ts";
import { engineFolder } from "../../chdb.ts";

type Connection = NonNullable<ClickhouseOptions["connection"]>;

export const database = "policed";
/** Views that make the engine read as another user than the one that asks. */
const views = "views";
/** The engine in process knows no custom settings; this one of its own takes any text, too. */
export const keySetting = "log_comment";
/** Who has policies; and who has the same grants, and none. */
export const users = ["guard", "stray"] as const;
export type User = (typeof users)[number];

/** What the composition of the platform's services grants to the user that runs SQL of others. */
function shippedGrants(): string {
  const composition = readFileSync(new URL("../../../compose.yaml", import.meta.url), "utf8");
  const [, grants = ""] = /<trunkline_guard>.*?<grants>(.*?)<\/grants>/s.exec(composition) ?? [];
  return grants.replaceAll("trunkline", database);
}

/** Every table with an organization in it: what the engine itself says is held against this. */
export const policedTables = [
  ...[...Object.keys(publicColumns), "call_traces"].map((table) => `stored_${table}`),
  ...["stored_past_calls", "loader_counts", keyTable],
];

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/**
 * The engine in process has no place to keep users and policies that SQL makes: here they are in a file that it reads when
 * it opens, the filters those that the platform makes policies of.
 */
function usersFile(): string {
  const filters = toPolicies({ database, tables: policedTables, setting: keySetting })
    .map(({ table, filter }) => element(table, element("filter", escaped(filter))))
    .join("\n");
  const common = "<no_password/><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>";
  const own = `${common}${element("grants", shippedGrants())}`;
  return element(
    "clickhouse",
    `<profiles><default/></profiles><quotas><default/></quotas>${element(
      "users",
      `${element("default", `${common}<access_management>1</access_management>`)}
       ${element("guard", `${own}${element("databases", element(database, filters))}`)}
       ${element("stray", own)}`,
    )}`,
  );
}

/** A view with parameters would be a function. */
const bound = (text: string, given: Readonly<Record<string, unknown>>): string =>
  text.replaceAll(/\{(\w+):(\w+)\}/g, (_, name: string, type: string) => {
    const value = String(given[name]);
    return type === "Identifier" ? `\`${value}\`` : `'${value.replaceAll(/[\\']/g, "\\$&")}'`;
  });

/** Opens the engine of this process, which must not be open yet. */
export async function openPolicedEngine() {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-users-"));
  const [users, config] = [join(folder, "users.xml"), join(folder, "config.xml")];
  writeFileSync(users, usersFile());
  const directories = element("user_directories", element("users_xml", element("path", users)));
  writeFileSync(config, element("clickhouse", directories));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const session = new Session(engineFolder(), { connectionArgs: [`--config-file=${config}`] });
  for (const name of [database, views]) session.query(`CREATE DATABASE ${name}`);
  let made = 0;

  const connect = () => createChdbConnection({ path: engineFolder() }) as unknown as Connection;

  /** A connection whose statements about the tables run as that user, grants, policies and all. */
  function connectAs(user: User): Connection {
    const inner = connect();
    const query: Connection["query"] = async (params) => {
      const { query_params = {}, ...others } = params;
      const [, text = "", format = ""] = /^(.*?)(\s*FORMAT \w+)?$/s.exec(bound(params.query, query_params)) ?? [];
      if (!text.includes(database)) return inner.query(params);
      made += 1;
      const view = `${views}.q${made}`;
      await inner.command({
        ...others,
        query: `CREATE VIEW ${view} DEFINER = ${user} SQL SECURITY DEFINER AS ${text}`,
      });
      return inner.query({ ...others, query: `SELECT * FROM ${view}${format}` });
    };
    return new Proxy(inner, {
      get: (target, name) => {
        if (name === "query") return query;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
  }
  return { connect, connectAs, close: () => session.close() };
}
