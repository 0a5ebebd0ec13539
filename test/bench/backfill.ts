import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewMessage } from "../../ingest/log/log.ts";
import { startService } from "../compiled-service.ts";
import { anOutgoingRequest } from "../make.ts";
import type { Bench } from "./bench.ts";
import type { LoadResult } from "./processes/load.ts";
import { openLoader } from "./processes/processes.ts";
import { fillLog, pingedCampaign, planOfOneTarget, seedService } from "./seed-service.ts";

/** Enough to be loaded for longer than the load takes. */
const records = 300_000;
const load = { connections: 32, rate: 100, seconds: 4 };

/** The delay of a ping while the service loads a backlog of the log into the embedded warehouse. */
export async function openBackfillBench(): Promise<Bench> {
  const loader = openLoader();
  async function pingBeside(backlog: number): Promise<LoadResult> {
    const dataDir = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
    try {
      await seedService(dataDir, [...planOfOneTarget, ...pingedCampaign]);
      await fillLog(dataDir, backlogOf(backlog));
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

function* backlogOf(count: number): Generator<NewMessage> {
  for (let index = 0; index < count; index += 1) {
    const id = `out-${index}`;
    yield { topic: "webhook-deliveries", key: id, value: JSON.stringify(anOutgoingRequest({ id })) };
  }
}
