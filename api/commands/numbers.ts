import { systemClock } from "../../ingest/clock.ts";
import { toE164 } from "../../ingest/phone-number.ts";
import { findNumber, moveNumber } from "../config/move-number.ts";
import { createConfigStore } from "../config/store.ts";
import type { Database } from "../database/database.ts";
import { readSettings } from "../settings/settings.ts";
import { type Output, runCommand, UsageError } from "./command.ts";
import { actorOf, describeOrganization, findOrganization, openConfigDatabase } from "./config-database.ts";

const usage = `npm run numbers -- show NUMBER [--json]
npm run numbers -- move NUMBER --to ORG [--json]

Shows which organization holds a phone number, and moves a number to another organization. In an
installation one organization holds a number: any other that adds it is refused, without learning
who holds it. In the embedded mode the platform must not be running. NUMBER is in E.164, such as
+18005550100.

  show NUMBER      prints the organization that holds the number, and those that list it only
  move NUMBER      routes calls to the number to the organization --to, from the next call on. The
                   row of the previous holder stays, takes no calls and leaves its number pool
    --to ORG       an organization's id or name
  --json           prints the result as JSON`;

interface Lookup {
  readonly database: Database;
  readonly e164: string;
  readonly output: Output;
}

async function show({ database, e164, output }: Lookup): Promise<void> {
  const config = createConfigStore(database, systemClock);
  const organizations = new Map((await config.organizations()).map((each) => [each.id, each]));
  const rows = await findNumber(database, e164);
  if (rows.length === 0) output.text(`No organization has ${e164}.`);
  for (const { orgId, isHeld } of rows) {
    const organization = organizations.get(orgId);
    const who = organization === undefined ? orgId : describeOrganization(organization);
    output.text(isHeld ? `${e164} is of ${who}.` : `${who} lists it and does not have it.`);
  }
  output.json({
    number: e164,
    organizations: rows.map(({ orgId, isHeld }) => ({
      org_id: orgId,
      name: organizations.get(orgId)?.name ?? null,
      is_held: isHeld,
    })),
  });
}

async function move({ database, e164, output }: Lookup, to: string): Promise<void> {
  const config = createConfigStore(database, systemClock);
  const organization = await findOrganization(config, to);
  const moved = await moveNumber(database, {
    e164,
    to: organization.id,
    now: systemClock.now(),
    actorFor: (orgId) => actorOf("numbers", orgId),
  });
  if (moved.kind === "unknown")
    throw new Error(`No organization has ${e164}: add it at /api/v1/numbers with a key of ${organization.name}.`);
  const isMoved = moved.kind === "moved";
  const from = isMoved ? moved.from : null;
  const was = from === null ? "" : `, and was of ${from}`;
  output.text(
    isMoved
      ? `${e164} is of ${describeOrganization(organization)} now${was}. Put it into a campaign there.`
      : `${e164} is of ${describeOrganization(organization)} already.`,
  );
  const { id: org_id, name } = organization;
  output.json({ number: e164, org_id, name, moved: isMoved, previous_org_id: from });
}

await runCommand({
  options: { to: { type: "string" }, json: { type: "boolean" } },
  takesArguments: true,
  usage,
  reads: ["config"],
  async run({ values: { to }, positionals }, output) {
    const [action = "", given = "", ...more] = positionals;
    if (action !== "show" && action !== "move") throw new UsageError("Give an action: show or move.");
    const e164 = given.startsWith("+") ? toE164(given) : null;
    if (e164 === null) throw new UsageError(`"${given}" is not a phone number in E.164, such as +18005550100.`);
    if (more.length > 0 || (action === "show" && to !== undefined))
      throw new UsageError(`${action} takes fewer arguments.`);
    if (action === "move" && !to) throw new UsageError("--to is missing: give an organization's id or name.");
    const database = await openConfigDatabase(readSettings(process.env), {
      mayCreate: false,
      whileRunning: "If that is the platform, stop it first.",
    });
    try {
      const lookup = { database, e164, output };
      await (action === "show" ? show(lookup) : move(lookup, to ?? ""));
    } finally {
      await database.close();
    }
  },
});
