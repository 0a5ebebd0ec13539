import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/e2e/**"],
    testTimeout: 20_000,
    // Each test makes its own stores and platforms, so files may share a process: half of the time went into imports.
    isolate: false,
    maxWorkers: "100%",
  },
});
