import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallEvent } from "../../ingest/event.ts";
import { toUnits } from "../../ingest/money.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { CallFilter } from "../../warehouse/calls/call-filter.ts";
import {
  type SummaryFigures,
  type SummaryGroup,
  summarizeCalls,
  summaryGroups,
} from "../../warehouse/calls/call-summary.ts";
import { calendarUnits } from "../../warehouse/calls/report-dialect.ts";
import { orgOne, orgTwo, secondsIn } from "../make.ts";
import { aCallOf } from "../warehouse/rtb/store.ts";
import { storing } from "../warehouse/storing.ts";
import type { OpenedReports } from "./call-reports.ts";

/** What the call summary answers, whatever engine it runs on. */
export function describeCallSummary(engine: string, open: () => Promise<OpenedReports>): void {
  describe(`the call summary on ${engine}`, () => {
    let store: OpenedReports;
    let publish: ReturnType<typeof storing>;
    beforeAll(async () => {
      store = await open();
      publish = storing(store.warehouse, "call-events");
      await publish(example);
    });
    afterAll(() => store.warehouse.close());

    const read = (groups: readonly SummaryGroup[], given: { filter?: CallFilter; orgId?: OrgId; zone?: string } = {}) =>
      summarizeCalls(store, {
        orgId: given.orgId ?? orgOne,
        filter: given.filter ?? { span: {} },
        groups,
        timezone: given.zone ?? "UTC",
      });
    const keysOf = ({ rows }: Awaited<ReturnType<typeof read>>) =>
      rows.map(({ keys, incoming }) => [...keys.map(({ key }) => key), incoming]);

    it("counts, adds up, shares and averages the calls of each group", async () => {
      const { rows, totals, truncated } = await read([by("campaign")]);
      expect(rows).toEqual([
        {
          keys: [{ key: "cmp-1", name: "Solar East" }],
          incoming: 3,
          connected: 2,
          completed: 2,
          failed: 1,
          converted: 2,
          payable: 2,
          receivable: 2,
          duplicates: 1,
          unique_callers: 2,
          revenue: 40.3,
          payout: 30.2,
          profit: 10.1,
          margin: 10.1 / 40.3,
          avg_duration: 22,
          total_duration: 66,
          acl: 30,
          conversion_rate: 2 / 3,
          connect_rate: 2 / 3,
          epc: 20.15,
          rpc: 13.4333,
        },
        {
          keys: [{ key: null, name: null }],
          incoming: 1,
          connected: 0,
          completed: 0,
          failed: 0,
          converted: 0,
          payable: 0,
          receivable: 0,
          duplicates: 0,
          unique_callers: 1,
          revenue: 0,
          payout: 0,
          profit: 0,
          margin: null,
          avg_duration: null,
          total_duration: 0,
          acl: null,
          conversion_rate: 0,
          connect_rate: 0,
          epc: null,
          rpc: 0,
        },
      ]);
      expect(totals).toMatchObject({ incoming: 4, connected: 2, unique_callers: 2, revenue: 40.3, connect_rate: 0.5 });
      expect(truncated).toBe(false);
    });

    it("puts each call in the hour, day, week and month of the clock in the zone", async () => {
      // Monday, 2026-11-02, 15:00 UTC; the second day is a Sunday in Los Angeles and a Monday in UTC.
      expect(keysOf(await read([clock("hour")], { zone: "America/New_York" }))).toEqual([
        ["2026-11-02T10:00", 3],
        ["2026-11-08T20:00", 1],
      ]);
      expect(keysOf(await read([clock("day")]))).toEqual([
        ["2026-11-02", 3],
        ["2026-11-09", 1],
      ]);
      expect(keysOf(await read([clock("week")]))).toEqual([
        ["2026-11-02", 3],
        ["2026-11-09", 1],
      ]);
      expect(keysOf(await read([clock("week")], { zone: "America/Los_Angeles" }))).toEqual([["2026-11-02", 4]]);
      expect(keysOf(await read([clock("month")]))).toEqual([["2026-11", 4]]);
    });

    it("has one row for each group of up to three kinds, times first", async () => {
      expect(keysOf(await read([{ kind: "tag", key: "it's" }, clock("day"), by("state")]))).toEqual([
        ["a", "2026-11-02", null, 2],
        [null, "2026-11-02", "TX", 1],
        [null, "2026-11-09", null, 1],
      ]);
    });

    it("is of what the filter leaves, and of nobody else's calls", async () => {
      const narrowed = await read([by("state")], { filter: { span: {}, tags: { "it's": "a" } } });
      expect([keysOf(narrowed), narrowed.totals.incoming]).toEqual([[[null, 2]], 2]);
      const nothing = await read([by("state")], { filter: { span: {}, campaignId: "nobody's" } });
      expect(nothing).toMatchObject({ rows: [], totals: { incoming: 0, revenue: 0, unique_callers: 0, acl: null } });
      expect(keysOf(await read([by("campaign")], { orgId: orgTwo }))).toEqual([["cmp-1", 1]]);
    });

    it("adds up to its totals in every column that can be added, in every grouping of any calls", {
      tags: ["slow"],
    }, async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(aRandomCall, { maxLength: 25 }), someGroups, async (given, groups) => {
          const orgId = `org_random_${++run}` as OrgId;
          const calls = given.map((call, index) => ({
            ...call,
            org_id: orgId,
            call_id: `${orgId}-${index}`,
            id: `${orgId}-${index}`,
          }));
          await publish(calls);
          const { rows, totals } = await read(groups, { orgId });
          for (const column of additive) expect(sumOf(rows, column), column).toBe(toUnits(totals[column]));
          expect(totals.incoming).toBe(calls.length);
          expect(toUnits(totals.revenue)).toBe(calls.reduce((sum, { revenue }) => sum + toUnits(revenue ?? 0), 0));
          expect(totals.duplicates).toBe(calls.filter(({ is_duplicate }) => is_duplicate).length);
          expect(totals.unique_callers).toBe(new Set(calls.flatMap(({ caller_id }) => caller_id ?? [])).size);
          const keys = rows.map((row) => JSON.stringify(row.keys.map(({ key }) => key)));
          expect(new Set(keys).size).toBe(keys.length);
        }),
        { numRuns: 40 },
      );
    });
  });
}

const by = (by: Extract<SummaryGroup, { kind: "column" }>["by"]): SummaryGroup => ({ kind: "column", by });
const clock = (by: Extract<SummaryGroup, { kind: "calendar" }>["by"]): SummaryGroup => ({ kind: "calendar", by });

const failed: Partial<CallEvent> = {
  status: "failed",
  connected_at: null,
  connect_duration: 0,
  converted: false,
  payable: false,
  receivable: false,
  revenue: 0,
  payout: 0,
  profit: 0,
};
const open: Partial<CallEvent> = {
  ...failed,
  status: "incoming",
  ended_at: null,
  duration: null,
  connect_duration: null,
  revenue: null,
  payout: null,
  profit: null,
};
const example = [
  aCallOf("a", { tags: { "it's": "a" } }, 20),
  aCallOf("b", { revenue: 10.3, payout: 10.2, profit: 0.1, tags: { "it's": "a" }, is_duplicate: true }, 40),
  aCallOf("c", { ...failed, caller_id: "+13105550101", caller_state: "TX" }, 6),
  aCallOf("d", { ...open, campaign_id: null, campaign_name: null, started_at: "2026-11-09T01:30:00.000Z" }),
  { ...aCallOf("e"), org_id: orgTwo },
];

const additive = [
  ...(["incoming", "connected", "completed", "failed", "converted", "payable", "receivable", "duplicates"] as const),
  ...(["revenue", "payout", "profit", "total_duration"] as const),
];
const sumOf = (rows: readonly SummaryFigures[], column: (typeof additive)[number]): number =>
  rows.reduce((sum, row) => sum + toUnits(row[column]), 0);

const maybe = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values));
const amount = fc.option(fc.integer({ min: 0, max: 10_000_000 }).map((units) => units / 10_000));
const aRandomCall = fc
  .record({
    campaign_id: maybe("c1", "c2", "c3"),
    publisher_id: maybe("p1", "p2"),
    buyer_id: maybe("b1", "b2"),
    target_id: maybe("t1", "t2"),
    rtb_id: maybe("r1"),
    number: maybe("+18005550100", "+18005550101"),
    caller_id: maybe("+12125550123", "+13105550101"),
    caller_state: maybe("TX", "CA", ""),
    status: fc.constantFrom("incoming", "connected", "completed", "failed"),
    connected_at: maybe(secondsIn(1)),
    converted: fc.boolean(),
    payable: fc.boolean(),
    receivable: fc.boolean(),
    is_duplicate: fc.boolean(),
    revenue: amount,
    payout: amount,
    duration: fc.option(fc.nat(7200)),
    connect_duration: fc.option(fc.nat(7200)),
    tags: fc.dictionary(fc.constantFrom("lead", "it's"), fc.constantFrom("a", "b", ""), { maxKeys: 2 }),
    started_at: fc.integer({ min: 0, max: 40 * 86_400 }).map(secondsIn),
  })
  .map((call) => aCallOf("random", call as Partial<CallEvent>));

const aGroup: fc.Arbitrary<SummaryGroup> = fc.oneof(
  fc.constantFrom(...summaryGroups.flatMap((name) => (isUnit(name) ? [] : [by(name)]))),
  fc.constantFrom(...calendarUnits.map(clock)),
  fc.constantFrom("lead", "it's").map((key) => ({ kind: "tag" as const, key })),
);
const someGroups = fc.uniqueArray(aGroup, { minLength: 1, maxLength: 3, selector: (group) => JSON.stringify(group) });

function isUnit(name: (typeof summaryGroups)[number]): name is (typeof calendarUnits)[number] {
  return calendarUnits.some((unit) => unit === name);
}
