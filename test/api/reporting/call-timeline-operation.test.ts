import { describe, expect, it } from "vitest";
import type { CallId } from "../../../ingest/primitives.ts";
import { aCallTrace, anIncomingRequest, anOutgoingRequest, orgTwo, secondsIn, signalsOfCall } from "../../make.ts";
import { eventsOf } from "../../warehouse/rtb/store.ts";
import { openReports } from "./report-server.ts";

const timeline = "/reports/calls/{call_id}/timeline";
const path = "/reports/calls/call-1/timeline";

describe("the timeline of a call", () => {
  it("is read from what the warehouse holds of the call, and of no other", async () => {
    const { calls, store, shown } = await openReports();
    await calls(eventsOf(signalsOfCall(12)));
    await calls(eventsOf(signalsOfCall(12, { call_id: "call-2" as CallId })));
    await store("call-traces", [
      aCallTrace({ id: "2", event: "dial.started", detail: { target_id: "tgt-1" } }),
      aCallTrace({ id: "1", event: "plan.selected" }),
      aCallTrace({ id: "3", call_id: "call-2" as CallId }),
    ]);
    const created_at = secondsIn(13);
    const refused = { response_status_code: 503, outcome: "refused" } as const;
    await store("webhook-deliveries", [
      anOutgoingRequest({ created_at, ...refused, next_attempt_at: secondsIn(18) }),
      anIncomingRequest({ created_at: secondsIn(6), call_id: "call-1" }),
    ]);
    const { call_id, data, truncated } = await shown(path, timeline);
    expect([call_id, truncated]).toEqual(["call-1", false]);
    expect(data.map(({ event, offset_ms }: { event: string; offset_ms: number }) => [offset_ms, event])).toEqual([
      [0, "call.incoming"],
      [0, "plan.selected"],
      [0, "dial.started"],
      [0, "call.connected"],
      [5000, "call.on_5_secs_mark"],
      [6000, "data.received"],
      [12_000, "call.hangup"],
      [12_000, "conversion.evaluated"],
      [12_000, "call.converted"],
      [12_000, "call.completed"],
      [13_000, "webhook.sent"],
    ]);
    expect(data[2].detail).toEqual({ target_id: "tgt-1" });
    expect(data[7].detail).toMatchObject({ converted: true, rule: { payable: { met: true, condition_seconds: 10 } } });
    expect(data[10].detail).toMatchObject({ id: "out-1", status: 503, next_attempt_at: secondsIn(18) });
  });

  it("of another organization, or none, is not found", async () => {
    const { calls, store, get } = await openReports();
    await calls(eventsOf(signalsOfCall(12)));
    await store("call-traces", [aCallTrace({ call_id: "call-3" as CallId })]);
    expect((await get(path, orgTwo)).status).toBe(404);
    expect((await get("/reports/calls/call-3/timeline")).body.detail.code).toBe("not_found");
  });

  it("says that it was cut", async () => {
    const { calls, store, shown } = await openReports();
    await calls(eventsOf(signalsOfCall(12)));
    await store(
      "call-traces",
      Array.from({ length: 1001 }, (_, index) => aCallTrace({ id: `${index}` })),
    );
    const { data, truncated } = await shown(path, timeline);
    expect([data.length > 1000, truncated]).toEqual([true, true]);
  });
});
