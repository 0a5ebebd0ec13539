import { runCommand } from "./command.ts";
import { helpText } from "./help.ts";
import { runService } from "./service.ts";

const usage = `npm start

Runs the platform, or with ROLES a part of it, until it is stopped: SIGTERM and Ctrl+C finish what
is in hand. What it has to say is JSON on standard error, a line each. It exits with 0 when it was
stopped, with 1 when it could not start or go on. The first key of an empty DATA_DIR comes from
npm run keys.`;

await runCommand({
  options: {},
  help: () => helpText({ usage, reads: ["service"] }),
  run: () =>
    runService(async (settings, options) => {
      // Only now: what loading it may warn of is logged, too.
      const { startPlatform, startWorker } = await import("../compose.ts");
      return (settings.ROLES.includes("api") ? startPlatform : startWorker)(settings, options);
    }),
});
