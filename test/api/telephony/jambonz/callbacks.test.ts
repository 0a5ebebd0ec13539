import { describe, expect, it } from "vitest";
import type { CarrierDeps } from "../../../../api/telephony/carriers.ts";
import type { Instruction } from "../../../../api/telephony/instruction.ts";
import { jambonzOperations } from "../../../../api/telephony/jambonz/operations.ts";
import type { Verb } from "../../../../api/telephony/jambonz/verbs.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";
import { orgOne, orgTwo, secondsIn } from "../../../make.ts";
import { openServer } from "../../serve/server.ts";
import { callBack, serveCarrier } from "../callback.ts";
import { aDial, aMenu, openCarrier, over, trackingNumber } from "../fake-calls.ts";

const call = "/telephony/jambonz/call";
const status = "/telephony/jambonz/status";
const action = "/telephony/jambonz/action?org_id=org_one&call_id=call-1&dial=";
const arrival = {
  call_sid: "5f3e",
  from: "+12125550123",
  to: trackingNumber,
  call_status: "trying",
  direction: "inbound",
};
const child = { call_sid: "77aa", parent_call_sid: "5f3e", direction: "outbound" };

function openRig(script: readonly Instruction[] = [aDial(1), aDial(2), over()], given: Partial<CarrierDeps> = {}) {
  const carrier = openCarrier(script, given);
  const operations = jambonzOperations(carrier.deps);
  const send = async (address: string, body: object) => (await callBack(operations, address, body)) as Verb[];
  return { ...carrier, operations, send };
}
const verbsOf = (verbs: readonly Verb[]) => verbs.map(({ verb }) => verb);

describe("a call on jambonz", () => {
  it("goes through a menu, a busy target and one that answers, and ends", async () => {
    const rig = openRig([aMenu(1), aDial(1), aDial(2)]);
    const [menu] = await rig.send(call, arrival);
    expect(rig.arriving[0]).toMatchObject({ call_sid: "5f3e", provider: "jambonz", from: "+12125550123" });
    const [dial] = await rig.send(String(menu?.["actionHook"]), { ...arrival, reason: "dtmfDetected", digits: "1" });
    expect(rig.call.digits).toEqual(["1"]);
    const [next] = await rig.send(String(dial?.["actionHook"]), { ...arrival, dial_call_status: "busy" });
    expect(next?.["target"]).toEqual([{ type: "phone", number: "+18885550102" }]);
    rig.clock.advance(8000);
    expect(await rig.send(status, { ...child, call_status: "ringing" })).toEqual([]);
    await rig.send(status, { ...child, call_status: "in-progress" });
    rig.clock.advance(40_000);
    await rig.send(status, { ...child, call_status: "completed" });
    expect(rig.call.endedBy).toBeNull();
    const end = { ...arrival, call_status: "in-progress", dial_call_status: "completed", dial_sip_status: 200 };
    expect(verbsOf(await rig.send(String(next?.["actionHook"]), end))).toEqual(["hangup"]);
    expect(rig.call).toMatchObject({ connectedAt: secondsIn(8), endedBy: "target", endedAt: secondsIn(48) });
    // Once more, and late: nothing changes.
    await rig.send(`${action}1`, { ...arrival, dial_call_status: "busy" });
    await rig.send(status, { ...arrival, call_status: "completed" });
    expect(rig.call).toMatchObject({ endedBy: "target", endedAt: secondsIn(48) });
  });

  it("without a digit in time goes on with none", async () => {
    const rig = openRig([aMenu(1), aDial(1)]);
    const [menu] = await rig.send(call, arrival);
    await rig.send(String(menu?.["actionHook"]), { ...arrival, reason: "timeout" });
    expect(rig.call.digits).toEqual([""]);
  });

  it("that rings until its time is up, as the switch says it, is not answered", async () => {
    const rig = openRig();
    await rig.send(call, arrival);
    await rig.send(`${action}1`, { ...arrival, call_status: "trying", dial_call_status: "ringing" });
    expect(rig.reports).toMatchObject([{ type: "no_answer", dial: 1 }]);
  });

  it("ends with the caller's leg, and with no status that we do not know", async () => {
    const rig = openRig();
    await rig.send(call, arrival);
    for (const call_status of ["early-media", "gone-fishing"]) await rig.send(status, { ...arrival, call_status });
    await rig.send(status, { ...child, call_status: "gone-fishing" });
    expect(rig.reports).toEqual([]);
    await rig.send(status, { ...arrival, call_status: "completed" });
    expect(rig.call.endedBy).toBe("caller");
  });

  it("was connected no longer than the caller's leg was up, whenever its end is told", async () => {
    for (const [duration, endedAt] of [
      [52, secondsIn(52)],
      ["soon", secondsIn(61)],
      [null, secondsIn(61)],
      [undefined, secondsIn(61)],
    ] as const) {
      const rig = openRig();
      await rig.send(call, arrival);
      await rig.send(status, { ...child, call_status: "in-progress" });
      rig.clock.advance(61_000);
      await rig.send(status, { ...arrival, call_status: "completed", duration });
      expect(rig.call, String(duration)).toMatchObject({ connectedAt: secondsIn(0), endedBy: "caller", endedAt });
    }
  });

  it("to a number that nobody has is declined", async () => {
    const rig = openRig();
    expect(await rig.send(call, { ...arrival, to: "+18005550111" })).toEqual([{ verb: "sip:decline", status: 603 }]);
    expect(rig.warnings).toHaveLength(1);
  });

  it("that takes too long to decide is asked about again before the switch gives up", async () => {
    const rig = openRig();
    const late = openRig([], { calls: { ...rig.deps.calls, arrive: () => new Promise(() => {}) } });
    const answer = late.send(call, arrival);
    late.clock.advance(8000);
    expect(await answer).toEqual([{ verb: "redirect", actionHook: "https://calls.example/telephony/jambonz/call" }]);
  });

  it("is its organization's for as long as it lasts, whoever has its number by then", async () => {
    let holder: OrgId | undefined = orgOne;
    const rig = openRig([aDial(1)]);
    const snapshot = { config: () => undefined, holderOf: () => holder };
    const operations = jambonzOperations({ ...rig.deps, snapshot });
    const verbs = await callBack(operations, call, arrival);
    for (const now of [undefined, orgTwo]) {
      holder = now;
      expect(await callBack(operations, call, arrival)).toEqual(verbs);
    }
    expect(rig.warnings).toEqual([]);
  });

  it("is called back on the host that the switch knows where no public address is set", async () => {
    const { settings } = openRig().deps;
    const rig = openRig([aDial(1)], { settings: { ...settings, PUBLIC_URL: undefined } });
    const [dial] = await rig.send(call, arrival);
    expect(dial?.["actionHook"]).toBe(`${action}1`);
  });
});

describe("a request to the adapter", () => {
  async function openServed(settings?: CarrierDeps["settings"]) {
    const rig = openRig([aDial(1)], settings ? { settings } : {});
    const url = await openServer(serveCarrier(rig.operations));
    const post = async (path: string, authorization: string, body = JSON.stringify(arrival)) => {
      const headers = { "Content-Type": "application/json", Authorization: authorization };
      const response = await fetch(url + path, { method: "POST", body, headers });
      return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
    };
    return { ...rig, post };
  }
  const login = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

  it("with the user name and password that were set is answered with verbs", async () => {
    const { post } = await openServed();
    const answer = await post(call, login("switch:secret"));
    expect([answer.status, verbsOf(answer.body)]).toEqual([200, ["dial"]]);
    expect((await post(call, login("switch:secret"), "{}")).body.detail).toMatchObject([
      { loc: ["body", "call_sid"], type: "missing" },
      { loc: ["body", "to"], type: "missing" },
    ]);
  });

  it("with any others is 401, whatever it says, and no call comes of it", async () => {
    const rig = await openServed();
    const wrong = ["", "Basic", "Basic !!", login("switch:"), login("switch:secre"), login(":secret"), "Bearer secret"];
    for (const authorization of wrong) {
      for (const body of [undefined, "{broken"]) {
        const answer = await rig.post(call, authorization, body);
        expect([answer.status, answer.body.detail.code], authorization).toEqual([401, "unauthorized"]);
        expect(answer.headers.get("www-authenticate")).toBe('Basic realm="jambonz"');
      }
    }
    for (const { path } of rig.operations) expect((await rig.post(path, login("a:b"))).status).toBe(401);
    expect(rig.arriving).toEqual([]);
  });

  it("is 404 where no switch is set up, and told what to set", async () => {
    const rig = await openServed({ ...openRig().deps.settings, JAMBONZ_USERNAME: undefined });
    for (const { path } of rig.operations) {
      const { status: code, body } = await rig.post(path, login("switch:secret"));
      expect([code, body.detail.code]).toEqual([404, "not_found"]);
      expect(body.detail.message).toMatch(/JAMBONZ_USERNAME and JAMBONZ_PASSWORD/);
    }
  });
});
