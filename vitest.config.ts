import { statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** Kept in memory where there is enough of it: much of the time went into waiting for a disk to make durable what nobody reads again. */
const memory = "/dev/shm";
const enoughBytes = 4 * 1024 ** 3;

function temporaryFolders(): Record<string, string> {
  const { bavail = 0, bsize = 0 } = statfs(memory) ?? {};
  return process.env.TMPDIR === undefined && bavail * bsize >= enoughBytes ? { TMPDIR: memory } : {};
}

function statfs(path: string) {
  try {
    return statfsSync(path);
  } catch {
    return null;
  }
}

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    tags: [
      {
        name: "slow",
        description: "Starts processes or PostgreSQL, waits for time to pass, or tries hundreds of cases.",
      },
      { name: "clickhouse", description: "Runs on a ClickHouse server." },
    ],
    exclude: ["test/e2e/**"],
    env: temporaryFolders(),
    // A slow machine is no failure: what must be quick is measured by the benchmarks.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000, interval: 10 } },
    setupFiles: ["test/patience.ts", "test/seed.ts"],
    // Each test makes its own stores and platforms, so files may share a process: half of the time went into imports.
    isolate: false,
    // One more than cores: tests wait for each other's threads and timers a fifth of their time.
    maxWorkers: availableParallelism() + 1,
    // Node imports the files by itself, compiled by tsx: vitest's own way costs a sixth more. It is for mocked modules.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // MiB: what a request leaves behind dies before it is copied about. With V8's 16 six seconds in a hundred went into that.
    // The workers use all cores: threads of a collector beside each of them cost seven.
    execArgv: ["--import", "tsx", "--max-semi-space-size=64", "--single-threaded-gc"],
  },
});
