import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallEvent } from "../../ingest/event.ts";
import type { CallId } from "../../ingest/primitives.ts";
import type { CallFilter } from "../../warehouse/calls/call-filter.ts";
import { findCall, listCalls, type ReportStore, toCallList } from "../../warehouse/calls/call-log.ts";
import { exportRows, findRowKey } from "../../warehouse/history/export-rows.ts";
import type { HistoryPlace } from "../../warehouse/history/page.ts";
import type { Row, Warehouse } from "../../warehouse/warehouse.ts";
import { orgOne, orgTwo, secondsIn } from "../make.ts";
import { aCallOf } from "../warehouse/rtb/store.ts";
import { storing } from "../warehouse/storing.ts";

export interface OpenedReports {
  readonly warehouse: Warehouse;
  readonly dialect: ReportStore["dialect"];
}

/** What the call log answers, whatever engine it runs on. */
export function describeCallLog(engine: string, open: () => Promise<OpenedReports>): void {
  describe(`the call log on ${engine}`, () => {
    let store: OpenedReports;
    beforeAll(async () => {
      store = await open();
      await fill(store.warehouse);
    });
    afterAll(() => store.warehouse.close());

    const read = (filter: CallFilter, place: HistoryPlace, limit = 5, direction: "asc" | "desc" = "desc") =>
      listCalls(store, { orgId: orgOne, filter, page: { limit, direction, place } });
    const idsOf = ({ rows }: { rows: readonly Row[] }) => rows.map(({ call_id }) => call_id);

    it("has every call once, in its latest version, where its first one stood", async () => {
      const { rows, total } = await read({ span: {} }, { kind: "offset", offset: 0 }, 200, "asc");
      expect([total, rows.length]).toEqual([calls.length, calls.length]);
      expect(rows.map(({ call_id }) => call_id)).toEqual(calls.map(({ call_id }) => call_id));
      expect(rows.filter(({ campaign_name }) => campaign_name === "renamed")).toHaveLength(renamed.length);
    });

    it("gives the same pages as a list that is sorted, filtered and cut in memory", async () => {
      await fc.assert(
        fc.asyncProperty(aFilter, fc.nat(70), fc.integer({ min: 1, max: 30 }), fc.boolean(), async (...given) => {
          const [[filter, holds], offset, limit, isUp] = given;
          const expected = latest.filter(holds);
          const ordered = isUp ? expected : expected.toReversed();
          const page = await read(filter, { kind: "offset", offset }, limit, isUp ? "asc" : "desc");
          expect(page.total).toBe(expected.length);
          expect(idsOf(page)).toEqual(ordered.slice(offset, offset + limit).map(({ call_id }) => call_id));
        }),
        { numRuns: 60 },
      );
    });

    it("is walked by the rows of its pages, in both directions", async () => {
      const span = { from: new Date(secondsIn(90)), to: new Date(secondsIn(86_400 * 2 + 30)) };
      const expected = latest.filter(
        ({ started_at }) => started_at >= secondsIn(90) && started_at < secondsIn(172_830),
      );
      const walked: unknown[] = [];
      let place: HistoryPlace = { kind: "offset", offset: 0 };
      for (let page = await read({ span }, place, 7, "asc"); page.rows.length > 0; ) {
        expect(page.offset).toBe(walked.length);
        walked.push(...idsOf(page));
        const last = page.rows.at(-1) ?? {};
        place = { kind: "after", key: { at: new Date(String(last.started_at)), id: String(last.call_id) } };
        page = await read({ span }, place, 7, "asc");
      }
      expect(walked).toEqual(expected.map(({ call_id }) => call_id));
    });

    it("narrows to each thing that is asked for, and to all of them together", async () => {
      const found = async (filter: Omit<CallFilter, "span">) =>
        idsOf(await read({ span: {}, ...filter }, { kind: "offset", offset: 0 }, 200));
      expect(await found({ callId: "special" })).toEqual(["special"]);
      expect(await found({ callId: "of-another" })).toEqual([]);
      expect(await found({ campaignId: "cmp-special" })).toEqual(["special"]);
      expect(await found({ publisherId: "pub-special" })).toEqual(["special"]);
      expect(await found({ buyerId: "buy-special" })).toEqual(["special"]);
      expect(await found({ targetId: "tgt-special" })).toEqual(["special"]);
      expect(await found({ rtbId: "rtb-special" })).toEqual(["special"]);
      expect(await found({ callerId: "+13105550199" })).toEqual(["special"]);
      expect(await found({ number: "+18005550199" })).toEqual(["special"]);
      expect(await found({ duplicate: true })).toEqual(["special"]);
      expect(await found({ minDuration: 999 })).toEqual(["special"]);
      expect(await found({ updatedSince: new Date(secondsIn(900_000)) })).toEqual(["special"]);
      expect(await found({ tags: { it_s: "a 'special' one" } })).toEqual(["special"]);
      expect(await found({ tags: { it_s: "a 'special' one" }, status: "failed" })).toEqual([]);
      for (const [key, value] of Object.entries(specialTags))
        expect(await found({ tags: { [key]: value } })).toEqual(["special"]);
      expect(await found({ tags: specialTags })).toEqual(["special"]);
      for (const tags of [{ it_s: "a 'special'" }, { s: "a 'special' one" }, { it_s: "" }, { it_s: "x" }, { odd: "" }])
        expect(await found({ tags })).toEqual([]);
      expect(await found({ failureReason: "special_reason" })).toEqual(["special"]);
      expect(await found({ live: true })).toEqual(["live"]);
      expect(await found({ live: false })).toHaveLength(calls.length - 1);
      expect(await found({ live: true, minDuration: 1 })).toEqual([]);
      expect(await found({ status: "failed" })).toEqual([]);
      expect(await found({ converted: false })).toEqual([]);
    });

    it("shows a recording only where the campaign and the destination show it", async () => {
      const shown = async (callId: string) => (await findCall(store, orgOne, callId))?.recording_url;
      expect(await shown("special")).toBe("https://switch.example/special");
      expect(await shown("hidden-by-campaign")).toBeNull();
      expect(await shown("hidden-by-target")).toBeNull();
    });

    it("is exported whole, oldest call first, and from any call on", async () => {
      const list = toCallList(store, { orgId: orgOne, filter: { span: {} } });
      const exported = async (afterId: string | null, limit: number | null = null) => {
        const after = afterId === null ? null : await findRowKey(store, list, afterId);
        const ids: unknown[] = [];
        for await (const rows of exportRows(store, list, { after, limit })) ids.push(...idsOf({ rows }));
        return ids;
      };
      const ids = calls.map(({ call_id }) => call_id);
      expect(await exported(null)).toEqual(ids);
      for (const index of [0, 30, ids.length - 1]) {
        expect(await exported(ids[index] ?? "")).toEqual(ids.slice(index + 1));
      }
      expect(await exported(ids[4] ?? "", 7)).toEqual(ids.slice(5, 12));
      expect(await findRowKey(store, list, "of-another")).toBeNull();
    });

    it("opens one call, of its own organization", async () => {
      expect(await findCall(store, orgOne, "special")).toMatchObject({
        call_id: "special",
        org_id: orgOne,
        duration: 999,
        revenue: 30.5,
        tags: specialTags,
        started_at: secondsIn(500),
        is_duplicate: true,
      });
      expect(await findCall(store, orgOne, "of-another")).toBeNull();
      expect((await findCall(store, orgTwo, "of-another"))?.call_id).toBe("of-another");
    });
  });
}

/** Some days of calls: many in one minute, some on days of their own. */
const plain = Array.from({ length: 60 }, (_, index) =>
  aCallOf(`call-${String(index).padStart(2, "0")}`, {
    started_at: secondsIn(index < 40 ? index * 7 : index * 8640),
    updated_at: secondsIn(index < 40 ? index * 7 : index * 8640),
    campaign_id: `cmp-${index % 3}`,
    status: "completed",
    tags: index % 2 === 0 ? { lead_type: "solar" } : {},
  }),
);
/** Characters that a text of tags may separate them by are among them. */
const specialTags = { it_s: "a 'special' one", empty: "", "odd\u001f": "\u001d0\u001e\u001fit_s\u001ex" };
const special = aCallOf("special", {
  started_at: secondsIn(500),
  updated_at: secondsIn(900_000),
  campaign_id: "cmp-special",
  duration: 999,
  publisher_id: "pub-special",
  buyer_id: "buy-special",
  target_id: "tgt-special",
  rtb_id: "rtb-special",
  caller_id: "+13105550199",
  number: "+18005550199",
  is_duplicate: true,
  failure_reason: "special_reason",
  revenue: 30.5,
  tags: specialTags,
  recording_url: "https://switch.example/special",
});
const live = aCallOf("live", {
  started_at: secondsIn(700),
  updated_at: secondsIn(700),
  status: "connected",
  ended_at: null,
  duration: null,
});
const hidden = (name: "campaign" | "target"): CallEvent => ({
  ...aCallOf(`hidden-by-${name}`, { started_at: secondsIn(600), updated_at: secondsIn(600) }),
  recording_url: "https://switch.example/hidden",
  terms: { ...special.terms, [`${name}_recording_access`]: false },
});
const calls: readonly CallEvent[] = [...plain, special, live, hidden("campaign"), hidden("target")].toSorted(
  (one, other) => (one.started_at < other.started_at ? -1 : one.started_at > other.started_at ? 1 : 0),
);
const renamed = plain.slice(30, 45).map((call) => ({
  ...call,
  version: call.version + 1,
  id: `${call.id}:2` as CallEvent["id"],
  campaign_name: "renamed",
}));
const latest = calls.map((call) => renamed.find(({ call_id }) => call_id === call.call_id) ?? call);

async function fill(warehouse: Warehouse): Promise<void> {
  const store = storing(warehouse, "call-events");
  const ofAnother = { ...aCallOf("of-another"), org_id: orgTwo, call_id: "of-another" as CallId };
  await store([...calls, ofAnother]);
  await store(renamed);
  // Again, and older than what is there.
  await store(calls.slice(0, 50));
}

type Holds = (call: CallEvent) => boolean;
/** Spans that begin and end anywhere, in and beside minutes and days, narrowed or not; and what holds for their calls. */
const aFilter = fc
  .record({
    from: fc.option(fc.integer({ min: -100, max: 520_000 })),
    lasts: fc.option(fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 300_000 }))),
    campaign: fc.option(fc.constantFrom("cmp-0", "cmp-1")),
    solar: fc.boolean(),
  })
  .map(({ from, lasts, campaign, solar }): readonly [CallFilter, Holds] => {
    const [first, end] = [from ?? -1000, lasts === null ? null : (from ?? -1000) + lasts];
    const span = {
      ...(from !== null && { from: new Date(secondsIn(first)) }),
      ...(end !== null && { to: new Date(secondsIn(end)) }),
    };
    const narrowed = {
      ...(campaign !== null && { campaignId: campaign }),
      ...(solar && { tags: { lead_type: "solar" } }),
    };
    const holds: Holds = ({ started_at, campaign_id, tags }) =>
      (from === null || started_at >= secondsIn(first)) &&
      (end === null || started_at < secondsIn(end)) &&
      (campaign === null || campaign_id === campaign) &&
      (!solar || tags.lead_type === "solar");
    return [{ span, ...narrowed }, holds];
  });
