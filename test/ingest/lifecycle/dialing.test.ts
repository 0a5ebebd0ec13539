import { describe, expect, it } from "vitest";
import { shownRecordingUrl } from "../../../ingest/call.ts";
import { aDialFailed, aDialing, aHungUp, anAnswered, anIncoming, aRecorded, aTagged, secondsIn } from "../../make.ts";
import { foldSignals } from "./signals.ts";

const first = { target: { id: "tgt-1", name: "First", type: "number" } };
const second = { target: { id: "tgt-2", name: "Second", type: "number" } };

describe("whether a call is a duplicate", () => {
  const judged = (...signals: Parameters<typeof foldSignals>[0]) => {
    const { is_duplicate, duplicate_of } = foldSignals(signals).call;
    return { is_duplicate, duplicate_of };
  };

  it("is as it came in, until a destination has judged it", () => {
    expect(judged(anIncoming())).toEqual({ is_duplicate: false, duplicate_of: null });
    const known = { is_duplicate: true, duplicate_of: "earlier" };
    expect(judged(anIncoming(known))).toEqual(known);
    expect(judged(anIncoming(known), aDialing())).toEqual(known);
  });

  it("follows the present destination's verdict", () => {
    const signals = [anIncoming(), aDialing({ ...first, duplicate_of: "earlier" })];
    expect(judged(...signals)).toEqual({ is_duplicate: true, duplicate_of: "earlier" });
    expect(judged(...signals, aDialFailed(), aDialing(second))).toEqual({ is_duplicate: false, duplicate_of: null });
  });

  it("goes back to what it came in as, after a destination that named another call", () => {
    const known = { is_duplicate: true, duplicate_of: "arrived" };
    const signals = [anIncoming(known), aDialing({ ...first, duplicate_of: "earlier" })];
    expect(judged(...signals)).toEqual({ is_duplicate: true, duplicate_of: "earlier" });
    expect(judged(...signals, aDialFailed(), aDialing(second))).toEqual(known);
  });

  it("is known of a call whose messages are older than its verdicts", () => {
    const known = { is_duplicate: true, duplicate_of: "arrived" };
    const { call } = foldSignals([anIncoming(known)]);
    const old = { ...call, terms: { ...call.terms, arrived: null } };
    expect(foldSignals([aDialing(), aDialFailed(), aDialing(second)], old).call).toMatchObject(known);
  });
});

describe("money that an earlier call takes", () => {
  it("is taken by the destination that answered, not by one that failed", () => {
    const { call } = foldSignals([
      anIncoming(),
      aDialing({ ...first, payable: false, receivable: false }),
      aDialFailed(),
      aDialing(second),
      anAnswered(),
      aHungUp({ at: secondsIn(20) }),
    ]);
    expect(call).toMatchObject({ payable: true, receivable: true, revenue: 30, payout: 20 });
  });
});

describe("a call to a formula's own number", () => {
  it("has no target, and the formula and its buyer", () => {
    const { call } = foldSignals([anIncoming(), aDialing({ target: null, rtb_id: "rtb-1", rtb_group_id: "grp-1" })]);
    expect(call).toMatchObject({ target_id: null, target_name: null, target_type: null, rtb_id: "rtb-1" });
    expect(call).toMatchObject({ rtb_group_id: "grp-1", buyer_id: "buy-1", configured_revenue: 30 });
  });
});

describe("the time in menus", () => {
  const duration = (...signals: Parameters<typeof foldSignals>[0]) => foldSignals(signals).call.ivr_duration;
  const dialed = (seconds: number, given: object = {}) =>
    aDialing({ at: secondsIn(seconds), after_menu: true, ...given });

  it("is whole seconds from the start to the first dial", () => {
    expect(duration(anIncoming(), aTagged(), dialed(12.9))).toBe(12);
    expect(duration(anIncoming(), dialed(0))).toBe(0);
    expect(duration(anIncoming(), dialed(-1))).toBe(0);
  });

  it("does not change with later dials", () => {
    expect(duration(anIncoming(), dialed(12, first), aDialFailed(), dialed(40, second))).toBe(12);
  });

  it("is not known of a call that went through none, or was dialed nowhere", () => {
    expect(duration(anIncoming(), aDialing({ at: secondsIn(12) }))).toBeNull();
    expect(duration(anIncoming(), aDialing(), aDialFailed(), dialed(40, second))).toBeNull();
    expect(duration(anIncoming(), aTagged(), aHungUp({ at: secondsIn(9) }))).toBeNull();
  });
});

describe("a recording's address", () => {
  const shown = (campaign: boolean, destination: boolean) => {
    const { call } = foldSignals([
      anIncoming({ recording_access: campaign }),
      aDialing({ recording_access: destination }),
      anAnswered(),
      aRecorded(),
    ]);
    expect(call.recording_url).toBe("https://switch.example/r/1");
    return shownRecordingUrl(call);
  };

  it("is shown only where campaign and destination allow it, and kept in any case", () => {
    expect(shown(true, true)).toBe("https://switch.example/r/1");
    expect([shown(false, true), shown(true, false), shown(false, false)]).toEqual([null, null, null]);
  });

  it("is shown by the rule of the destination that took the call", () => {
    const { call } = foldSignals([
      anIncoming(),
      aDialing({ ...first, recording_access: false }),
      aDialFailed(),
      aDialing(second),
      anAnswered(),
      aRecorded(),
    ]);
    expect(shownRecordingUrl(call)).toBe("https://switch.example/r/1");
  });
});
