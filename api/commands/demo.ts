import { join } from "node:path";
import { pino } from "pino";
import { systemClock } from "../../ingest/clock.ts";
import { startPlatform } from "../compose.ts";
import { backfill } from "../demo/backfill.ts";
import { install, openHistoryState, writeDemoFile } from "../demo/installation.ts";
import { startLive } from "../demo/live.ts";
import { createRandom } from "../demo/random.ts";
import { openReceiver } from "../demo/receiver.ts";
import { demoWorld } from "../demo/world.ts";
import { helpText, readSettings } from "../settings.ts";
import { runCommand } from "./command.ts";
import { createProgress } from "./progress.ts";
import { runUntilStopped } from "./run-until-stopped.ts";

const callsPerSecond = 2;

const usage = `npm run demo

Runs the platform on this machine with 90 days of history for two invented organizations and live simulated calls.
Everything is kept in DATA_DIR: stop it and start it again, or delete the folder to begin anew.`;

await runCommand({
  options: {},
  help: () => helpText(usage),
  async run() {
    const settings = readSettings({ ALLOW_PRIVATE_DESTINATIONS: "true", LOG_LEVEL: "warn", ...process.env });
    const { DATA_DIR, DEMO_SEED, DEMO_CALLS, DEMO_LIVE } = settings;
    const logger = pino({ level: settings.LOG_LEVEL }, pino.destination(2));
    const history = openHistoryState(DATA_DIR, { seed: DEMO_SEED, calls: DEMO_CALLS, now: Date.now() });
    const { seed, calls, now } = history.state;
    const platform = await startPlatform(settings, { logger });
    const receiver = await openReceiver({ port: 0 });
    const world = demoWorld({ seed, now, receiverUrl: receiver.url });
    const live = new AbortController();
    try {
      const organizations = await install(platform, world, DATA_DIR);

      const progress = createProgress("calls stored", calls);
      console.error(`Bringing in 90 days of history: ${calls} calls of ${organizations.length} organizations …`);
      await backfill({
        ...{ log: platform.log, warehouse: platform.warehouse, clock: systemClock, world, seed, calls, now },
        publishedChunks: history.state.published_chunks,
        onPublished: history.save,
        onStored: (stored) => progress.update(stored, stored),
      });
      progress.end();

      const session = organizations.map(({ org_id, name, access_token }) => ({ org_id, name, access_token }));
      const base_url = await platform.listen({ mode: "demo", organizations: session });
      writeDemoFile(DATA_DIR, { base_url, organizations });
      const traffic = DEMO_LIVE
        ? startLive({
            baseUrl: base_url,
            organizations: world.organizations.map(({ org_id, documents }) => ({
              api_key: organizations.find((each) => each.org_id === org_id)?.api_key ?? "",
              numbers: documents.flatMap(({ type, doc }) => (type === "number" ? [doc.number] : [])),
            })),
            ...{ callsPerSecond, random: createRandom(`${seed}/live/${Date.now()}`), clock: systemClock },
            signal: live.signal,
            onTrouble: (error: unknown) => logger.warn({ err: error }, "live traffic"),
          })
        : null;
      console.log(welcome(base_url, organizations, join(DATA_DIR, "demo.json")));
      await runUntilStopped(platform, async () => {
        live.abort();
        await traffic?.finished;
      });
    } finally {
      live.abort();
      await platform.stop();
      await receiver.close();
    }
  },
});

function welcome(url: string, organizations: readonly { name: string; api_key: string }[], file: string): string {
  const [first] = organizations;
  return `
Trunkline is running.

  Ask it something   ${url}
  Webhook history    curl -H "X-API-Key: ${first?.api_key}" "${url}/api/v1/webhooks/outgoing-requests?limit=5"
  Keys and tokens    ${file}

Try: "revenue by campaign last month". Ctrl+C stops it; nothing is lost.`;
}
