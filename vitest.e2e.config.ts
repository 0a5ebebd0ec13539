import { defineConfig } from "vitest/config";

/** The page in a real Chromium: one browser, one platform, so one file at a time. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // As for the other tests, a slow machine is no failure.
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ["test/patience.ts"],
    fileParallelism: false,
  },
});
