import { describe, expect, it } from "vitest";
import { endDial, recordingUrlOf, reportOfStatus } from "../../../api/telephony/dial-end.ts";
import { orgOne, secondsIn, startOfTime } from "../../make.ts";
import { aDial, createFakeCalls, over } from "./fake-calls.ts";

const about = { org_id: orgOne, call_id: "call-1" };
const anEnd = { dial: 1, status: "busy", bridged: true, callerGone: false, recordingUrl: null };

function openRig() {
  const fake = createFakeCalls([aDial(1), aDial(2), over()]);
  const to = { calls: fake.calls, about, now: startOfTime + 60_000 };
  return { ...fake, to };
}

describe("a dial that is over", () => {
  it.each([
    ["busy", "busy"],
    ["no-answer", "no_answer"],
    ["failed", "fail"],
    ["canceled", "fail"],
    ["early-media", "no_answer"],
    ["gone-fishing", "fail"],
    ["", "fail"],
  ])("as %j is reported as %s, and the next destination is dialed", async (status, type) => {
    const { to, reports } = openRig();
    const reported = await endDial(to, { ...anEnd, status });
    expect(reports).toEqual([{ type, dial: 1, at: secondsIn(60) }]);
    expect(reported).toMatchObject({ kind: "taken", instruction: { action: "dial", dial: 2 } });
  });

  it.each(["completed", "answered"])(
    "as %s was answered as long ago as it lasted, and the target has hung up",
    async (status) => {
      const { to, call } = openRig();
      const reported = await endDial(to, { ...anEnd, status, connectedSeconds: 42 });
      expect(call).toMatchObject({ connectedAt: secondsIn(18), endedBy: "target", endedAt: secondsIn(60) });
      expect(reported?.instruction).toEqual({ action: "none" });
    },
  );

  it("keeps the time of an answer that was heard before", async () => {
    const { to, call } = openRig();
    await to.calls.report(orgOne, "call-1", { type: "answer", dial: 1, at: secondsIn(17) });
    await endDial(to, { ...anEnd, status: "completed", connectedSeconds: 42 });
    expect(call).toMatchObject({ connectedAt: secondsIn(17), endedAt: secondsIn(59) });
  });

  it("has lasted as long as the carrier has counted, and without a count until we hear of its end", async () => {
    for (const [connectedSeconds, endedAt] of [
      [52, secondsIn(52)],
      [0, secondsIn(0)],
      [61, secondsIn(60)],
      [undefined, secondsIn(60)],
    ] as const) {
      const { to, call } = openRig();
      await to.calls.report(orgOne, "call-1", { type: "answer", dial: 1, at: secondsIn(0) });
      await endDial(to, { ...anEnd, status: "completed", connectedSeconds });
      expect(call).toMatchObject({ connectedAt: secondsIn(0), endedAt });
    }
  });

  it("and was answered after the caller had gone connects nobody", async () => {
    const { to, call } = openRig();
    const end = { ...anEnd, status: "completed", bridged: false, callerGone: true, connectedSeconds: 4 };
    await endDial(to, end);
    expect(call).toMatchObject({ connectedAt: null, endedBy: "caller", endedAt: secondsIn(60) });
  });

  it("and was answered, but not connected, has lasted no time where its answer was heard", async () => {
    const { to, call } = openRig();
    await to.calls.report(orgOne, "call-1", { type: "answer", dial: 1, at: secondsIn(55) });
    await endDial(to, { ...anEnd, status: "completed", bridged: false, callerGone: true, connectedSeconds: 4 });
    expect(call).toMatchObject({ connectedAt: secondsIn(55), endedBy: "caller", endedAt: secondsIn(55) });
  });

  it("and was answered, but not connected with a caller who is still there, leaves the call to the next", async () => {
    const { to, call, reports } = openRig();
    const end = { ...anEnd, status: "answered", bridged: false };
    expect(await endDial(to, end)).toMatchObject({ kind: "taken", instruction: { action: "dial", dial: 2 } });
    expect(reports).toEqual([{ type: "fail", dial: 1, at: secondsIn(60) }]);
    // Said twice: whoever is connected by then is not hung up.
    await to.calls.report(orgOne, "call-1", { type: "answer", dial: 2, at: secondsIn(60) });
    await endDial(to, end);
    expect(call).toMatchObject({ connectedAt: secondsIn(60), endedBy: null });
  });

  it("was hung up by the caller where the caller is gone, whether it was connected or not", async () => {
    for (const status of ["completed", "no-answer", "gone-fishing"]) {
      const { to, call, reports } = openRig();
      await endDial(to, { ...anEnd, status, callerGone: true });
      expect(call.endedBy).toBe("caller");
      expect(reports.map(({ type }) => type)).not.toContain("fail");
    }
  });

  it("brings its recording before the call ends", async () => {
    const { to, reports } = openRig();
    await endDial(to, { ...anEnd, status: "completed", recordingUrl: "https://a.example/1" });
    expect(reports.map(({ type }) => type)).toEqual(["answer", "recorded", "hangup"]);
  });

  it("does not end a call that has gone on to another destination", async () => {
    const { to, call } = openRig();
    await endDial(to, anEnd);
    const reported = await endDial(to, { ...anEnd, status: "completed", connectedSeconds: 5 });
    expect(call).toMatchObject({ connectedAt: null, endedBy: null });
    expect(reported).toMatchObject({ kind: "stale", instruction: { dial: 2 } });
  });

  it("of a call that nobody knows is nothing", async () => {
    const { to } = openRig();
    expect(
      await endDial({ ...to, about: { ...about, call_id: "other" } }, { ...anEnd, status: "completed" }),
    ).toBeNull();
  });
});

describe("a status of a dialed leg", () => {
  it("tells of ringing and of the answer, and of nothing else", () => {
    const where = { dial: 2, at: secondsIn(3) };
    expect(reportOfStatus("ringing", where)).toEqual({ type: "ringing", ...where });
    expect(reportOfStatus("in-progress", where)).toEqual({ type: "answer", ...where });
    expect(reportOfStatus("answered", where)).toEqual({ type: "answer", ...where });
    for (const status of ["queued", "initiated", "completed", "busy", "gone-fishing", ""]) {
      expect(reportOfStatus(status, where), status).toBeNull();
    }
  });
});

describe("the address of a recording", () => {
  it("is one of the web, and not longer than is kept", () => {
    expect(recordingUrlOf("https://api.example/RE1")).toBe("https://api.example/RE1");
    for (const text of [
      undefined,
      "",
      "RE1",
      "file:///etc/passwd",
      "javascript:1",
      `https://a.example/${"x".repeat(2048)}`,
    ]) {
      expect(recordingUrlOf(text)).toBeNull();
    }
  });
});
