import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Holder } from "../../../../api/routing/facts.ts";
import {
  type CallFigures,
  type CallFiguresDeps,
  openCallFigures,
} from "../../../../api/routing/figures/call-figures.ts";
import type { CallEvent } from "../../../../ingest/event.ts";
import type { EventLog } from "../../../../ingest/log/log.ts";
import type { CallId, OrgId } from "../../../../ingest/primitives.ts";
import type { Warehouse } from "../../../../warehouse/warehouse.ts";
import { openDuckdbWarehouse } from "../../../../warehouse/warehouse-duckdb.ts";
import { openTemporaryLog } from "../../../ingest/log/temporary-log.ts";
import { anEvent, anIncoming, orgOne, orgTwo, signalsOfCall, startOfTime } from "../../../make.ts";
import { createManualClock, type ManualClock } from "../../../manual-clock.ts";
import { day, hour, minuteMs, today } from "./records.ts";

/** Ample, for a machine that does other work meanwhile. */
const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 10_000 });

const topic = "call-events";
const target: Holder = { kind: "target", id: "tgt-1" };
const campaign: Holder = { kind: "campaign", id: "cmp-1" };
const caller = "+12125550123";

interface Rig {
  readonly log: EventLog;
  readonly warehouse: Warehouse;
  readonly clock: ManualClock;
  readonly troubles: unknown[];
  /** Stores what the log has and the warehouse not yet. */
  load(): Promise<void>;
  open(given?: Partial<CallFiguresDeps>): Promise<CallFigures>;
}

async function createRig({ keptDays = null }: { keptDays?: number | null } = {}): Promise<Rig> {
  const { log } = await openTemporaryLog({ partitions: 3 });
  const clock = createManualClock(startOfTime + hour);
  const warehouse = await openDuckdbWarehouse({ path: ":memory:", retention: { days: keptDays, clock } });
  onTestFinished(() => warehouse.close());
  const troubles: unknown[] = [];
  return {
    ...{ log, warehouse, clock, troubles },
    async load() {
      for (const [partition, end] of (await log.ends(topic)).entries()) {
        const firstOffset = await warehouse.position(topic, partition);
        const values: string[] = [];
        for await (const { value } of log.read({ topic, partition, offset: firstOffset })) values.push(value);
        await warehouse.store({ topic, partition, firstOffset, nextOffset: end, values });
      }
    },
    async open(given = {}) {
      const onTrouble = (error: unknown) => troubles.push(error);
      const figures = await openCallFigures({ log, warehouse, clock, lookbackDays: () => 30, onTrouble, ...given });
      onTestFinished(() => figures.close());
      return figures;
    },
  };
}

interface Given {
  readonly id?: string;
  readonly at?: number;
  readonly org?: OrgId;
}

/** The last event of a call of 16 connected seconds, which brings 30 and costs 20 dollars. */
function completed({ id = "call-1", at = startOfTime, org = orgOne }: Given = {}): CallEvent {
  const whose = { call_id: id as CallId, org_id: org };
  const event = anEvent("call.completed", signalsOfCall(16, whose));
  const moved = new Date(at).toISOString();
  return { ...event, started_at: moved, connected_at: moved, created_at: moved };
}
const incoming = ({ id = "call-1", org = orgOne }: Given = {}) =>
  anEvent("call.incoming", [anIncoming({ call_id: id as CallId, org_id: org })]);

const publish = (log: EventLog, events: readonly CallEvent[]) =>
  log.publish(events.map((event) => ({ topic, key: event.call_id, value: JSON.stringify(event) })));
const many = (count: number, given: (index: number) => Given): CallEvent[] =>
  Array.from({ length: count }, (_, index) => completed({ id: `call-${index}`, ...given(index) }));

const sums = (figures: CallFigures, holder = target, org = orgOne) =>
  (["calls", "connected", "converted", "revenue", "payout"] as const).map((name) =>
    figures.ofOrganization(org).sumSince(holder, name, 0),
  );
const calls = (figures: CallFigures, since = 0, org = orgOne) =>
  figures.ofOrganization(org).sumSince(target, "calls", since);
const times = (count: number) => [count, count, count, count * 300_000, count * 200_000];

describe("the figures of a process", () => {
  it("know what the warehouse had at the start, and what the log brings later", async () => {
    const { log, load, open } = await createRig();
    await publish(
      log,
      many(20, () => ({})),
    );
    await load();
    const figures = await open();
    expect(sums(figures)).toEqual(times(20));
    await publish(log, [completed({ id: "later" })]);
    await eventually(() => expect(sums(figures)).toEqual(times(21)));
    expect(figures.earlierCalls(orgOne, caller)).toHaveLength(21);
    expect(figures.earlierCalls(orgOne, "anonymous")).toEqual([]);
  });

  it("know at the start what the log had and the warehouse had not stored yet", async () => {
    const { log, load, open } = await createRig();
    await publish(log, [...many(20, () => ({})), incoming({ id: "live" })]);
    await load();
    await publish(log, [completed({ id: "live" }), ...many(30, (index) => ({ id: `late-${index}` }))]);
    expect(sums(await open())).toEqual(times(51));
  });

  it("count once what is stored between the look at the log and the reading of the warehouse", async () => {
    const { log, warehouse, load, open } = await createRig();
    await publish(
      log,
      many(10, () => ({})),
    );
    let isLoaded = false;
    const query: Warehouse["query"] = async (...question) => {
      if (!isLoaded) await load();
      isLoaded = true;
      return warehouse.query(...question);
    };
    expect(sums(await open({ warehouse: { ...warehouse, query } }))).toEqual(times(10));
  });

  it("are the same after a restart at any place of the loader", async () => {
    const { log, load, open } = await createRig();
    const [first, second] = [await open(), await open()];
    for (let part = 0; part < 4; part += 1) {
      await publish(
        log,
        many(7, (index) => ({ id: `call-${part}-${index}` })),
      );
      if (part % 2 === 0) await load();
      const restarted = await open();
      expect(sums(restarted)).toEqual(times(7 * (part + 1)));
    }
    await eventually(() => expect([sums(first), sums(second)]).toEqual([times(28), times(28)]));
  });

  it("keep organizations apart", async () => {
    const { log, load, open } = await createRig();
    await publish(log, [completed(), completed({ id: "other", org: orgTwo }), completed({ id: "more", org: orgTwo })]);
    await load();
    const figures = await open();
    expect([calls(figures), calls(figures, 0, orgTwo)]).toEqual([1, 2]);
    expect(
      figures
        .earlierCalls(orgTwo, caller)
        .map(({ call_id }) => call_id)
        .toSorted(),
    ).toEqual(["more", "other"]);
    expect(figures.earlierCalls("org_none", caller)).toEqual([]);
  });

  it("have what telephony notes before its event comes, and count it once when it has come", async () => {
    const { log, open } = await createRig();
    const figures = await open();
    const { org_id, call_id, started_at, caller_id, campaign_id } = completed();
    const noted = { org_id, call_id, started_at, caller_id, campaign_id };
    figures.note(noted);
    figures.note({ ...noted, target_id: "tgt-1", buyer_id: "buy-1" });
    expect(sums(figures)).toEqual([1, 0, 0, 0, 0]);
    expect(figures.earlierCalls(orgOne, caller)).toMatchObject([{ call_id, status: "incoming", whole_seconds: null }]);
    await publish(log, [incoming(), completed()]);
    await eventually(() => expect(sums(figures)).toEqual(times(1)));
    figures.note(noted);
    expect([sums(figures), sums(figures, campaign)]).toEqual([times(1), times(1)]);
  });

  it("pass over what is no call event, and say so", async () => {
    const { log, open, troubles } = await createRig();
    await log.publish([
      { topic, key: "call-1", value: '{"no":"event"}' },
      { topic, key: "call-1", value: "{" },
    ]);
    await publish(log, [completed()]);
    expect(sums(await open())).toEqual(times(1));
    expect(troubles).toHaveLength(2);
  });

  it("do not open without the warehouse, and end when the log does", async () => {
    const { log, warehouse, open } = await createRig();
    const figures = await open();
    await log.close();
    await figures.finished;
    await figures.close();
    await warehouse.close();
    await expect(open()).rejects.toThrow();
  });
});

describe("how far back figures go", () => {
  it("sums up by day what lies before the days that config looks back", async () => {
    const { log, load, open } = await createRig();
    await publish(
      log,
      many(100, (index) => ({ at: startOfTime - index * day })),
    );
    await load();
    const figures = await open();
    expect([sums(figures), calls(figures, today - 50 * day)]).toEqual([times(100), 51]);
    expect(calls(figures, startOfTime - 20 * day)).toBe(21);
    expect(figures.earlierCalls(orgOne, caller)).toHaveLength(33);
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
      const figures = await open({ lookbackDays: () => lookbackDays });
      expect([sums(figures), calls(figures, today - 50 * day)]).toEqual([times(100), 51]);
      expect(figures.earlierCalls(orgOne, caller)).toHaveLength(lookbackDays === 60 ? 40 : 32);
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
    const figures = await open({ lookbackDays: () => days });
    const expectKnown = async (count: number) => {
      await eventually(() => expect(clock.sleepers()).toBeGreaterThan(0));
      clock.advance(minuteMs);
      await eventually(() => expect(figures.earlierCalls(orgOne, caller)).toHaveLength(count));
      expect(sums(figures)).toEqual(times(100));
    };
    days = 60;
    await expectKnown(61);
    days = 30;
    await expectKnown(33);
    clock.advance(10 * day);
    await expectKnown(23);
    expect(calls(figures, today)).toBe(1);
  });

  it("keeps the newest calls within its bound and what caps count, and says once that some were dropped", async () => {
    const { log, load, open, troubles } = await createRig();
    await publish(
      log,
      many(200, (index) => ({ at: today - index * 6 * hour + 90 * minuteMs })),
    );
    await publish(log, [completed({ id: "small", org: orgTwo })]);
    await load();
    const figures = await open({ maxCalls: 50 });
    expect(figures.earlierCalls(orgOne, caller).length).toBeLessThanOrEqual(50);
    expect(figures.earlierCalls(orgOne, caller)[0]?.at).toBe(today + 90 * minuteMs);
    expect(figures.earlierCalls(orgTwo, caller)).toHaveLength(1);
    expect(sums(figures)).toEqual(times(200));
    for (const days of [3, 10, 25, 31]) expect(calls(figures, today - days * day)).toBe(1 + 4 * days);
    await publish(
      log,
      many(100, (index) => ({ id: `new-${index}`, at: today + index * 6 * minuteMs })),
    );
    expect(troubles).toMatchObject([{ message: expect.stringContaining("50 calls") }]);
  });

  it("stays within its bound while it reads a long backlog of the log", async () => {
    const { log, open, troubles } = await createRig();
    await publish(
      log,
      many(6000, (index) => ({ at: today - 20 * day + index * 4 * minuteMs })),
    );
    const figures = await open({ maxCalls: 500 });
    expect(figures.ofOrganization(orgOne).size()).toBeLessThanOrEqual(500 + 1000);
    expect([sums(figures), troubles.length]).toEqual([times(6000), 1]);
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
