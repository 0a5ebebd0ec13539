import { describe, expect, it } from "vitest";
import { deliveryStateOf, pausedBySystem, type WebhookState } from "../../../api/config/delivery-state.ts";
import { secondsIn, startOfTime } from "../../make.ts";

const failing = { failing_since: secondsIn(0), exhausted: false, paused: false, next_probe_at: null };
const pausedFor = (reason: string): WebhookState["pause"] => ({
  paused_at: secondsIn(0),
  paused_until: null,
  paused_by: pausedBySystem,
  reason,
});

describe("the state that is shown", () => {
  const stateAt = (state: WebhookState) => deliveryStateOf(state, startOfTime + 60_000);
  const nothing = { delivery_reason: null, failing_since: null, next_probe_at: null };

  it("is ok, failing, or paused with a reason", () => {
    const probed = { ...failing, paused: true, next_probe_at: secondsIn(600) };
    expect(stateAt({})).toEqual({ ...nothing, delivery_state: "ok" });
    expect(stateAt({ health: failing })).toEqual({
      ...nothing,
      delivery_state: "failing",
      failing_since: secondsIn(0),
    });
    expect(stateAt({ pause: pausedFor("failing"), health: probed })).toEqual({
      delivery_state: "paused",
      delivery_reason: "failing",
      failing_since: secondsIn(0),
      next_probe_at: secondsIn(600),
    });
    expect(stateAt({ pause: pausedFor("gone") })).toEqual({
      ...nothing,
      delivery_state: "paused",
      delivery_reason: "gone",
    });
  });

  it("is as asked for when its owner paused it, until that has ended", () => {
    const pause = { paused_at: secondsIn(0), paused_until: secondsIn(61), paused_by: "api_key:k" };
    expect(stateAt({ pause })).toEqual({ ...nothing, delivery_state: "paused", delivery_reason: "requested" });
    expect(stateAt({ pause: { ...pause, paused_until: secondsIn(60) } })).toEqual({ ...nothing, delivery_state: "ok" });
  });

  it("is ok again once what it was paused for was resumed by its owner", () => {
    expect(stateAt({ pause: null, health: { ...failing, paused: true } })).toEqual({
      ...nothing,
      delivery_state: "ok",
    });
  });
});
