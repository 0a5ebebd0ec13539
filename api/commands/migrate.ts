import { type Clock, systemClock } from "../../ingest/clock.ts";
import { sql } from "../../warehouse/statement.ts";
import { openDatabase, openLog, openWarehouse } from "../adapters.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";

const usage = `npm run migrate -- [--wait SECONDS]

Waits for the stores of the settings and migrates their schemas: creates missing topics of the event
log, and tables of the warehouse and of config. It is safe to run again, and by several processes at
once; every process also migrates its own stores when it starts. Without WAREHOUSE_RETENTION_DAYS
the retention stays as it is.

  --wait SECONDS   time to wait for stores that cannot be reached [60]`;

interface Closable {
  close(): Promise<void>;
}
const stores: Readonly<Record<string, (settings: Settings, deps: { clock: Clock }) => Promise<Closable>>> = {
  "event log": openLog,
  warehouse: openPrepared,
  config: openDatabase,
};

/** Opens the warehouse and runs a query, which creates tables that opening it did not. */
async function openPrepared(settings: Settings, deps: { clock: Clock }): Promise<Closable> {
  const warehouse = await openWarehouse(settings, { ...deps, leavesRetention: true });
  if (!settings.ANALYTICS) return warehouse;
  await warehouse.query(sql`SELECT 1 AS one`).catch(async (error: unknown) => {
    await warehouse.close();
    throw error;
  });
  return warehouse;
}

const pauseMs = 1000;

await runCommand({
  options: { wait: { type: "string", default: "60" } },
  usage,
  reads: ["log", "warehouse", "config"],
  async run({ values: { wait } }) {
    if (!/^\d{1,5}$/.test(wait)) throw new UsageError(`--wait ${wait} is no number of seconds from 0 to 99999.`);
    const settings = readSettings(process.env);
    const deadline = Date.now() + Number(wait) * 1000;
    for (const [name, open] of Object.entries(stores)) {
      const opened = await untilOpen(() => open(settings, { clock: systemClock }), { name, deadline });
      await opened.close();
      console.log(`${name}: up to date`);
    }
  },
});

async function untilOpen(
  open: () => Promise<Closable>,
  { name, deadline }: { readonly name: string; readonly deadline: number },
): Promise<Closable> {
  for (let reported = ""; ; ) {
    try {
      return await open();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (Date.now() + pauseMs > deadline) throw new Error(`${name}: ${why}`, { cause: error });
      if (why !== reported) console.error(`${name}: ${why} Waiting for it.`);
      reported = why;
    }
    await systemClock.sleep(pauseMs);
  }
}
