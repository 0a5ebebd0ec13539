import { expect, it, vi } from "vitest";
import { done, usePlatform } from "./use-platform.ts";

let ahead = 0;
let load: () => void = () => undefined;
const loading = new Promise<void>((resolve) => {
  load = resolve;
});
const clock = {
  now: () => Date.now() + ahead,
  sleep: (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener("abort", () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};
/** The platform's loader takes nothing until it is let. */
const platform = usePlatform({
  clock,
  through: (log) => ({
    ...log,
    consume: (options) =>
      log.consume({
        ...options,
        async work(reader) {
          if (options.group === "loader")
            await Promise.race([loading, new Promise((stopped) => reader.signal.addEventListener("abort", stopped))]);
          await options.work(reader);
        },
      }),
  }),
});

it("the overview tells since when records wait to be loaded, until they are", async () => {
  const member = await platform.join();
  const overview = () => done(member.get("/api/v1/reports/overview"));
  const before = clock.now();
  await done(member.post("/api/v1/publishers", { name: "Northshore Leads" }));
  const { log } = platform.rig().platform;
  await vi.waitFor(async () => expect((await log.ends("audit-log")).some((end) => end > 0)).toBe(true));
  expect(await overview()).toMatchObject({ loading_since: null });
  ahead = 10_000;
  const { loading_since: since } = await overview();
  expect(Date.parse(since)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(since)).toBeLessThan(clock.now() - 5000);
  load();
  await vi.waitFor(
    async () => {
      // What is known of the store's place is looked up anew after two seconds.
      ahead += 2000;
      expect(await overview()).toMatchObject({ loading_since: null });
    },
    { timeout: 10_000 },
  );
});
