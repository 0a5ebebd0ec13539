import { join } from "node:path";
import type { Logger } from "pino";
import { systemClock } from "../../ingest/clock.ts";
import { type Platform, startPlatform } from "../compose.ts";
import { backfill, daysOfHistory } from "../demo/backfill.ts";
import { type DemoOrganization, demoOrganizations } from "../demo/documents.ts";
import {
  type DemoFile,
  type Installed,
  install,
  moveReceiver,
  openHistoryState,
  writeDemoFile,
} from "../demo/installation.ts";
import { type LiveTraffic, liveRate, startLive } from "../demo/live.ts";
import { createRandom } from "../demo/random.ts";
import { openReceiverAt } from "../demo/receiver.ts";
import { openLogger } from "../logging/logger.ts";
import { readSettings, type Settings } from "../settings/settings.ts";
import { runCommand } from "./command.ts";
import { createProgress } from "./progress.ts";
import { createStopSignal, untilStopped } from "./stop-signal.ts";

const usage = `npm run demo

Runs the platform on this machine with 90 days of history of two invented organizations and with
live simulated calls. Everything is kept in DATA_DIR: stop it and start it again, or delete the
folder for a new demo.`;

await runCommand({
  usage,
  reads: ["demo"],
  also: ["HOST", "PORT", "DATA_DIR", "WAREHOUSE_RETENTION_DAYS"],
  exits: true,
  async run() {
    const stop = createStopSignal();
    const settings = readSettings({
      ALLOW_PRIVATE_DESTINATIONS: "true",
      LOG_LEVEL: "warn",
      API_RATE_LIMIT_PER_MIN: "6000",
      ...process.env,
    });
    const { logger, close } = openLogger(settings.LOG_LEVEL);
    const { DATA_DIR, DEMO_SEED: seed, DEMO_CALLS: calls } = settings;
    const history = openHistoryState(DATA_DIR, { seed, calls, now: Date.now() });
    const receiver = await openReceiverAt(history.state().receiver_url);
    // Before any config names it: whoever is stopped meanwhile knows where it was.
    if (history.state().receiver_url === undefined) history.receiverIsAt(receiver.url);
    try {
      const platform = await startPlatform(settings, { logger, stop, warehouseThread: true });
      try {
        await runDemo(settings, { platform, history, receiverUrl: receiver.url, logger, stop });
      } finally {
        await platform.stop();
      }
    } catch (error) {
      if (error !== stop.reason) throw error;
    } finally {
      await receiver.close();
      close();
    }
  },
});

interface Demo {
  readonly platform: Platform;
  readonly history: ReturnType<typeof openHistoryState>;
  readonly receiverUrl: string;
  readonly logger: Logger;
  readonly stop: AbortSignal;
}

async function runDemo(settings: Settings, demo: Demo): Promise<void> {
  const { platform, history, receiverUrl, logger, stop } = demo;
  const { DATA_DIR, DEMO_CALLS, DEMO_LIVE, WAREHOUSE_RETENTION_DAYS } = settings;
  const invented = demoOrganizations({ ...history.state(), receiverUrl });
  const installed = await install(platform, invented, DATA_DIR);
  const organizations = installed.map(({ shown }) => shown);
  const session = organizations.map(({ org_id, name, access_token }) => ({ org_id, name, access_token }));
  // Before the history: a port that is taken is better known at once.
  const base_url = await platform.listen({ mode: "demo", organizations: session });
  await moveReceiver(installed, {
    baseUrl: base_url,
    from: history.state().receiver_url,
    to: receiverUrl,
    onTrouble: (error) => logger.warn({ err: error }, "the demo's receiver has moved"),
  });
  history.receiverIsAt(receiverUrl);
  if (!history.state().complete)
    await bringInHistory(platform, invented, { history, days: daysOfHistory(WAREHOUSE_RETENTION_DAYS), stop });
  if (stop.aborted) return;

  writeDemoFile(DATA_DIR, { base_url, organizations });
  const ending = new AbortController();
  const traffic = DEMO_LIVE
    ? startTraffic(base_url, installed, {
        logger,
        historyCalls: DEMO_CALLS,
        stop: AbortSignal.any([stop, ending.signal]),
      })
    : null;
  console.log(welcome(base_url, organizations, join(DATA_DIR, "demo.json")));
  try {
    await untilStopped(stop, platform);
  } finally {
    ending.abort();
    await traffic?.finished;
  }
}

async function bringInHistory(
  { log, warehouse }: Platform,
  organizations: readonly DemoOrganization[],
  { history, days, stop }: { history: ReturnType<typeof openHistoryState>; days: number; stop: AbortSignal },
): Promise<void> {
  const { calls, published_chunks } = history.state();
  console.error(`Bringing in ${days} days of history: ${calls} calls of ${organizations.length} organizations …`);
  const progress = createProgress("calls stored", calls);
  await backfill({
    log,
    warehouse,
    clock: systemClock,
    organizations,
    ...history.state(),
    days,
    signal: stop,
    publishedChunks: published_chunks,
    onPublished: history.published,
    onStored: (stored) => progress.update(stored, stored),
  });
  progress.end();
  if (!stop.aborted) history.complete();
}

function startTraffic(
  baseUrl: string,
  installed: readonly Installed[],
  { stop, logger, historyCalls }: { stop: AbortSignal; logger: Logger; historyCalls: number },
): LiveTraffic {
  return startLive({
    baseUrl,
    organizations: installed.map(({ shown, documents }) => ({
      api_key: shown.api_key,
      // Numbers of a pool are rung by who was given them, and by nobody else.
      numbers: documents.flatMap(({ type, doc }) => (type === "number" && !doc.number_pool_id ? [doc.number] : [])),
      endpoints: documents.flatMap(({ type, doc }) => (type === "inbound_rtb" ? (doc.inbound_rtb_id ?? []) : [])),
    })),
    callsPerSecond: liveRate(historyCalls),
    random: createRandom(`live/${Date.now()}`),
    clock: systemClock,
    signal: stop,
    onTrouble: (error) => logger.warn({ err: error }, "live traffic"),
  });
}

function welcome(url: string, [first]: DemoFile["organizations"], file: string): string {
  return `
Trunkline is running.

  Ask it something   ${url}
  Ask for a price    curl "${url}/inbound_rtb/${first?.inbound_rtb_id}?caller_id=2125550123"
  Webhook history    curl -H "X-API-Key: ${first?.api_key}" "${url}/api/v1/webhooks/outgoing-requests?limit=5"
  Keys and tokens    ${file}

Try: "revenue by campaign last month". Ctrl+C stops it; nothing is lost.`;
}
