import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished, vi } from "vitest";
import { openLmdbLog } from "../../../../ingest/log/log-lmdb.ts";
import { temporaryFolder } from "../../../temporary.ts";
import { readRecords } from "./delivery-rig.ts";

const script = fileURLToPath(new URL("deliver-process.ts", import.meta.url));
/** More takes minutes: `DELIVERIES=10000 KILLS=4` do that by hand. */
const deliveries = Number(process.env["DELIVERIES"] ?? 300);
const kills = Number(process.env["KILLS"] ?? 1);
/** Attempts that may be under way when the process dies: those of one endpoint, as first ones and as others. */
const mostUnderWay = 30;

/** Answers every seventh call with 500 for the first time; remembers what it was asked. */
async function openReceiver() {
  const seen = new Map<string, number>();
  let requests = 0;
  const server = createServer((request, response) => {
    const call = String(request.url).slice(1);
    const times = (seen.get(call) ?? 0) + 1;
    seen.set(call, times);
    requests += 1;
    request.resume();
    request.on("end", () => {
      const fails = times === 1 && Number(call.replace("call-", "")) % 7 === 0;
      setTimeout(() => response.writeHead(fails ? 500 : 200).end(), 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, seen, requests: () => requests };
}

it("kill -9 while deliveries are made loses none and repeats only what was under way", {
  timeout: 600_000,
}, async () => {
  const receiver = await openReceiver();
  const dataDir = temporaryFolder();
  const start = (): ChildProcess =>
    spawn(process.execPath, ["--import", "tsx", script, dataDir, receiver.url, String(deliveries)], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  const kill = async (child: ChildProcess) => {
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  };
  const readAll = async () => {
    const log = await openLmdbLog({ dir: join(dataDir, "log") });
    const records = await readRecords(log);
    await log.close();
    return records;
  };

  for (let round = 1; round <= kills; round += 1) {
    const child = start();
    const enough = receiver.requests() + deliveries / (kills + 1);
    await vi.waitFor(() => expect(receiver.requests()).toBeGreaterThanOrEqual(enough), {
      timeout: 200_000,
      interval: 1,
    });
    await kill(child);
  }
  const last = start();
  onTestFinished(() => void last.kill("SIGKILL"));
  const quiet = { timeout: 300_000, interval: 2000 };
  let before = -1;
  await vi.waitFor(() => {
    const requests = receiver.requests();
    const isQuiet = requests === before && receiver.seen.size === deliveries;
    before = requests;
    expect(isQuiet).toBe(true);
  }, quiet);
  await kill(last);

  // A record that was told twice has one id, and is stored once.
  const records = [...new Map((await readAll()).map((record) => [record.id, record])).values()];
  const finals = records.filter(({ next_attempt_at }) => next_attempt_at === null);
  expect(new Set(finals.map(({ call_id }) => call_id)).size).toBe(deliveries);
  expect(finals.every(({ outcome }) => outcome === "delivered")).toBe(true);
  const recordsOf = new Map<string, number>();
  for (const { call_id } of records) recordsOf.set(String(call_id), (recordsOf.get(String(call_id)) ?? 0) + 1);
  // What was under way when the process died has been heard and has no record; all else has exactly one.
  let unrecorded = 0;
  for (const [call, times] of receiver.seen) {
    const recorded = recordsOf.get(call) ?? 0;
    expect(recorded, call).toBeLessThanOrEqual(times);
    unrecorded += times - recorded;
  }
  expect(unrecorded).toBeLessThanOrEqual(kills * mostUnderWay);
  const least = deliveries + Math.ceil(deliveries / 7);
  if (process.env["DELIVERIES"]) {
    process.stderr.write(
      `${receiver.requests()} requests for ${deliveries} (least ${least}), ${records.length} records, ${finals.length} finals, ${unrecorded} unrecorded\n`,
    );
  }
  expect(receiver.requests()).toBeLessThanOrEqual(least + kills * mostUnderWay);
});
