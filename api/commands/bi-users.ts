import { systemClock } from "../../ingest/clock.ts";
import { type BiCredentials, type BiUsers, openBiUsers } from "../../warehouse/bi-users/bi-users.ts";
import { createConfigStore } from "../config/store.ts";
import { clickhouseOptions } from "../settings/clickhouse.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";
import { describeOrganization, findOrganization, openConfigDatabase } from "./config-database.ts";

const usage = `npm run bi-users -- create --org ORG
npm run bi-users -- list
npm run bi-users -- rotate --org ORG
npm run bi-users -- revoke --org ORG
npm run bi-users -- refresh

Makes the ClickHouse user with which an organization's BI tools read its calls and all else that
analysts may see: one database of views, read only, within limits of time, memory and rows. ORG is
an organization's id or name. The user of CLICKHOUSE_URL needs access management.

  create    makes the organization's user and prints its password, this once
  list      prints the users that there are
  rotate    gives the user another password, and prints that once; the old one ends at once
  revoke    removes the user and its views at once
  refresh   makes the views of all users anew, after an upgrade
  --json    prints the result as JSON`;

/** The words of an action, in both forms. */
interface Result {
  readonly text: string;
  readonly json: unknown;
}
interface Action {
  /** Needs the organization `--org`. */
  readonly ofOrganization: boolean;
  run(users: BiUsers, orgId: string): Promise<Result>;
}

const actions: Readonly<Record<string, Action>> = {
  create: { ofOrganization: true, run: async (users, orgId) => shown(orgId, await users.create(orgId)) },
  list: { ofOrganization: false, run: async (users) => listed(await users.list(), "There are no users for BI tools.") },
  rotate: { ofOrganization: true, run: async (users, orgId) => shown(orgId, await users.rotate(orgId)) },
  revoke: {
    ofOrganization: true,
    async run(users, orgId) {
      await users.revoke(orgId);
      return { text: "The user and its views are removed.", json: { org_id: orgId, revoked: true } };
    },
  },
  refresh: { ofOrganization: false, run: async (users) => listed(await users.refresh(), "There was nothing to do.") },
};

function shown(orgId: string, { username, password, database }: BiCredentials): Result {
  const text = [
    `username  ${username}`,
    `password  ${password}`,
    `database  ${database}`,
    "Keep the password now: it is not shown again.",
  ].join("\n");
  return { text, json: { bi_user: { org_id: orgId, username, password, database } } };
}

function listed(users: Awaited<ReturnType<BiUsers["list"]>>, none: string): Result {
  const lines = users.map(({ org_id, username }) => `${username}  of ${org_id}`);
  return { text: lines.join("\n") || none, json: { bi_users: users } };
}

async function findOrgId(settings: Settings, org: string): Promise<string> {
  const database = await openConfigDatabase(settings, {
    mayCreate: false,
    whileRunning: "If that is the platform, stop it for as long as this takes.",
  });
  try {
    const organization = await findOrganization(createConfigStore(database, systemClock), org);
    console.error(`organization ${describeOrganization(organization)}`);
    return organization.id;
  } finally {
    await database.close();
  }
}

await runCommand({
  options: { org: { type: "string" }, json: { type: "boolean" } },
  takesArguments: true,
  usage,
  reads: ["config", "warehouse"],
  async run({ values: { org }, positionals }, output) {
    const [name = "", ...more] = positionals;
    const action = actions[name];
    if (action === undefined) throw new UsageError(`Give an action: ${Object.keys(actions).join(", ")}.`);
    if (more.length > 0) throw new UsageError(`${name} takes no more arguments.`);
    if (action.ofOrganization && !org) throw new UsageError("--org is missing: give an organization's id or name.");
    if (!action.ofOrganization && org) throw new UsageError(`${name} does not take --org.`);
    const settings = readSettings(process.env);
    const options = clickhouseOptions(settings);
    if (options === null || !settings.ANALYTICS)
      throw new Error(
        "CLICKHOUSE_URL is not set: the embedded warehouse has no users. Give BI tools its fixtures: npm run fixtures -- --help.",
      );
    const orgId = org ? await findOrgId(settings, org) : "";
    const { database = "trunkline" } = options;
    const users = openBiUsers({ ...options, database });
    try {
      const { text, json } = await action.run(users, orgId);
      output.text(text);
      output.json(json);
    } finally {
      await users.close();
    }
  },
});
