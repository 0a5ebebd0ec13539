import fc from "fast-check";
import { expect, it } from "vitest";
import { createAdaptiveLimit } from "../../../../api/routing/inbound/adaptive-limit.ts";

const options = { targetMs: 40, least: 4, first: 100, most: 1000 };

/** Enters as often as it may, and as `wanted` asks; returns how many got in. */
function fill({ enter }: ReturnType<typeof createAdaptiveLimit>, wanted: number): number {
  let entered = 0;
  while (entered < wanted && enter()) entered += 1;
  return entered;
}

it("no more enter than the limit, until one leaves", () => {
  const limit = createAdaptiveLimit(options);
  expect(fill(limit, 500)).toBe(100);
  limit.leave();
  expect([limit.enter(), limit.enter()]).toEqual([true, false]);
});

it("a delay makes it fall from what was in flight, in proportion, by a half at the most, and not below the least", () => {
  const limit = createAdaptiveLimit(options);
  fill(limit, 60);
  limit.observe(50);
  expect(limit.limit()).toBe(48);
  limit.observe(5000);
  expect(limit.limit()).toBe(24);
  for (let times = 0; times < 10; times += 1) limit.observe(5000);
  expect(limit.limit()).toBe(4);
});

it("without a delay it rises where it was reached, and stays where it was not", () => {
  const limit = createAdaptiveLimit(options);
  fill(limit, 99);
  limit.observe(0);
  expect(limit.limit()).toBe(100);
  limit.enter();
  limit.observe(40);
  expect(limit.limit()).toBe(110);
  for (let times = 0; times < 100; times += 1) {
    fill(limit, 1000);
    limit.observe(0);
  }
  expect(limit.limit()).toBe(1000);
});

it("whatever is observed, it stays within its bounds, and nobody enters beyond it", () => {
  const delays = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }));
  fc.assert(
    fc.property(delays, (all) => {
      const limit = createAdaptiveLimit(options);
      for (const delay of all) {
        fill(limit, 50);
        limit.observe(delay);
        expect(limit.limit()).toBeGreaterThanOrEqual(4);
        expect(limit.limit()).toBeLessThanOrEqual(1000);
      }
    }),
  );
});

it("is idle when all have left", async () => {
  const limit = createAdaptiveLimit(options);
  await limit.idle();
  fill(limit, 2);
  let isIdle = false;
  const idle = limit.idle().then(() => {
    isIdle = true;
  });
  limit.leave();
  await Promise.resolve();
  expect(isIdle).toBe(false);
  limit.leave();
  await idle;
});
