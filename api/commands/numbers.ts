import { systemClock } from "../../ingest/clock.ts";
import { toE164 } from "../../ingest/phone-number.ts";
import { findNumber, moveNumber } from "../config/move-number.ts";
import { createConfigStore } from "../config/store.ts";
import type { Database } from "../database/database.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";
import { actorOf, describeOrganization, findOrganization, openConfigDatabase } from "./config-database.ts";

const usage = `npm run numbers -- show NUMBER
npm run numbers -- move NUMBER --to ORG

Shows which organization holds a phone number, and moves a number to another organization. In an
installation one organization holds a number: any other that adds it is refused, without learning
who holds it. In the embedded mode the platform must not be running. NUMBER is in E.164, such as
+18005550100.

  show NUMBER      prints the organization that holds the number, and those that list it only
  move NUMBER      routes calls to the number to the organization --to, from the next call on. The
                   row of the previous holder stays, takes no calls and leaves its number pool
    --to ORG       an organization's id or name`;

interface Lookup {
  readonly database: Database;
  readonly e164: string;
}

async function describeRows({ database, e164 }: Lookup): Promise<string> {
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

async function move({ database, e164 }: Lookup, to: string): Promise<string> {
  const config = createConfigStore(database, systemClock);
  const organization = await findOrganization(config, to);
  const moved = await moveNumber(database, {
    e164,
    to: organization.id,
    now: systemClock.now(),
    actorFor: (orgId) => actorOf("numbers", orgId),
  });
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
  usage,
  reads: ["config"],
  async run({ values: { to }, positionals }) {
    const [action = "", given = "", ...more] = positionals;
    if (action !== "show" && action !== "move") throw new UsageError("Give an action: show or move. See --help.");
    const e164 = given.startsWith("+") ? toE164(given) : null;
    if (e164 === null) throw new UsageError(`"${given}" is not a phone number in E.164, such as +18005550100.`);
    if (more.length > 0 || (action === "show" && to !== undefined))
      throw new UsageError(`${action} takes fewer arguments. See --help.`);
    if (action === "move" && !to) throw new UsageError("--to is missing: give an organization's id or name.");
    const database = await openConfigDatabase(readSettings(process.env), {
      mayCreate: false,
      whileRunning: "If that is the platform, stop it first.",
    });
    try {
      const lookup = { database, e164 };
      console.log(action === "show" ? await describeRows(lookup) : await move(lookup, to ?? ""));
    } finally {
      await database.close();
    }
  },
});
