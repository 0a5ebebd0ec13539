import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";

/** Conditions are waited for as long as a slow machine needs; a test that would wait for ever ends by its own time-out. */
const patienceMs = 60_000;
/**
 * Many tests wait for something that takes a few milliseconds, others until a batch is loaded: each look asks an engine or
 * the API, so the pauses grow.
 */
const [firstPauseMs, longestPauseMs, growth] = [5, 50, 1.5];

vi.waitFor = async function waitPatiently(condition, options = {}) {
  const given = typeof options === "number" ? options : (options.timeout ?? 0);
  const until = performance.now() + Math.max(given, patienceMs);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(longestPauseMs, pauseMs * growth)) {
    try {
      return await condition();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await sleep(pauseMs);
  }
};
