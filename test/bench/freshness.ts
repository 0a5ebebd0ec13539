import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openLmdbLog } from "../../ingest/log/log-lmdb.ts";
import type { CallId } from "../../ingest/primitives.ts";
import type { Signal } from "../../ingest/signal.ts";
import { startService } from "../compiled-service.ts";
import { signalsOfCall } from "../make.ts";
import type { Bench } from "./bench.ts";
import { quantile } from "./compare.ts";
import type { LoadResult } from "./processes/load.ts";
import { about, org, seedService } from "./seed-service.ts";

const callsPerSecond = 250;
/** With the four signals of each call 1,000 a second. */
const seconds = 10;
const publishEveryMs = 20;
const lookEveryMs = 50;
/** What is not there so long after the last signal is missing. */
const waitMs = 20_000;
/** The largest page. */
const pageRows = 200;

/**
 * The time from publishing the signals of a call, as a switch's own producer does, until the call log of the compiled service
 * has it. The log is written by this process; the service shares it with no other load.
 */
export async function openFreshnessBench(): Promise<Bench> {
  const delays = (rate: number) => () => measure(rate);
  return {
    comparisons: [],
    loads: [
      {
        title: "The time from a call's signals to its row in the call log",
        baseline: { name: "10 calls a second", load: delays(10) },
        subjects: [{ name: `${callsPerSecond * 4} signals a second`, load: delays(callsPerSecond) }],
      },
    ],
    close: async () => undefined,
  };
}

async function measure(rate: number): Promise<LoadResult> {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  try {
    const key = await seedService(dataDir, [{ type: "buyer", doc: { ...about, id: "buyer", name: "Buyer" } }]);
    const service = await startService(dataDir);
    const log = await openLmdbLog({ dir: join(dataDir, "log") });
    const publishedAt = new Map<string, number>();
    const delays: number[] = [];
    const see = (callId: string): boolean => {
      const at = publishedAt.get(callId);
      if (at === undefined) return false;
      publishedAt.delete(callId);
      delays.push(performance.now() - at);
      return true;
    };
    const publishing = publish(rate, async (signals) => {
      const now = performance.now();
      for (const { call_id } of signals) publishedAt.set(call_id, now);
      const values = signals.map((signal) => ({ key: signal.call_id, value: JSON.stringify(signal) }));
      await log.publish(values.map((value) => ({ topic: "call-signals", ...value })));
    });
    let isPublished = false;
    void publishing.then(() => {
      isPublished = true;
    });
    for (
      let until = Number.POSITIVE_INFINITY;
      performance.now() < until && !(isPublished && publishedAt.size === 0);
    ) {
      await look(service.url, key, see);
      await pause(lookEveryMs);
      if (isPublished) until = Math.min(until, performance.now() + waitMs);
    }
    await log.close();
    await service.stop();
    const at = (q: number) => Math.round(quantile(delays, q));
    const failed = publishedAt.size;
    return { rate: delays.length / seconds, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: at(1), shed: 0, failed };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Publishes the signals of so many calls a second, some calls at a time. */
async function publish(rate: number, send: (signals: readonly Signal[]) => Promise<void>): Promise<void> {
  const began = performance.now();
  for (let calls = 0; calls < rate * seconds; ) {
    await pause(publishEveryMs);
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - began) * rate) / 1000));
    const signals = Array.from({ length: due - calls }, (_, index) => signalsOfNow(`call-${calls + index}`));
    if (signals.length > 0) await send(signals.flat());
    calls = due;
  }
}

const signalsOfNow = (id: string): Signal[] => {
  const at = new Date().toISOString() as Signal["at"];
  return signalsOfCall(16, { call_id: id as CallId, org_id: org }).map((signal) => ({ ...signal, at }));
};

/** Pages back through the newest calls until one has nothing new. */
async function look(url: string, key: string, see: (callId: string) => boolean): Promise<void> {
  for (let offset = 0; ; offset += pageRows) {
    const answer = await fetch(`${url}/api/v1/reports/calls?limit=${pageRows}&offset=${offset}`, {
      headers: { "x-api-key": key },
    });
    const { data } = (await answer.json()) as { data: readonly { call_id: string }[] };
    const isNew = data.map(({ call_id }) => see(call_id));
    if (data.length < pageRows || !isNew.at(-1)) return;
  }
}
