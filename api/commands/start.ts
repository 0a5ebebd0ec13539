import { startPlatform, startWorker } from "../compose.ts";
import { helpText, readSettings } from "../settings.ts";
import { runCommand } from "./command.ts";
import { createStopSignal, untilStopped } from "./stop-signal.ts";

await runCommand({
  options: {},
  help: () => helpText("npm start\n\nRuns the platform until it is stopped."),
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
