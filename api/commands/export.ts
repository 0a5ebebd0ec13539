import { resolve } from "node:path";
import { exportInstallation } from "../export-import/export.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";
import { createProgress } from "./progress.ts";
import { createStopSignal } from "./stop-signal.ts";

const usage = `npm run export -- --to DIR [--json]

Exports config and history of a stopped installation into a folder, for npm run import. It first
finishes the accepted work with the settings of the service: it settles calls, delivers their
webhooks and stores everything. An interrupted export resumes when it is run again, unless the
platform has run in between.

Rows that WAREHOUSE_RETENTION_DAYS hides are left out, except for the totals of hidden calls;
without the setting, the last one that was set applies.

Also left out: the results of calls in progress, dead letters, and the key that signs access tokens.
The folder contains customers' secrets.

  --to DIR   the folder; empty, or of an interrupted export
  --json     prints the counts as JSON`;

const inProgress = (calls: number): string =>
  `${calls} calls had not ended: what was known of them is in the export, what their carriers report later is for nobody.`;

await runCommand({
  options: { to: { type: "string" }, json: { type: "boolean" } },
  usage,
  reads: ["log", "warehouse", "config"],
  async run({ values: { to } }, output) {
    if (to === undefined) throw new UsageError("--to is missing: give a folder.");
    const settings = readSettings(process.env);
    const stop = createStopSignal();
    const progress = createProgress("rows", 1);
    try {
      const folder = resolve(to);
      const { complete, config, history, callsInProgress } = await exportInstallation(settings, {
        folder,
        signal: stop,
        onProgress: (written, total) => progress.update(written / total, written),
      });
      progress.end();
      if (!complete) throw new Error("Stopped before the end: run it again to go on.");
      const tables = Object.entries({ ...config, ...history }).map(([table, rows]) => ({ table, rows }));
      for (const { table, rows } of tables) output.text(`${String(rows).padStart(12)}  ${table}`);
      output.json({ folder, tables, calls_in_progress: callsInProgress });
      if (callsInProgress > 0) console.error(inProgress(callsInProgress));
    } catch (error) {
      if (stop.aborted) throw new Error("Stopped before the end: run it again to go on.", { cause: error });
      throw error;
    } finally {
      progress.end();
    }
  },
});
