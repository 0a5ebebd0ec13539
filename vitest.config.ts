import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/e2e/**"],
    // A slow machine is no failure: what must be quick is measured by the benchmarks.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ["test/patience.ts"],
    retry: process.env.CI === undefined ? 0 : 2,
    // Each test makes its own stores and platforms, so files may share a process: half of the time went into imports.
    isolate: false,
    maxWorkers: "100%",
  },
});
