import { describe, expect, it } from "vitest";
import type { CarrierDeps } from "../../../../api/telephony/carriers.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";
import { orgOne, orgTwo } from "../../../make.ts";
import { aDial, trackingNumber } from "../fake-calls.ts";
import { openRig } from "./callbacks.ts";

const at = (name: string, query = "") => `/telephony/twilio/${name}?org_id=org_one&call_id=call-1${query}`;

describe("an arriving call", () => {
  it("is told by the carrier's name for it, and dialed with the addresses that its callbacks go to", async () => {
    const rig = openRig();
    const { Dial } = await rig.arrive();
    expect(rig.arriving).toEqual([
      { call_sid: "CA1", provider: "twilio", from: "+12125550123", to: trackingNumber, tags: {} },
    ]);
    expect(Dial["@callerId"]).toBe("+12125550123");
    expect(Dial["@action"]).toBe(`https://calls.example${at("dial-action", "&dial=1")}`);
    expect(Dial.Number["@statusCallback"]).toBe(`https://calls.example${at("status", "&dial=1")}`);
  });

  it("is not placed by where its number is registered", async () => {
    const rig = openRig();
    await rig.arrive({ FromZip: "10001", FromState: "NY", FromCity: "NEW YORK" });
    expect(rig.arriving[0]).not.toHaveProperty("caller_zip");
    expect(rig.arriving[0]).not.toHaveProperty("caller_state");
  });

  it("without a number is from somebody anonymous, and shown as the carrier likes", async () => {
    const rig = openRig();
    const { Dial } = await rig.arrive({ From: "" });
    expect(rig.arriving[0]?.from).toBe("anonymous");
    expect(Dial).not.toHaveProperty("@callerId");
  });

  it.each(["+266696687", "+7378742833", "+2562533", "+8656696", "+86282452253", " +86282452253 "])(
    "from %j, which spells that the number was withheld, is from somebody anonymous",
    async (From) => {
      const rig = openRig();
      const { Dial } = await rig.arrive({ From });
      expect(rig.arriving[0]?.from).toBe("anonymous");
      expect(Dial).not.toHaveProperty("@callerId");
    },
  );

  it("to a number that nobody has is refused, and an operator is told", async () => {
    const rig = openRig();
    expect(await rig.arrive({ To: "+18005550111" })).toEqual({ Reject: { "@reason": "rejected" } });
    expect(rig.arriving).toEqual([]);
    expect(rig.warnings).toEqual([expect.stringMatching(/\+18005550111 .* no organization has this number/)]);
  });

  it("is its organization's for as long as it lasts, whoever has its number by then", async () => {
    let holder: OrgId | undefined = orgOne;
    const snapshot = { config: () => undefined, holderOf: () => holder };
    const rig = openRig([aDial(1)], { snapshot });
    const first = await rig.arrive();
    for (const now of [undefined, orgTwo]) {
      holder = now;
      expect(await rig.arrive()).toEqual(first);
    }
    expect(rig.warnings).toEqual([]);
  });

  it("logs in at a SIP endpoint with the target's password of the config", async () => {
    const destination = {
      type: "sip" as const,
      target_id: "t",
      timeout_seconds: 9,
      sip_endpoint: "sip:pbx.example",
      sip_username: "user",
    };
    const get = (type: string, id: string) =>
      type === "target" && id === "t" ? { sip_password: "secret" } : undefined;
    const snapshot = { config: () => ({ get }), holderOf: () => "org_one" } as unknown as CarrierDeps["snapshot"];
    const { Dial } = await openRig([aDial(1, { destination })], { snapshot }).arrive();
    expect(Dial.Sip).toMatchObject({ "@username": "user", "@password": "secret" });
  });

  it("that takes too long to decide is asked about again before the carrier gives up, and its failure is told", async () => {
    const rig = openRig();
    let fail = (_error: Error): void => undefined;
    const never = new Promise<never>((_resolve, reject) => {
      fail = reject;
    });
    const late = openRig([], { calls: { ...rig.deps.calls, arrive: () => never } });
    const answer = late.arrive();
    await expect.poll(() => late.clock.sleepers()).toBe(1);
    late.clock.advance(12_000);
    expect(await answer).toEqual({
      Redirect: { "@method": "POST", "#text": "https://calls.example/telephony/twilio/voice" },
    });
    fail(new Error("the store is gone"));
    await expect.poll(() => late.warnings).toEqual([expect.stringContaining("the store is gone")]);
  });
});
