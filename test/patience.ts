import { vi } from "vitest";

/** Conditions are waited for as long as a slow machine needs; a test that would wait for ever ends by its own time-out. */
const patienceMs = 60_000;

// Files share a process, and each of them begins with this one.
if (vi.waitFor.name !== "patientWaitFor") {
  const { waitFor } = vi;
  vi.waitFor = function patientWaitFor(condition, options = {}) {
    const given = typeof options === "number" ? { timeout: options } : options;
    return waitFor(condition, { ...given, timeout: Math.max(given.timeout ?? 0, patienceMs) });
  };
}
