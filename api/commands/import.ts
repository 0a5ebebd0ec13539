import { resolve } from "node:path";
import { importInstallation } from "../export-import/import.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";
import { createProgress } from "./progress.ts";
import { createStopSignal } from "./stop-signal.ts";

const usage = `npm run import -- --from DIR

Imports the folder of npm run export into the stores of the settings, which must not have any
organization, and compares the row counts of both sides. An interrupted import resumes when it is
run again; nothing is imported twice. All rows are kept until it ends, then those of
WAREHOUSE_RETENTION_DAYS: set it as for the service.

  --from DIR   the folder of a complete export

Exit code: 0 when both sides have as many rows in every table, else 1.`;

await runCommand({
  options: { from: { type: "string" } },
  usage,
  reads: ["warehouse", "config"],
  async run({ values: { from } }) {
    if (from === undefined) throw new UsageError(`--from is missing: give a folder.\n\n${usage}`);
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
        console.log(`${String(exported).padStart(12)}  ${String(imported).padStart(12)}  ${table}${mark}`);
      }
      if (compared.some(({ exported, imported }) => exported !== imported)) process.exitCode = 1;
    } catch (error) {
      if (stop.aborted) throw new Error("Stopped before the end: run it again to go on.", { cause: error });
      throw error;
    } finally {
      progress.end();
    }
  },
});
