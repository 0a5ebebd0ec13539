import { systemClock } from "../../ingest/clock.ts";
import { toE164 } from "../../ingest/phone-number.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Actor } from "../config/audit.ts";
import { findNumber, moveNumber } from "../config/move-number.ts";
import { createConfigStore } from "../config/store.ts";
import type { Database } from "../database/database.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand } from "./command.ts";
import { describeOrganization, findOrganization, openConfigDatabase } from "./config-database.ts";
import { helpText } from "./help.ts";

const usage = `npm run numbers -- show NUMBER
npm run numbers -- move NUMBER --to ORG

Tells whose a phone number is, and gives it to another organization. A number is one organization's
of an installation: whoever else adds it is refused, without being told whose it is. In the embedded
mode the platform must not be running. NUMBER is in E.164, such as +18005550100.

  show NUMBER      the organization that has the number, and those that list it without having it
  move NUMBER      the number's next call is that of the organization --to. Whoever had it keeps its
                   row, which takes no calls any more, and leaves its number pool
    --to ORG       an organization's id or name`;

/** Who has the machine needs no key: the audit log knows them by the command. */
const actorFor = (orgId: OrgId): Actor => ({
  caller: { orgId, actor: { type: "system", id: "numbers", name: "npm run numbers" }, admin: true },
  requestId: null,
  sourceIp: null,
});

interface Rig {
  readonly database: Database;
  readonly e164: string;
}

async function describeRows({ database, e164 }: Rig): Promise<string> {
  const config = createConfigStore(database, systemClock);
  const organizations = new Map((await config.organizations()).map((each) => [each.id, each]));
  const rows = await findNumber(database, e164);
  if (rows.length === 0) return `No organization has ${e164}.`;
  return rows
    .map(({ orgId, isHeld }) => {
      const organization = organizations.get(orgId);
      const who = organization === undefined ? orgId : describeOrganization(organization);
      return isHeld ? `${e164} is of ${who}.` : `${who} lists it and does not have it.`;
    })
    .join("\n");
}

async function move({ database, e164 }: Rig, to: string): Promise<string> {
  const config = createConfigStore(database, systemClock);
  const organization = await findOrganization(config, to);
  const moved = await moveNumber(database, { e164, to: organization.id, now: systemClock.now(), actorFor });
  switch (moved.kind) {
    case "there_already":
      return `${e164} is of ${describeOrganization(organization)} already.`;
    case "unknown":
      throw new Error(`No organization has ${e164}: add it at /api/v1/numbers with a key of ${organization.name}.`);
    case "moved": {
      const from = moved.from === null ? "" : `, and was of ${moved.from}`;
      return `${e164} is of ${describeOrganization(organization)} now${from}. Put it into a campaign there.`;
    }
  }
}

await runCommand({
  options: { to: { type: "string" } },
  help: () => helpText({ usage, reads: ["config"] }),
  async run({ values: { to }, positionals }) {
    const [action = "", given = "", ...more] = positionals;
    if (action !== "show" && action !== "move") throw new Error("Say what to do: show or move. See --help.");
    const e164 = given.startsWith("+") ? toE164(given) : null;
    if (e164 === null) throw new Error(`"${given}" is no phone number in E.164, such as +18005550100.`);
    if (more.length > 0 || (action === "show" && to !== undefined))
      throw new Error(`${action} does not take that much. See --help.`);
    if (action === "move" && !to) throw new Error("Say whose it shall be: --to with an organization's id or name.");
    const database = await openConfigDatabase(readSettings(process.env), {
      mayCreate: false,
      whileRunning: "If that is the platform, stop it first.",
    });
    try {
      const rig = { database, e164 };
      console.log(action === "show" ? await describeRows(rig) : await move(rig, to ?? ""));
    } finally {
      await database.close();
    }
  },
});
