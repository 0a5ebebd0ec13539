import { existsSync } from "node:fs";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Actor } from "../config/audit-outbox.ts";
import type { ConfigStore, Organization } from "../config/store.ts";
import { checkStore } from "../data-dir/check-data-dir.ts";
import type { Database } from "../database/database.ts";
import { openPostgresDatabase } from "../database/database-postgres.ts";
import { embeddedFile, openSqliteDatabase } from "../database/database-sqlite.ts";
import { allRights } from "../serve/rights.ts";
import type { Settings } from "../settings/settings.ts";

interface OpenOptions {
  /** True to create a database where there is none. */
  readonly mayCreate: boolean;
  /** Advice for the case that the platform has the database open. */
  readonly whileRunning: string;
}

/** Opens the config database of the settings, for a command that works on it alone. */
export async function openConfigDatabase(
  settings: Settings,
  { mayCreate, whileRunning }: OpenOptions,
): Promise<Database> {
  const { DATA_DIR, DATABASE_URL } = settings;
  if (DATABASE_URL !== undefined) return openPostgresDatabase({ url: DATABASE_URL });
  const file = embeddedFile(DATA_DIR);
  // A mistyped DATA_DIR must not become an empty installation.
  if (!mayCreate && !existsSync(file.path) && !existsSync(file.importFrom)) {
    throw new Error(
      `${DATA_DIR} holds no organizations yet: begin with npm run keys -- create --org NAME --new-org, or set DATA_DIR.`,
    );
  }
  checkStore(settings, "platform.sqlite");
  return openSqliteDatabase(file).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${why} ${whileRunning}`, { cause: error });
  });
}

const shownOrganizations = 20;

/** Finds an organization by its id or name; throws a sentence when there is none, or several have the name. */
export async function findOrganization(
  config: Pick<ConfigStore, "organizations">,
  nameOrId: string,
): Promise<Organization> {
  const all = await config.organizations();
  const byId = all.find(({ id }) => id === nameOrId);
  if (byId) return byId;
  const [first, second] = all.filter(({ name }) => name === nameOrId);
  if (first && second)
    throw new Error(`Several organizations are called ${nameOrId}: name one by its id, ${first.id} or ${second.id}.`);
  if (first) return first;
  const known = all.slice(0, shownOrganizations).map(describeOrganization).join(", ");
  const there = known === "" ? "is none yet: begin with npm run keys -- create --org NAME --new-org" : `are: ${known}`;
  throw new Error(`There is no organization ${nameOrId}. There ${there}.`);
}

/** The actor of changes by a command: whoever can run one needs no key, and the audit log names the command. */
export const actorOf = (command: "bi-users" | "keys" | "numbers", orgId: OrgId): Actor => ({
  caller: { orgId, actor: { type: "system", id: command, name: `npm run ${command}` }, admin: true, rights: allRights },
  requestId: null,
  sourceIp: null,
});

export const describeOrganization = ({ id, name }: Organization): string => `${name} (${id})`;
