import { describe, expect, it } from "vitest";
import type { EventLog } from "../../../../ingest/log/log.ts";
import { orgOne, orgTwo, startOfTime } from "../../../make.ts";
import { calls, completed, createRig, eventually, many, publish, sums } from "./call-store-rig.ts";
import { day, hour, minuteMs, today } from "./records.ts";

const caller = "+12125550123";
const times = (count: number) => [count, count, count, count * 300_000, count * 200_000];

describe("how far back call stats go", () => {
  it("sums up by day what lies before the days that config looks back", async () => {
    const { log, load, open } = await createRig();
    await publish(
      log,
      many(100, (index) => ({ at: startOfTime - index * day })),
    );
    await load();
    const stats = await open();
    expect([sums(stats), calls(stats, today - 50 * day)]).toEqual([times(100), 51]);
    expect(calls(stats, startOfTime - 20 * day)).toBe(21);
    expect(stats.earlierCalls(orgOne, caller)).toHaveLength(33);
    expect((await open({ lookbackDays: () => 60 })).earlierCalls(orgOne, caller)).toHaveLength(61);
  });

  it("goes on to count calls that the warehouse shows no longer, and finds none of them as an earlier one", async () => {
    const { log, load, open, clock } = await createRig({ keptDays: 40 });
    await publish(
      log,
      many(100, (index) => ({ at: startOfTime - index * day })),
    );
    await load();
    // Hidden since they were stored; from the next day on they are added up.
    clock.advance(day);
    for (const lookbackDays of [30, 60]) {
      const stats = await open({ lookbackDays: () => lookbackDays });
      expect([sums(stats), calls(stats, today - 50 * day)]).toEqual([times(100), 51]);
      expect(stats.earlierCalls(orgOne, caller)).toHaveLength(lookbackDays === 60 ? 40 : 32);
    }
  });

  it("follows the config, and counts nothing twice", async () => {
    const { log, load, open, clock } = await createRig();
    await publish(
      log,
      many(100, (index) => ({ at: startOfTime - index * day })),
    );
    await load();
    let days = 0;
    const stats = await open({ lookbackDays: () => days });
    const expectKnown = async (count: number) => {
      await eventually(() => expect(clock.sleepers()).toBeGreaterThan(0));
      clock.advance(minuteMs);
      await eventually(() => expect(stats.earlierCalls(orgOne, caller)).toHaveLength(count));
      expect(sums(stats)).toEqual(times(100));
    };
    days = 60;
    await expectKnown(61);
    days = 30;
    await expectKnown(33);
    clock.advance(10 * day);
    await expectKnown(23);
    expect(calls(stats, today)).toBe(1);
  });

  it("keeps the newest calls within its bound and what caps count, and says once that some were dropped", {
    tags: ["slow"],
  }, async () => {
    const { log, load, open, troubles } = await createRig();
    await publish(
      log,
      many(200, (index) => ({ at: today - index * 6 * hour + 90 * minuteMs })),
    );
    await publish(log, [completed({ id: "small", org: orgTwo })]);
    await load();
    const stats = await open({ maxCalls: 50 });
    expect(stats.earlierCalls(orgOne, caller).length).toBeLessThanOrEqual(50);
    expect(stats.earlierCalls(orgOne, caller)[0]?.at).toBe(today + 90 * minuteMs);
    expect(stats.earlierCalls(orgTwo, caller)).toHaveLength(1);
    expect(sums(stats)).toEqual(times(200));
    for (const days of [3, 10, 25, 31]) expect(calls(stats, today - days * day)).toBe(1 + 4 * days);
    await publish(
      log,
      many(100, (index) => ({ id: `new-${index}`, at: today + index * 6 * minuteMs })),
    );
    expect(troubles).toMatchObject([{ message: expect.stringContaining("50 calls") }]);
  });

  it("stays within its bound while it reads a long backlog of the log", { tags: ["slow"] }, async () => {
    const { log, open, troubles } = await createRig();
    await publish(
      log,
      many(6000, (index) => ({ at: today - 20 * day + index * 4 * minuteMs })),
    );
    const stats = await open({ maxCalls: 500 });
    expect(stats.ofOrganization(orgOne).size()).toBeLessThanOrEqual(500 + 1000);
    expect([sums(stats), troubles.length]).toEqual([times(6000), 1]);
  });

  it("says what retention has removed before it was read", async () => {
    const { log, open, warehouse, troubles } = await createRig();
    await publish(
      log,
      many(10, () => ({})),
    );
    const follow: EventLog["follow"] = (options) =>
      log.follow({
        ...options,
        work: (reader) => {
          let isFirst = true;
          const next: typeof reader.next = async (limits) => {
            const batch = await reader.next(limits);
            const messages = isFirst ? batch.messages.slice(1) : batch.messages;
            isFirst = false;
            return { ...batch, messages };
          };
          return options.work({ ...reader, next });
        },
      });
    await open({ log: { ...log, follow }, warehouse });
    expect(troubles.map(String)).toEqual(expect.arrayContaining([expect.stringMatching(/offset 0.*nothing before 1/)]));
  });
});
