import { describe, expect, it } from "vitest";
import { tags as tagsSchema } from "../../../ingest/primitives.ts";
import { aDialing, aHungUp, anIncoming, aTagged, secondsIn, signalsOfCall } from "../../make.ts";
import { foldSignals } from "./signals.ts";

const arriving = anIncoming({ tags: { source: "web", lead: "cold" } });

describe("the tags of a call", () => {
  it("come together from its signals, the later value of a name winning", () => {
    const { call } = foldSignals([
      arriving,
      aTagged({ tags: { lead: "warm", ivr_choice: "solar" } }),
      aDialing({ tags: { ivr_choice: "roofing", bid_id: "7" } }),
    ]);
    expect(call.tags).toEqual({ source: "web", lead: "warm", ivr_choice: "roofing", bid_id: "7" });
  });

  it("keep what a newer signal has said when an older one comes again", () => {
    const asked = aTagged({ at: secondsIn(2), tags: { ivr_choice: "solar", menu: "a" } });
    const again = aTagged({ at: secondsIn(5), tags: { ivr_choice: "roofing" } });
    const expected = { ivr_choice: "roofing", menu: "a" };
    expect(foldSignals([anIncoming(), asked, again, asked]).call.tags).toEqual(expected);
    expect(foldSignals([anIncoming(), again, asked]).call.tags).toEqual(expected);
  });

  it("are no more than a call may have: those that were there stay, and change", () => {
    const many = (prefix: string, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, "x"]));
    const { call } = foldSignals([
      anIncoming({ tags: many("a", 99) }),
      aTagged({ tags: { ...many("b", 5), a0: "y" } }),
    ]);
    expect(Object.keys(call.tags)).toHaveLength(100);
    expect(call.tags).toMatchObject({ a0: "y", b0: "x" });
    expect(tagsSchema.safeParse(call.tags).success).toBe(true);
  });
});

describe("a call that is tagged", () => {
  it("tells it with its next event while it goes on", () => {
    const [incoming, ...rest] = signalsOfCall(16);
    if (incoming === undefined) throw new Error("no signals");
    const { events } = foldSignals([incoming, aTagged(), ...rest]);
    expect(events.map(({ event, tags }) => [event, tags.ivr_choice])).toEqual([
      ["call.incoming", undefined],
      ["call.connected", "solar"],
      ["call.on_5_secs_mark", "solar"],
      ["call.on_15_secs_mark", "solar"],
      ["call.hangup", "solar"],
      ["call.converted", "solar"],
      ["call.completed", "solar"],
    ]);
  });

  it("is corrected, once, when it is over", () => {
    const late = aTagged({ at: secondsIn(60) });
    const { events, call } = foldSignals([...signalsOfCall(16), late, late]);
    expect(events.filter(({ event }) => event === "call.updated")).toHaveLength(1);
    expect(call).toMatchObject({ tags: { ivr_choice: "solar" }, status: "completed", revenue: 30 });
  });

  it("is corrected where it was hung up in a menu", () => {
    const { names } = foldSignals([anIncoming(), aHungUp({ at: secondsIn(3) }), aTagged({ at: secondsIn(2) })]);
    expect(names.at(-1)).toBe("call.updated");
  });
});
