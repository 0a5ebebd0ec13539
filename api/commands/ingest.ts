import { createReadStream, existsSync, statSync } from "node:fs";
import { basename } from "node:path";
import { systemClock } from "../../ingest/clock.ts";
import { importSignals } from "../../ingest/import.ts";
import { openLog } from "../adapters.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand, UsageError } from "./command.ts";
import { createProgress } from "./progress.ts";

const usage = `npm run ingest -- FILE|- [--fire-webhooks] [--json]

Publishes call signals, one JSON document a line, from a file or from standard input. A line that is
not a signal is reported with its number and kept as a dead letter; the others are published. The
platform stores them at once if it runs on this log, else when it starts.

  --fire-webhooks   also delivers the webhooks that the signals name; without it, as for history,
                    none are delivered
  --json            prints the counts as JSON

It fails when a line was refused, or nothing could be read.`;

await runCommand({
  options: { "fire-webhooks": { type: "boolean" }, json: { type: "boolean" } },
  takesArguments: true,
  usage,
  reads: ["log"],
  async run({ values, positionals }, output) {
    const [file] = positionals;
    if (file === undefined || positionals.length > 1) throw new UsageError("Name one file, or - for standard input.");
    if (file !== "-" && !existsSync(file)) throw new Error(`${file} does not exist.`);
    if (file !== "-" && statSync(file).isDirectory()) throw new Error(`${file} is a folder: name a file in it.`);
    const settings = readSettings(process.env);
    const log = await openLog(settings, { clock: systemClock });
    const progress = createProgress("signals", file === "-" ? null : statSync(file).size);
    try {
      const { published, refused } = await importSignals({
        log,
        clock: systemClock,
        source: file === "-" ? "stdin" : basename(file),
        input: file === "-" ? process.stdin : createReadStream(file),
        fireWebhooks: values["fire-webhooks"] === true,
        onRefused: ({ number, error }) => progress.note(`line ${number}: ${error}`),
        onProgress: (now) => progress.update(now.bytesRead, now.published + now.refused),
      });
      progress.end();
      output.text(`${published} signals published, ${refused} lines refused.`);
      output.json({ published, refused });
      if (refused > 0) process.exitCode = 1;
    } finally {
      progress.end();
      await log.close();
    }
  },
});
