import { startPlatform } from "../compose.ts";
import { helpText, readSettings } from "../settings.ts";
import { runCommand } from "./command.ts";
import { createStopSignal, untilStopped } from "./stop-signal.ts";

await runCommand({
  options: {},
  help: () => helpText("npm start\n\nRuns the platform until it is stopped."),
  async run() {
    const stop = createStopSignal();
    const platform = await startPlatform(readSettings(process.env));
    try {
      console.log(`Trunkline serves ${await platform.listen()}`);
      await untilStopped(stop, platform);
    } finally {
      await platform.stop();
    }
  },
});
