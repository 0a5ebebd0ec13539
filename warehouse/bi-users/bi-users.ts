import { createHash, randomBytes } from "node:crypto";
import type { ClickHouseClient } from "@clickhouse/client";
import { type ClickhouseOptions, createClickhouse } from "../../sql/clickhouse.ts";
import { writeComments } from "../clickhouse/comments.ts";
import {
  type BiUser,
  checkStatements,
  definerStatements,
  dropStatements,
  loginStatements,
  namePrefix,
  type PasswordHash,
  rotateStatement,
  toBiUser,
  viewStatements,
} from "./bi-user.ts";

export interface BiCredentials {
  readonly username: string;
  readonly password: string;
  readonly database: string;
}

export interface KnownBiUser {
  readonly org_id: string;
  readonly username: string;
  readonly database: string;
}

/** The users of BI tools on a ClickHouse server, made by the user that owns the tables. The server alone keeps them. */
export function openBiUsers(options: ClickhouseOptions & { readonly database: string }) {
  const client = createClickhouse(options);
  const source = options.database;
  const run = (query: string) => client.command({ query }).catch(explain);
  const runAll = async (statements: readonly string[]) => {
    for (const statement of statements) await run(statement);
  };

  async function list(): Promise<KnownBiUser[]> {
    const query = `SELECT d.comment AS org_id, u.name AS username, d.name AS database
      FROM system.users AS u INNER JOIN system.databases AS d ON d.name = u.name
      WHERE startsWith(u.name, {prefix:String}) ORDER BY org_id`;
    const query_params = { prefix: namePrefix(source) };
    const found = await client.query({ query, query_params, format: "JSONEachRow" }).catch(explain);
    return found.json<KnownBiUser>();
  }

  async function requireUser(orgId: string): Promise<BiUser> {
    const user = toBiUser(source, orgId);
    if ((await list()).some(({ username }) => username === user.username)) return user;
    throw new Error(`The organization ${orgId} has no user for BI tools.`);
  }

  /** Makes the views, and makes sure that they have no other organization's rows. */
  async function makeViews(user: BiUser): Promise<void> {
    await runAll(viewStatements(user));
    await describeViews(options, user);
    await requireOwnRows(client, user);
  }

  return {
    list,

    /** Makes an organization's user; its password is nowhere but in the result. */
    async create(orgId: string): Promise<BiCredentials> {
      const user = toBiUser(source, orgId);
      if ((await list()).some(({ username }) => username === user.username))
        throw new Error(
          `The organization ${orgId} has a user for BI tools already: rotate its password, or revoke it.`,
        );
      const { password, kept } = newPassword();
      try {
        await runAll(definerStatements(user, await currentUser(client), newPassword().kept));
        await makeViews(user);
        await runAll(loginStatements(user, kept));
      } catch (error) {
        for (const statement of dropStatements(user)) await client.command({ query: statement }).catch(() => undefined);
        throw error;
      }
      return { username: user.username, password, database: user.database };
    },

    /** Gives the user another password at once. */
    async rotate(orgId: string): Promise<BiCredentials> {
      const user = await requireUser(orgId);
      const { password, kept } = newPassword();
      await run(rotateStatement(user, kept));
      return { username: user.username, password, database: user.database };
    },

    /** Makes the views and policies of all users anew, with the tables and columns that this version has. */
    async refresh(): Promise<KnownBiUser[]> {
      const known = await list();
      const owner = await currentUser(client);
      for (const { org_id } of known) {
        const user = toBiUser(source, org_id);
        await runAll(definerStatements(user, owner, newPassword().kept));
        await makeViews(user);
      }
      return known;
    },

    /** Removes the user, its views and its policies. */
    async revoke(orgId: string): Promise<void> {
      await runAll(dropStatements(await requireUser(orgId)));
    },

    close: (): Promise<void> => client.close(),
  };
}
export type BiUsers = ReturnType<typeof openBiUsers>;

function newPassword(): { readonly password: string; readonly kept: PasswordHash } {
  const password = randomBytes(24).toString("base64url");
  const salt = randomBytes(16).toString("hex");
  const hash = createHash("sha256")
    .update(password + salt)
    .digest("hex");
  return { password, kept: { hash, salt } };
}

async function currentUser(client: ClickHouseClient): Promise<string> {
  const found = await client.query({ query: "SELECT currentUser() AS name", format: "JSONEachRow" });
  const [row] = await found.json<{ readonly name: string }>();
  return row?.name ?? "default";
}

/** The meaning of tables and columns, for tools that show it. */
async function describeViews({ database: _, ...options }: ClickhouseOptions, { database }: BiUser): Promise<void> {
  const client = createClickhouse({ ...options, database });
  try {
    await writeComments(client, "public");
  } finally {
    await client.close();
  }
}

/** Checks what the engine does, whoever made the policies. Throws if the views' user is shown another organization's row. */
export async function requireOwnRows(client: ClickHouseClient, user: BiUser): Promise<void> {
  const { make, read, drop } = checkStatements(user);
  await client.command({ query: make });
  try {
    const found = await client.query({ query: read, format: "JSONEachRow" });
    const open = (await found.json<{ readonly table: string }>()).map(({ table }) => table);
    if (open.length > 0)
      throw new Error(
        `ClickHouse shows ${user.definer} other organizations' rows in ${open.join(", ")}: their row policies are missing.`,
      );
  } finally {
    await client.command({ query: drop });
  }
}

const accessDenied = "497";
/** None that can be written to, or the user stands in a file already. */
const noPlace: ReadonlySet<unknown> = new Set(["514", "495"]);

/** Says what to do about a server that makes no users. */
function explain(error: unknown): never {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === accessDenied)
    throw new Error(
      `CLICKHOUSE_USERNAME may not make users: it needs access management, as compose.yaml gives it. ${messageOf(error)}`,
      { cause: error },
    );
  if (noPlace.has(code))
    throw new Error(
      `ClickHouse has no place for users that SQL makes: give it a local_directory. ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  throw error;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
