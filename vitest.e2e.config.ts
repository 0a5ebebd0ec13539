import { defineConfig } from "vitest/config";

/** The page in a real Chromium: one browser, one platform, so one file at a time. */
export default defineConfig({
  test: {
    include: ["test/e2e/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
