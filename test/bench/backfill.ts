import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ConfigInput } from "../../api/config/registry.ts";
import { openLmdbLog } from "../../ingest/log/log-lmdb.ts";
import { startService } from "../compiled-service.ts";
import { anOutgoingRequest } from "../make.ts";
import type { Bench } from "./bench.ts";
import type { LoadResult } from "./processes/load.ts";
import { openLoader } from "./processes/processes.ts";
import { about, seedService } from "./seed-service.ts";

/** Enough to be loaded for longer than the load takes. */
const records = 300_000;
const recordsAtOnce = 1000;
const load = { connections: 32, rate: 100, seconds: 4 };

/** The delay of a ping while the service loads a backlog of the log into the embedded warehouse. */
export async function openBackfillBench(): Promise<Bench> {
  const loader = openLoader();
  async function pingBeside(backlog: number): Promise<LoadResult> {
    const dataDir = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
    try {
      await seedService(dataDir, documents());
      await fill(join(dataDir, "log"), backlog);
      const service = await startService(dataDir);
      const result = await loader.run({ ...load, url: `${service.url}/inbound_rtb/any?cid={caller}` });
      await service.stop();
      return result;
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  return {
    comparisons: [],
    loads: [
      {
        title: `The delay of a ping, ${load.rate} a second, while ${records} records of the log are loaded`,
        baseline: { name: "nothing to load", load: () => pingBeside(0) },
        subjects: [{ name: "beside the backlog", load: () => pingBeside(records) }],
      },
    ],
    close: async () => loader.close(),
  };
}

async function fill(dir: string, count: number): Promise<void> {
  const log = await openLmdbLog({ dir });
  for (let first = 0; first < count; first += recordsAtOnce) {
    const ids = Array.from({ length: recordsAtOnce }, (_, index) => `out-${first + index}`);
    await log.publish(
      ids.map((id) => ({ topic: "webhook-deliveries", key: id, value: JSON.stringify(anOutgoingRequest({ id })) })),
    );
  }
  await log.close();
}

const documents = (): ConfigInput[] => [
  { type: "buyer", doc: { ...about, id: "buyer", name: "Buyer" } },
  { type: "publisher", doc: { ...about, id: "publisher", name: "Publisher" } },
  { type: "number", doc: { ...about, id: "receiver", number: "+18005550101" } },
  {
    type: "target",
    doc: { ...about, id: "target", name: "Target", buyer_id: "buyer", type: "number", number: "+18885550101" },
  },
  {
    type: "routing_plan",
    doc: {
      ...about,
      id: "plan",
      name: "Plan",
      routes: [{ id: "route", action: "route-to-target", target_id: "target" }],
    },
  },
  { type: "campaign", doc: { ...about, id: "campaign", name: "Campaign", routing_plan_id: "plan" } },
  {
    type: "inbound_rtb",
    doc: {
      ...about,
      id: "1",
      inbound_rtb_id: "any",
      campaign_id: "campaign",
      publisher_id: "publisher",
      rate_limit: 10_000_000,
      receive_mode: "static_multi_bid",
      receive_number_id: "receiver",
    },
  },
];
