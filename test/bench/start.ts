import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, startBuilt } from "../compiled-service.ts";
import type { Bench } from "./bench.ts";
import { quantile } from "./compare.ts";
import { about, seedService } from "./seed-service.ts";

const run = promisify(execFile);

/** The time from starting the program until it serves requests, and what it holds then. */
export async function openStartBench(): Promise<Bench> {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-bench-"));
  await seedService(dataDir, [{ type: "buyer", doc: { ...about, id: "buyer", name: "Buyer" } }]);
  build();
  const memoryMiB: number[] = [];
  let service: Awaited<ReturnType<typeof startBuilt>> | undefined;
  return {
    comparisons: [
      {
        title: "A start of an installation",
        baseline: {
          name: "node, which does nothing",
          unit: "start",
          units: 1,
          round: () => run(process.execPath, ["-e", "0"]),
        },
        subjects: [
          {
            name: "until requests are served",
            unit: "start",
            units: 1,
            async round() {
              service = await startBuilt(dataDir);
              memoryMiB.push(service.memoryMiB());
            },
            after: async () => service?.stop(),
            peakMb: () => quantile(memoryMiB, 0.5),
          },
        ],
        rounds: 7,
        warmUps: 1,
      },
    ],
    close: async () => rmSync(dataDir, { recursive: true, force: true }),
  };
}
