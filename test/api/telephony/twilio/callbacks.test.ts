import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { secondsIn, startOfTime } from "../../../make.ts";
import { aDial, aMenu } from "../fake-calls.ts";
import { arrival, openRig } from "./callbacks.ts";

const at = (name: string, query = "") => `/telephony/twilio/${name}?org_id=org_one&call_id=call-1${query}`;

describe("a call", () => {
  it("goes through a menu, a busy target and one that answers, and ends", async () => {
    const rig = openRig([aMenu(1), aMenu(2), aDial(1), aDial(2)]);
    const first = await rig.arrive();
    expect(first.Gather["@action"]).toBe(`https://calls.example${at("gather", "&turn=1")}`);
    // Nothing was pressed: the carrier follows the redirection, which has no digits.
    const second = await rig.send(first.Redirect["#text"], arrival);
    const dial = await rig.send(second.Gather["@action"], { ...arrival, Digits: "#" });
    expect(rig.call.digits).toEqual(["", "#"]);
    await rig.send(dial.Dial.Number["@statusCallback"], { CallSid: "CA2", CallStatus: "ringing" });
    const next = await rig.send(dial.Dial["@action"], {
      ...arrival,
      CallStatus: "in-progress",
      DialCallStatus: "busy",
    });
    expect(next.Dial.Number["#text"]).toBe("+18885550102");
    rig.clock.advance(30_000);
    const answered = { CallSid: "CA3", ParentCallSid: "CA1", CallStatus: "in-progress" };
    const Timestamp = new Date(startOfTime + 28_000).toUTCString();
    await rig.send(next.Dial.Number["@statusCallback"], { ...answered, Timestamp });
    rig.clock.advance(42_000);
    const ended = { ...arrival, CallStatus: "in-progress", DialCallStatus: "completed", DialCallDuration: "44" };
    expect(await rig.send(next.Dial["@action"], ended)).toEqual({ Hangup: "" });
    expect(rig.call).toMatchObject({ connectedAt: secondsIn(28), endedBy: "target", endedAt: secondsIn(72) });
  });

  it("is over for the caller when the caller's own leg is, and not when a destination's is", async () => {
    const rig = openRig();
    await rig.arrive();
    await rig.send(at("status", "&dial=1"), { CallSid: "CA2", ParentCallSid: "CA1", CallStatus: "completed" });
    await rig.send("/telephony/twilio/status", { CallSid: "CA2", ParentCallSid: "CA1", CallStatus: "completed" });
    for (const CallStatus of ["in-progress", "queued", "gone-fishing"]) {
      await rig.send("/telephony/twilio/status", { CallSid: "CA1", CallStatus });
    }
    await rig.send("/telephony/twilio/status", { CallSid: "CA-other", CallStatus: "completed" });
    expect(rig.call.endedBy).toBeNull();
    rig.clock.advance(5000);
    const Timestamp = new Date(startOfTime + 4000).toUTCString();
    await rig.send("/telephony/twilio/status", { CallSid: "CA1", CallStatus: "completed", Timestamp });
    expect(rig.call).toMatchObject({ endedBy: "caller", endedAt: secondsIn(4) });
  });

  it("of 52 seconds is no longer for its callbacks being slow, in whichever order they come", async () => {
    const Timestamp = new Date(startOfTime + 61_000).toUTCString();
    const ended = { ...arrival, CallStatus: "in-progress", DialCallStatus: "completed", DialCallDuration: "52" };
    const gone = { CallSid: "CA1", CallStatus: "completed", CallDuration: "52", Timestamp };
    const ends = [
      { address: at("dial-action", "&dial=1"), form: ended },
      { address: "/telephony/twilio/status", form: gone },
    ];
    for (const order of [ends, ends.toReversed()]) {
      const rig = openRig();
      await rig.arrive();
      const heard = new Date(startOfTime).toUTCString();
      await rig.send(at("status", "&dial=1"), { CallSid: "CA2", CallStatus: "in-progress", Timestamp: heard });
      rig.clock.advance(61_000);
      for (const { address, form } of order) await rig.send(address, form);
      expect(rig.call).toMatchObject({ connectedAt: secondsIn(0), endedAt: secondsIn(52) });
    }
  });

  it("whose caller had gone when the destination answered connects nobody", async () => {
    const rig = openRig();
    const { Dial } = await rig.arrive();
    const gone = { ...arrival, CallStatus: "completed", DialCallStatus: "completed", DialCallDuration: "3" };
    await rig.send(Dial["@action"], { ...gone, DialBridged: "false" });
    expect(rig.call).toMatchObject({ connectedAt: null, endedBy: "caller" });
  });

  it("happened when it was heard of where the carrier's time cannot be right", async () => {
    for (const Timestamp of [
      "soon",
      "",
      new Date(startOfTime + 1000).toUTCString(),
      "Mon, 01 Jan 2001 00:00:00 +0000",
    ]) {
      const rig = openRig();
      await rig.arrive();
      await rig.send(at("status", "&dial=1"), { CallSid: "CA2", CallStatus: "in-progress", Timestamp });
      expect(rig.call.connectedAt, Timestamp).toBe(secondsIn(0));
    }
  });

  it("that nobody knows is hung up", async () => {
    const rig = openRig();
    const unknown = "/telephony/twilio/dial-action?org_id=org_two&call_id=call-1&dial=1";
    expect(await rig.send(unknown, { ...arrival, DialCallStatus: "busy" })).toEqual({ Hangup: "" });
  });

  it("has a recording once it can be fetched", async () => {
    const rig = openRig();
    await rig.arrive();
    const RecordingUrl = "https://api.example/RE1";
    for (const RecordingStatus of ["in-progress", "absent", "failed"]) {
      await rig.send(at("recording"), { CallSid: "CA1", RecordingUrl, RecordingStatus });
    }
    await rig.send(at("recording"), { CallSid: "CA1", RecordingUrl: "no address", RecordingStatus: "completed" });
    expect(rig.call.recordings.size).toBe(0);
    await rig.send(at("recording"), { CallSid: "CA1", RecordingUrl, RecordingStatus: "completed" });
    expect([...rig.call.recordings]).toEqual([RecordingUrl]);
  });
});

describe("callbacks of one call", () => {
  const connectedAt = secondsIn(0);
  const recording = { CallSid: "CA1", RecordingUrl: "https://api.example/RE1" };
  const inProgress = { ...arrival, CallStatus: "in-progress" };
  /** Each with those that it cannot come before: what they bring about. */
  const callbacks = [
    { address: "/telephony/twilio/voice", form: arrival, after: [] },
    { address: at("status", "&dial=1"), form: { CallSid: "CA2", CallStatus: "ringing" }, after: [0] },
    { address: at("status", "&dial=1"), form: { CallSid: "CA2", CallStatus: "busy" }, after: [0] },
    { address: at("dial-action", "&dial=1"), form: { ...inProgress, DialCallStatus: "busy" }, after: [0] },
    { address: at("status", "&dial=2"), form: { CallSid: "CA3", CallStatus: "ringing" }, after: [3] },
    {
      address: at("status", "&dial=2"),
      form: { CallSid: "CA3", CallStatus: "in-progress", Timestamp: new Date(connectedAt).toUTCString() },
      after: [3],
    },
    { address: at("status", "&dial=2"), form: { CallSid: "CA3", CallStatus: "completed" }, after: [3] },
    { address: at("recording"), form: { ...recording, RecordingStatus: "completed" }, after: [3] },
    {
      address: at("dial-action", "&dial=2"),
      form: { ...inProgress, ...recording, DialCallStatus: "completed", DialCallDuration: "42" },
      after: [3],
    },
    { address: "/telephony/twilio/status", form: { CallSid: "CA1", CallStatus: "completed" }, after: [8] },
  ] as const;

  /** An order in which everything comes after what brings it about, some of it more than once. */
  const orders = fc
    .record({
      weights: fc.array(fc.nat(), { minLength: callbacks.length, maxLength: callbacks.length }),
      repeats: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 10 }),
    })
    .map(({ weights, repeats }) => {
      const order: number[] = [];
      while (order.length < callbacks.length) {
        const ready = callbacks.flatMap(({ after }, index) =>
          !order.includes(index) && after.every((each) => order.includes(each)) ? [index] : [],
        );
        order.push(ready.toSorted((one, other) => (weights[one] ?? 0) - (weights[other] ?? 0))[0] ?? 0);
      }
      for (const [which, where] of repeats) {
        const from = which % order.length;
        order.splice(from + 1 + (where % (order.length - from)), 0, order[from] ?? 0);
      }
      return order;
    });

  it("in any order and however often leave it in the same state", { tags: ["slow"] }, async () => {
    await fc.assert(
      fc.asyncProperty(orders, async (order) => {
        const rig = openRig();
        rig.clock.advance(42_000);
        for (const index of order) {
          const { address, form } = callbacks[index] ?? callbacks[0];
          await rig.send(address, form);
        }
        expect(rig.call).toMatchObject({ connectedAt, endedBy: "target", endedAt: secondsIn(42) });
        expect([...rig.call.recordings]).toEqual([recording.RecordingUrl]);
      }),
      { numRuns: 300 },
    );
  });

  it("never leave it open, nor dial again, once the caller is gone, whatever is said afterwards", async () => {
    const anyOrder = fc.array(fc.nat(callbacks.length - 1), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(anyOrder, anyOrder, async (before, afterwards) => {
        const rig = openRig();
        await rig.arrive();
        const play = async (order: readonly number[]) => {
          const answers = [];
          for (const index of order) {
            const { address, form } = callbacks[index] ?? callbacks[0];
            answers.push(await rig.send(address, form));
          }
          return answers;
        };
        await play([...before, 9]);
        const { connectedAt: was, endedBy, endedAt } = rig.call;
        expect(endedBy).not.toBeNull();
        for (const answer of await play(afterwards)) expect(answer).not.toHaveProperty("Dial");
        expect(rig.call).toMatchObject({ connectedAt: was, endedBy, endedAt });
      }),
      { numRuns: 200 },
    );
  });
});
