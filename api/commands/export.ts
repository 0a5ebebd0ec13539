import { resolve } from "node:path";
import { exportInstallation } from "../export-import/export.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand } from "./command.ts";
import { helpText } from "./help.ts";
import { createProgress } from "./progress.ts";
import { createStopSignal } from "./stop-signal.ts";

const usage = `npm run export -- --to DIR

Writes config and history of an installation that is stopped into a folder, for npm run import.
First it finishes what was accepted before the end, with the settings of the service: calls are
settled, webhooks told of them, and all is stored. Stopped itself, it goes on where it was, as long
as the platform has not run in between.

What WAREHOUSE_RETENTION_DAYS hides is not in it, but for what hidden calls add up to; where the
setting is not given, what was set last goes on to hold.

Not in it: what calls in progress come to, dead letters, and the key that signs access tokens. The
folder holds what customers keep secret.

  --to DIR   the folder; empty, or of an export that was stopped`;

const inProgress = (calls: number): string =>
  `${calls} calls had not ended: what was known of them is in the export, what their carriers report later is for nobody.`;

await runCommand({
  options: { to: { type: "string" } },
  help: () => helpText({ usage, reads: ["log", "warehouse", "config"] }),
  async run({ values: { to } }) {
    if (to === undefined) throw new Error(`Say where to: --to DIR.\n\n${usage}`);
    const settings = readSettings(process.env);
    const stop = createStopSignal();
    const progress = createProgress("rows", 1);
    try {
      const { complete, config, history, callsInProgress } = await exportInstallation(settings, {
        folder: resolve(to),
        signal: stop,
        onProgress: (written, total) => progress.update(written / total, written),
      });
      progress.end();
      if (!complete) throw new Error("Stopped before the end: run it again to go on.");
      for (const [table, rows] of Object.entries({ ...config, ...history }))
        console.log(`${String(rows).padStart(12)}  ${table}`);
      if (callsInProgress > 0) console.error(inProgress(callsInProgress));
    } catch (error) {
      if (stop.aborted) throw new Error("Stopped before the end: run it again to go on.", { cause: error });
      throw error;
    } finally {
      progress.end();
    }
  },
});
