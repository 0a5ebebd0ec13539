import { systemClock } from "../../ingest/clock.ts";
import { toBiUser } from "../../warehouse/bi-users/bi-user.ts";
import { type BiCredentials, type BiUsers, openBiUsers } from "../../warehouse/bi-users/bi-users.ts";
import { type Change, recordChange } from "../config/audit-outbox.ts";
import { createConfigStore } from "../config/store.ts";
import { clickhouseOptions } from "../settings/clickhouse.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";
import { actorOf, describeOrganization, findOrganization, openConfigDatabase } from "./config-database.ts";

const usage = `npm run bi-users -- create --org ORG
npm run bi-users -- list
npm run bi-users -- rotate --org ORG
npm run bi-users -- revoke --org ORG
npm run bi-users -- refresh

Makes the ClickHouse user with which an organization's BI tools read its calls and all else that
analysts may see: one database of views, read only, within limits of time, memory and rows. ORG is
an organization's id or name. The user of CLICKHOUSE_URL needs access management. The organization's
audit log tells of each user that is made, given another password or removed.

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
type Recorded = Pick<Change, "action" | "changes">;
interface Action {
  /** The audit record of the organization `--org`; null for an action that changes nothing. */
  readonly recorded: Recorded | null;
  run(users: BiUsers, orgId: string): Promise<Result>;
}

const password = (old: string | null, now: string | null) => [{ field: "password", old, new: now }];

const actions: Readonly<Record<string, Action>> = {
  create: {
    recorded: { action: "create", changes: password(null, "***") },
    run: async (users, orgId) => shown(orgId, await users.create(orgId)),
  },
  list: { recorded: null, run: async (users) => listed(await users.list(), "There are no users for BI tools.") },
  rotate: {
    recorded: { action: "rotate_key", changes: password("***", "***") },
    run: async (users, orgId) => shown(orgId, await users.rotate(orgId)),
  },
  revoke: {
    recorded: { action: "delete", changes: password("***", null) },
    async run(users, orgId) {
      await users.revoke(orgId);
      return { text: "The user and its views are removed.", json: { org_id: orgId, revoked: true } };
    },
  },
  refresh: { recorded: null, run: async (users) => listed(await users.refresh(), "There was nothing to do.") },
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

interface Running {
  readonly users: BiUsers;
  /** The database of the platform's tables. */
  readonly source: string;
  readonly settings: Settings;
  readonly org: string;
}

/**
 * Runs an action of an organization, and records it in its audit log. A new password is shown once that is done: where it
 * fails, nobody has it.
 */
async function runRecorded({ recorded, run }: Action & { readonly recorded: Recorded }, running: Running) {
  const { users, source, settings, org } = running;
  const database = await openConfigDatabase(settings, {
    mayCreate: false,
    whileRunning: "If that is the platform, stop it for as long as this takes.",
  });
  try {
    const organization = await findOrganization(createConfigStore(database, systemClock), org);
    console.error(`organization ${describeOrganization(organization)}`);
    const result = await run(users, organization.id);
    const { username } = toBiUser(source, organization.id);
    const entity = { type: "bi_user", id: username, name: username };
    const actor = actorOf("bi-users", organization.id);
    await recordChange(database, actor, { ...recorded, entity, now: systemClock.now() });
    return result;
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
    const { recorded, run } = action;
    if (recorded !== null && !org) throw new UsageError("--org is missing: give an organization's id or name.");
    if (recorded === null && org) throw new UsageError(`${name} does not take --org.`);
    const settings = readSettings(process.env);
    const options = clickhouseOptions(settings);
    if (options === null || !settings.ANALYTICS)
      throw new Error(
        "CLICKHOUSE_URL is not set: the embedded warehouse has no users. Give BI tools its fixtures: npm run fixtures -- --help.",
      );
    const { database: source = "trunkline" } = options;
    const users = openBiUsers({ ...options, database: source });
    try {
      const running = { users, source, settings, org: org ?? "" };
      const { text, json } = await (recorded === null ? run(users, "") : runRecorded({ recorded, run }, running));
      output.text(text);
      output.json(json);
    } finally {
      await users.close();
    }
  },
});
