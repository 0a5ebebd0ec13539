import { resolve } from "node:path";
import { importInstallation } from "../export-import/import.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";
import { createProgress } from "./progress.ts";
import { createStopSignal } from "./stop-signal.ts";

const usage = `npm run import -- --from DIR [--json]

Imports the folder of npm run export into the stores of the settings, which must not have any
organization, and compares the row counts of both sides. An interrupted import resumes when it is
run again; nothing is imported twice. All rows are kept until it ends, then those of
WAREHOUSE_RETENTION_DAYS: set it as for the service.

  --from DIR   the folder of a complete export
  --json       prints the counts as JSON

It fails when a table has not as many rows on both sides.`;

await runCommand({
  options: { from: { type: "string" }, json: { type: "boolean" } },
  usage,
  reads: ["warehouse", "config"],
  async run({ values: { from } }, output) {
    if (from === undefined) throw new UsageError("--from is missing: give a folder.");
    const settings = readSettings(process.env);
    const stop = createStopSignal();
    const progress = createProgress("messages", 1);
    try {
      const compared = await importInstallation(settings, {
        folder: resolve(from),
        signal: stop,
        onProgress: (stored, total) => progress.update(stored / total, stored),
      });
      progress.end();
      for (const { table, exported, imported } of compared) {
        const mark = exported === imported ? "" : "  DIFFERS";
        output.text(`${String(exported).padStart(12)}  ${String(imported).padStart(12)}  ${table}${mark}`);
      }
      output.json({ tables: compared });
      if (compared.some(({ exported, imported }) => exported !== imported)) process.exitCode = 1;
    } catch (error) {
      if (stop.aborted) throw new Error("Stopped before the end: run it again to go on.", { cause: error });
      throw error;
    } finally {
      progress.end();
    }
  },
});
