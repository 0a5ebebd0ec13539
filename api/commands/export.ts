import { resolve } from "node:path";
import { systemClock } from "../../ingest/clock.ts";
import { exportAll } from "../moving/export.ts";
import { openDatabase, openLog, openWarehouse } from "../open-stores.ts";
import { helpText, readSettings } from "../settings.ts";
import { runCommand } from "./command.ts";
import { createProgress } from "./progress.ts";
import { createStopSignal } from "./stop-signal.ts";

const usage = `npm run export -- --to DIR

Writes config and history of an installation that is stopped into a folder, for npm run import. Stopped itself, it goes on
where it was, as long as the platform has not run in between.

Not in it: calls in progress, dead letters and what else the log has, and the key that signs access tokens. The folder holds
what customers keep secret.

  --to DIR   the folder; empty, or of an export that was stopped`;

await runCommand({
  options: { to: { type: "string" } },
  help: () => helpText(usage),
  async run({ values: { to } }) {
    if (to === undefined) throw new Error(`Say where to: --to DIR.\n\n${usage}`);
    const settings = readSettings(process.env);
    const stop = createStopSignal();
    const database = await openDatabase(settings, { clock: systemClock });
    const warehouse = await openWarehouse(settings);
    const log = await openLog(settings, { clock: systemClock });
    const progress = createProgress("rows", 1);
    try {
      const { complete, config, history } = await exportAll({
        ...{ log, warehouse, database, folder: resolve(to), signal: stop },
        onProgress: (written, total) => progress.update(written / total, written),
      });
      progress.end();
      if (!complete) throw new Error("Stopped before the end: run it again to go on.");
      for (const [table, rows] of Object.entries({ ...config, ...history }))
        console.log(`${String(rows).padStart(12)}  ${table}`);
    } finally {
      progress.end();
      await log.close();
      await warehouse.close();
      await database.close();
    }
  },
});
