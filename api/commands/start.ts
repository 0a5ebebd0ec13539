import { startPlatform } from "../compose.ts";
import { helpText, readSettings } from "../settings.ts";
import { runCommand } from "./command.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

await runCommand({
  options: {},
  help: () => helpText("npm start\n\nRuns the platform until it is stopped."),
  async run() {
    const platform = await startPlatform(readSettings(process.env));
    const url = await platform.listen();
    console.log(`Trunkline serves ${url}`);
    await runUntilStopped(platform);
  },
});
