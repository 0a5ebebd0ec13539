import { v4 as uuidv4 } from "uuid";
import { z } from "zod";
import { systemClock } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { defaultTokenSeconds, issueToken } from "../auth/access-token-operations.ts";
import { openIssuer } from "../auth/access-tokens.ts";
import type { ApiKey } from "../config/api-keys.ts";
import { createApiKeyStore, type IssuedKey } from "../config/api-keys.ts";
import { createTokenStore, type IssuedToken, type TokenStore } from "../config/issued-tokens.ts";
import { type KeyLimits, limitFields } from "../config/key-limits.ts";
import { name } from "../config/resources/shapes.ts";
import { createConfigStore, type Organization } from "../config/store.ts";
import type { Database } from "../database/database.ts";
import { scopes, type UserRole, userRoles } from "../serve/rights.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";
import { actorOf, describeOrganization, findOrganization, openConfigDatabase } from "./config-database.ts";

const usage = `npm run keys -- create --org ORG [--new-org] [--admin] [--name NAME]
                       [--scope SCOPES] [--allow-from RANGES]
npm run keys -- list --org ORG
npm run keys -- rotate ID --org ORG [--grace SECONDS]
npm run keys -- revoke ID --org ORG
npm run keys -- token --org ORG [--user USER] [--role ROLE]
npm run keys -- tokens --org ORG [--user USER]
npm run keys -- revoke-token ID --org ORG

Creates, lists, rotates and revokes API keys, and issues, lists and revokes access tokens, without
an admin key. In the embedded mode the platform must not be running; while it runs, an admin key
does the same at /api/v1/api-keys and /api/v1/access-tokens. ORG is an organization's id or name.

  create           creates an API key and prints it, this once
    --new-org      also creates the organization ORG, the first one in an empty DATA_DIR too
    --admin        the key may create and revoke keys itself
    --name NAME    name of the key [api key]
    --scope SCOPES what the key may do, several by commas: read or write, for everything or in one
                   area, such as reports:read,config:write [everything]; the areas are config,
                   telephony, reports, webhooks, deliveries, keys and audit
    --allow-from RANGES
                   addresses that it may be used from, several by commas, such as 203.0.113.0/24
                   [any]
  list             prints the organization's keys with what they may do, without their secrets
  rotate ID        creates a key in place of another, with its rights; that one stays valid for
                   --grace seconds [86400]
  revoke ID        revokes the key at once
  token            prints an access token for the page and the reporting assistant, for 30 days
    --user USER    user of the token [analyst]
    --role ROLE    viewer (reads and asks), analyst (also saves, approves, schedules and exports) or
                   admin (may do everything) [analyst]
  tokens           prints the tokens that have not expired, newest first, without their secrets
    --user USER    only those of USER
  revoke-token ID  revokes the token at once
  --json           prints the result as JSON, with the keys as the API gives them`;

const options = {
  org: { type: "string" },
  name: { type: "string" },
  admin: { type: "boolean" },
  "new-org": { type: "boolean" },
  scope: { type: "string" },
  "allow-from": { type: "string" },
  grace: { type: "string" },
  user: { type: "string" },
  role: { type: "string" },
  json: { type: "boolean" },
} as const;

interface KeyOptions {
  readonly org: string;
  readonly name?: string | undefined;
  readonly admin?: boolean | undefined;
  readonly "new-org"?: boolean | undefined;
  readonly scope?: string | undefined;
  readonly "allow-from"?: string | undefined;
  readonly grace?: string | undefined;
  readonly user?: string | undefined;
  readonly role?: string | undefined;
  /** Id of the key or token to `rotate` or revoke. */
  readonly id: string;
}
interface Stores {
  readonly settings: Settings;
  readonly database: Database;
  readonly config: ReturnType<typeof createConfigStore>;
  readonly apiKeys: ReturnType<typeof createApiKeyStore>;
  readonly tokens: TokenStore;
}
/** The words of an action, in both forms. */
interface Result {
  readonly text: string;
  readonly json: unknown;
}
interface Action {
  readonly takes: readonly (keyof typeof options)[];
  readonly takesId?: true;
  run(stores: Stores, given: KeyOptions): Promise<Result>;
}

const daySeconds = 24 * 60 * 60;

const actions: Readonly<Record<string, Action>> = {
  create: {
    takes: ["name", "admin", "new-org", "scope", "allow-from"],
    async run({ config, apiKeys }, given) {
      const limits = toLimits(given);
      const organization = given["new-org"]
        ? await createOrganization(config, toName(given.org, "--org"))
        : await findOrganization(config, given.org);
      return shown(
        organization,
        await apiKeys.issue(organization.id, toName(given.name ?? "api key", "--name"), {
          isAdmin: given.admin === true,
          limits,
          actor: actorOf("keys", organization.id),
        }),
      );
    },
  },
  list: {
    takes: [],
    async run({ config, apiKeys }, { org }) {
      const keys = await apiKeys.list((await findOrganization(config, org)).id);
      const text = keys.length === 0 ? "The organization has no keys." : keys.map(line).join("\n");
      return { text, json: { api_keys: keys } };
    },
  },
  rotate: {
    takes: ["grace"],
    takesId: true,
    async run({ config, apiKeys }, { org, id, grace }) {
      const organization = await findOrganization(config, org);
      const issued = await apiKeys.rotate(organization.id, id, {
        graceSeconds: toGraceSeconds(grace),
        actor: actorOf("keys", organization.id),
      });
      if (issued === null) throw new Error(`${organization.name} has no key ${id} that has not been revoked.`);
      return shown(organization, issued);
    },
  },
  revoke: {
    takes: [],
    takesId: true,
    async run({ config, apiKeys }, { org, id }) {
      const organization = await findOrganization(config, org);
      const revoked = await apiKeys.revoke(organization.id, id, actorOf("keys", organization.id));
      if (revoked === null) throw new Error(`${organization.name} has no key ${id}.`);
      return { text: line(revoked), json: { api_key: revoked } };
    },
  },
  token: {
    takes: ["user", "role"],
    async run({ config, settings, tokens }, { org, user = "analyst", role = "analyst" }) {
      const { id } = await findOrganization(config, org);
      const issuer = await openIssuer(settings);
      if (issuer !== null) {
        const holder = { userId: user, orgId: id, role: toRole(role) };
        const wanted = { ...holder, seconds: defaultTokenSeconds, actor: actorOf("keys", id) };
        const issued = await issueToken({ tokens, clock: systemClock, issuer }, wanted);
        const { token, expiresAt } = issued;
        return {
          text: token,
          json: { org_id: id, id: issued.id, user_id: user, role, expires_at: expiresAt, access_token: token },
        };
      }
      throw new Error(
        "The platform takes no tokens of its own: they come from the identity provider of JWT_JWKS_URL, or HOST is no loopback address and LOCAL_ISSUER is not true.",
      );
    },
  },
  tokens: {
    takes: ["user"],
    async run({ config, tokens }, { org, user }) {
      const { id } = await findOrganization(config, org);
      const found = await tokens.list(id, user);
      const text = found.length === 0 ? "There are no such tokens." : found.map(tokenLine).join("\n");
      return { text, json: { access_tokens: found } };
    },
  },
  "revoke-token": {
    takes: [],
    takesId: true,
    async run({ config, tokens }, { org, id }) {
      const organization = await findOrganization(config, org);
      const revoked = await tokens.revoke(organization.id, id, actorOf("keys", organization.id));
      if (revoked === null) throw new Error(`${organization.name} has no token ${id} that has not expired.`);
      return { text: tokenLine(revoked), json: { access_token: revoked } };
    },
  },
};

function toName(given: string, option: string): string {
  const parsed = name.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${option} must be a name of 1 to 255 characters, not only blanks.`);
}

const limitsSchema = z.object(limitFields);
const listed = (text: string | undefined): string[] | null =>
  text === undefined ? null : text.split(",").map((each) => each.trim());

function toLimits({ scope, "allow-from": from }: KeyOptions): KeyLimits {
  const parsed = limitsSchema.safeParse({ scopes: listed(scope), allow_from: listed(from) });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw issue?.path[0] === "scopes"
    ? new UsageError(`--scope ${scope} is none: give some of ${scopes.join(", ")}.`)
    : new UsageError(`--allow-from ${from} is none: give addresses or ranges such as 203.0.113.0/24, by commas.`);
}

async function createOrganization(config: Stores["config"], name: string): Promise<Organization> {
  const known = (await config.organizations()).find((each) => each.name === name || each.id === name);
  if (known) throw new Error(`There is an organization ${describeOrganization(known)} already: leave out --new-org.`);
  const organization = { id: `org_${uuidv4()}` as OrgId, name, timezone: "UTC" };
  await config.saveOrganization(organization);
  return organization;
}

function toRole(given: string): UserRole {
  const role = userRoles.find((each) => each === given);
  if (role !== undefined) return role;
  throw new UsageError(`--role ${given} is none: give ${userRoles.join(", ")}.`);
}

function toGraceSeconds(grace: string | undefined): number {
  if (grace === undefined) return daySeconds;
  if (/^\d+$/.test(grace) && Number(grace) <= 30 * daySeconds) return Number(grace);
  throw new UsageError(`--grace ${grace} is not a number of seconds from 0 to ${30 * daySeconds}.`);
}

/** Describes in words the limits of a key, which its name does not say. */
function describeRights({ is_admin, scopes, allow_from }: ApiKey): string {
  const rights = [
    is_admin ? ["admin"] : [],
    scopes === null ? [] : [scopes.join(" ")],
    allow_from === null ? [] : [`from ${allow_from.join(" ")}`],
  ].flat();
  return rights.length === 0 ? "" : ` (${rights.join("; ")})`;
}

function shown(organization: Organization, issued: IssuedKey): Result {
  const { id, name, key } = issued;
  const text = [
    `organization  ${describeOrganization(organization)}`,
    `key           ${key}`,
    `id            ${id}`,
    `name          ${name}${describeRights(issued)}`,
    "Keep the key now: it is not shown again.",
  ].join("\n");
  return { text, json: { api_key: issued } };
}

function line(key: ApiKey): string {
  const { id, prefix, name, created_at, expires_at, revoked_at } = key;
  const state = revoked_at ? `revoked ${revoked_at}` : expires_at ? `until ${expires_at}` : "in force";
  return `${id}  ${prefix}…  ${state}  made ${created_at}  ${name}${describeRights(key)}`;
}

const tokenLine = ({ id, user, role, created_at, expires_at, revoked_at }: IssuedToken): string =>
  `${id}  ${revoked_at ? `revoked ${revoked_at}` : `until ${expires_at}`}  made ${created_at}  ${user} (${role})`;

await runCommand({
  options,
  takesArguments: true,
  usage,
  reads: ["config"],
  also: ["HOST", "JWT_JWKS_URL"],
  async run({ values, positionals }, output) {
    const [name = "", id = "", ...more] = positionals;
    const action = actions[name];
    if (action === undefined) throw new UsageError(`Give an action: ${Object.keys(actions).join(", ")}.`);
    const { org, json: _form, ...others } = values;
    if (!org) throw new UsageError(`--org is missing: give an organization's id or name.`);
    const wrong = Object.keys(others).find((each) => !action.takes.includes(each as keyof typeof options));
    if (wrong !== undefined) throw new UsageError(`${name} does not take --${wrong}.`);
    if (action.takesId && id === "") throw new UsageError(`The id is missing: ${name} ID --org ${org}.`);
    if (more.length > 0 || (id !== "" && !action.takesId)) throw new UsageError(`${name} takes fewer arguments.`);
    const settings = readSettings(process.env);
    const database = await openConfigDatabase(settings, {
      mayCreate: values["new-org"] === true,
      whileRunning: `If that is the platform, it does so itself: /api/v1/${name.includes("token") ? "access-tokens" : "api-keys"} with an admin key.`,
    });
    try {
      const stores = {
        settings,
        database,
        config: createConfigStore(database, systemClock),
        apiKeys: createApiKeyStore(database, systemClock),
        tokens: createTokenStore(database, systemClock),
      };
      const { text, json } = await action.run(stores, { org, ...others, id });
      output.text(text);
      output.json(json);
    } finally {
      await database.close();
    }
  },
});
