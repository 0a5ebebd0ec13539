import { onTestFinished } from "vitest";
import { spawnDemo } from "../../demo-process.ts";

/** The demo as a process of its own, killed after the test. */
export function startDemo(dataDir: string, settings: Record<string, string> = {}) {
  const demo = spawnDemo(dataDir, settings);
  onTestFinished(demo.kill);
  return demo;
}
