import { vi } from "vitest";

/** Conditions are waited for as long as a slow machine needs; a test that would wait for ever ends by its own time-out. */
const patienceMs = 60_000;
/** Many tests wait for something that takes a few milliseconds, and vitest looks again after fifty. */
const lookEveryMs = 10;

// Files share a process, and each of them begins with this one.
if (vi.waitFor.name !== "patientWaitFor") {
  const { waitFor } = vi;
  vi.waitFor = function patientWaitFor(condition, options = {}) {
    const given = typeof options === "number" ? { timeout: options } : options;
    return waitFor(condition, { interval: lookEveryMs, ...given, timeout: Math.max(given.timeout ?? 0, patienceMs) });
  };
}
