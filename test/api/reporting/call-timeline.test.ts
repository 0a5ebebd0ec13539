import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toTimeline } from "../../../api/reporting/call-timeline.ts";
import type { CallEvent } from "../../../ingest/event.ts";
import { traceEvents } from "../../../ingest/trace.ts";
import type { CallStory } from "../../../warehouse/calls/call-timeline.ts";
import type { Row } from "../../../warehouse/warehouse.ts";
import {
  aDialFailed,
  aDialing,
  aFailed,
  aHungUp,
  anAdjusted,
  anAnswered,
  anIncoming,
  secondsIn,
  signalsOfCall,
  startOfTime,
} from "../../make.ts";
import { eventsOf } from "../../warehouse/rtb/store.ts";

const at = (ms: number) => new Date(startOfTime + ms).toISOString();
const trace = (event: string, occurred_at: string, detail: Row[string] = {}): Row => ({ event, occurred_at, detail });

/** The rows that a warehouse holds of these events, and of what else is given. */
function storyOf(events: readonly CallEvent[], given: Partial<CallStory> = {}): CallStory {
  const call = events.at(-1) as unknown as Row;
  const rows = events as unknown as readonly Row[];
  return { call, events: rows, traces: [], outgoing: [], incoming: [], truncated: false, ...given };
}
const namesOf = (story: CallStory) => toTimeline(story).map(({ event }) => event);

describe("a timeline", () => {
  it("tells a connected call from its first ring to the webhook that was sent of it", () => {
    const story = storyOf(eventsOf(signalsOfCall(16)), {
      traces: [trace("plan.selected", secondsIn(0), { plan_id: "p" }), trace("dial.started", secondsIn(0))],
      incoming: [{ id: "in-1", created_at: at(2500), incoming_webhook_config_id: "hook", response_status_code: 200 }],
      outgoing: [
        {
          id: "out-1",
          created_at: at(16_200),
          outgoing_webhook_config_id: "hook-1",
          attempt: 2,
          outcome: "refused",
          event_type_id: "call.completed",
          response_status_code: 500,
        },
      ],
    });
    const rows = toTimeline(story);
    expect(rows.map(({ seq, offset_ms, event }) => [seq, offset_ms, event])).toEqual([
      [1, 0, "call.incoming"],
      [2, 0, "plan.selected"],
      [3, 0, "dial.started"],
      [4, 0, "call.connected"],
      [5, 2500, "data.received"],
      [6, 5000, "call.on_5_secs_mark"],
      [7, 15_000, "call.on_15_secs_mark"],
      [8, 16_000, "call.hangup"],
      [9, 16_000, "conversion.evaluated"],
      [10, 16_000, "call.converted"],
      [11, 16_000, "call.completed"],
      [12, 16_200, "webhook.sent"],
    ]);
    expect(rows[1]).toMatchObject({ at: secondsIn(0), source: "routing", detail: { plan_id: "p" } });
    expect(rows[5]?.detail).toEqual({ seconds: 5 });
    expect(rows[7]).toMatchObject({ source: "call", detail: { by: "caller" } });
    expect(rows[11]).toMatchObject({
      source: "outgoing_webhook",
      detail: { id: "out-1", status: 500, webhook_id: "hook-1", event: "call.completed", attempt: 2 },
    });
  });

  it("says by which rule each side of a call was judged", () => {
    const [evaluated] = toTimeline(storyOf(eventsOf(signalsOfCall(8)))).filter(
      ({ event }) => event === "conversion.evaluated",
    );
    const side = { condition: "call_length_connected", condition_seconds: 10, met: false, allowed: true };
    expect(evaluated?.detail).toEqual({
      payable: false,
      receivable: false,
      converted: false,
      rule: { receivable: side, payable: side },
    });
  });

  it("keeps the judgement of a call whose money was corrected later", () => {
    const rows = toTimeline(storyOf(eventsOf([...signalsOfCall(8), anAdjusted({ revenue: 25 })])));
    const judged = rows.find(({ event }) => event === "conversion.evaluated");
    expect(judged?.detail).toMatchObject({ payable: false, receivable: false, converted: false });
    expect(rows.at(-1)).toMatchObject({ event: "payout.adjusted", detail: { revenue: { before: 0, after: 25 } } });
  });

  it("knows no rule of a call whose terms were not kept", () => {
    const story = storyOf(eventsOf(signalsOfCall(16)));
    const rows = toTimeline({ ...story, call: { ...story.call, terms: null } });
    expect(rows.find(({ event }) => event === "conversion.evaluated")?.detail).toMatchObject({
      payable: true,
      receivable: true,
      converted: true,
      rule: null,
    });
  });

  it("tells a failover as it was written, and why a call failed, without judging it", () => {
    const signals = [
      anIncoming(),
      aDialing(),
      aDialFailed({ at: at(20) }),
      aDialing({ at: at(20), target: { id: "tgt-2", name: "Second", type: "number" } }),
      aFailed({ at: at(40), reason: "no_answer" }),
    ];
    const traces = [
      trace("dial.started", at(0)),
      trace("dial.failed", at(20), { status: "busy" }),
      trace("dial.started", at(20)),
      trace("dial.failed", at(40)),
    ];
    const rows = toTimeline(storyOf(eventsOf(signals), { traces }));
    expect(rows.map(({ event }) => event)).toEqual([
      "call.incoming",
      "dial.started",
      "dial.failed",
      "dial.started",
      "dial.failed",
      "call.failure",
      "call.completed",
    ]);
    expect(rows[5]?.detail).toEqual({ reason: "no_answer", attempts: 2 });
  });

  it("shows money that was corrected later, beside what it was, and any other correction as it is", () => {
    const events = eventsOf(signalsOfCall(16)) as unknown as Row[];
    const last = events.at(-1) ?? {};
    const corrected = { ...last, event: "call.updated", version: 8, occurred_at: secondsIn(60), payout: 25 };
    const recorded = { ...corrected, version: 9, occurred_at: secondsIn(61) };
    const story = storyOf(eventsOf(signalsOfCall(16)), { events: [...events, corrected, recorded] });
    expect(toTimeline(story).slice(-2)).toMatchObject([
      { event: "payout.adjusted", detail: { payout: { before: 20, after: 25 } } },
      { event: "call.updated", detail: { payout: 25 } },
    ]);
  });

  it("counts from the caller's ring, backwards for what another clock says was before it", () => {
    const rows = toTimeline(storyOf(eventsOf(signalsOfCall(1)), { traces: [trace("plan.selected", at(-3))] }));
    expect(rows[0]).toMatchObject({ seq: 1, event: "plan.selected", offset_ms: -3 });
    expect(rows[1]).toMatchObject({ event: "call.incoming", offset_ms: 0 });
  });

  /** A few milliseconds, so that much falls on the same one. */
  const moment = fc.integer({ min: 0, max: 3 }).map(at);
  const signals = fc
    .record({ answered: fc.integer({ min: 0, max: 3 }), ended: fc.integer({ min: 3, max: 6 }), connects: fc.boolean() })
    .map(({ answered, ended, connects }) => [
      anIncoming(),
      aDialing({ buyer_terms: { revenue: 30 } }),
      ...(connects ? [anAnswered({ at: at(answered) }), aHungUp({ at: at(ended) })] : [aFailed({ at: at(ended) })]),
    ]);
  const written = fc
    .array(fc.record({ event: fc.constantFrom(...traceEvents), occurred_at: moment }), { maxLength: 8 })
    .map((traces) => traces.toSorted((one, other) => (one.occurred_at < other.occurred_at ? -1 : 1)))
    .map((traces) => traces.map((each, index): Row => ({ ...each, detail: { index: String(index) } })));
  const delivered = fc.array(fc.record({ created_at: moment }), { maxLength: 4 });

  it("rises in order and time, and keeps the meaning of what bears one millisecond", () => {
    fc.assert(
      fc.property(signals, written, delivered, (told, traces, outgoing) => {
        const story = storyOf(eventsOf(told), { traces, outgoing, incoming: outgoing });
        const rows = toTimeline(story);
        rows.forEach((row, index) => {
          expect(row.seq).toBe(index + 1);
          expect(row.at >= (rows[index - 1]?.at ?? "")).toBe(true);
          expect(row.offset_ms).toBe(Date.parse(row.at) - startOfTime);
        });
        expect(rows[0]?.event).toBe("call.incoming");
        const routing = rows.filter(({ source }) => source === "routing");
        expect(routing.map(({ detail }) => Number(detail["index"]))).toEqual(traces.map((_, index) => index));
        const order = [
          "call.incoming",
          "call.connected",
          "call.hangup",
          "conversion.evaluated",
          "call.converted",
          "call.completed",
        ];
        const placed = order.map((name) => rows.findIndex(({ event }) => event === name)).filter((index) => index >= 0);
        expect(placed).toEqual(placed.toSorted((one, other) => one - other));
        for (const connected of rows.filter(({ event }) => event === "call.connected"))
          for (const dial of routing) if (dial.at === connected.at) expect(dial.seq).toBeLessThan(connected.seq);
        expect(namesOf(story)).toHaveLength(rows.length);
      }),
      { numRuns: 200 },
    );
  });
});
