import { startPlatform, startWorker } from "../compose.ts";
import { readSettings } from "../settings/settings.ts";
import { runCommand } from "./command.ts";
import { helpText } from "./help.ts";
import { createStopSignal, untilStopped } from "./stop-signal.ts";

const usage = `npm start

Runs the platform, or with ROLES a part of it, until it is stopped: SIGTERM and Ctrl+C finish what
is in hand. The first key of an empty DATA_DIR comes from npm run keys.`;

await runCommand({
  options: {},
  help: () => helpText({ usage, reads: ["service"] }),
  async run() {
    const stop = createStopSignal();
    const settings = readSettings(process.env);
    const platform = await (settings.ROLES.includes("api") ? startPlatform : startWorker)(settings);
    try {
      console.log(`Trunkline serves ${await platform.listen()} (${settings.ROLES.join(", ")})`);
      await untilStopped(stop, platform);
    } finally {
      await platform.stop();
    }
  },
});
