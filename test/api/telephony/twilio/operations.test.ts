import { describe, expect, it } from "vitest";
import type { CarrierDeps } from "../../../../api/telephony/carriers.ts";
import { type Form, signatureOf } from "../../../../api/telephony/twilio/access.ts";
import { twilioOperations } from "../../../../api/telephony/twilio/operations.ts";
import { openServer } from "../../serve/server.ts";
import { serveCarrier } from "../callback.ts";
import { aDial, openCarrier, trackingNumber } from "../fake-calls.ts";

const voice = "/telephony/twilio/voice";
const arrival = { CallSid: "CA1", From: "+12125550123", To: trackingNumber };

async function openRig(settings?: CarrierDeps["settings"]) {
  const carrier = openCarrier([aDial(1)], settings ? { settings } : {});
  const url = await openServer(serveCarrier(twilioOperations(carrier.deps)));
  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const form = { "Content-Type": "application/x-www-form-urlencoded" };
    const response = await fetch(url + path, { method: "POST", body, headers: { ...form, ...headers } });
    return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
  };
  const send = (path: string, fields: Record<string, string>, { token = "new", signed = fields as Form } = {}) => {
    const signature = signatureOf(token, `https://calls.example${path}`, signed);
    return post(path, String(new URLSearchParams(fields)), { "X-Twilio-Signature": signature });
  };
  return { ...carrier, post, send };
}

describe("a signed form", () => {
  it("is answered with XML, by the present token and by the one before", async () => {
    const rig = await openRig();
    for (const token of ["new", "old"]) {
      const { status, type, text } = await rig.send(voice, arrival, { token });
      expect([status, type]).toEqual([200, "text/xml; charset=utf-8"]);
      expect(text).toMatch(/^<\?xml version="1.0" encoding="UTF-8"\?><Response><Dial /);
    }
  });

  it("may have fields that we have never heard of, and the same field twice", async () => {
    const rig = await openRig();
    const signed = { ...arrival, StirVerstat: "TN-Validation-Passed-A", More: ["a b", "ü&="], __proto__x: "1" };
    const fields = new URLSearchParams({ ...arrival, StirVerstat: signed.StirVerstat, __proto__x: "1" });
    for (const value of signed.More) fields.append("More", value);
    const signature = signatureOf("new", `https://calls.example${voice}`, signed);
    expect((await rig.post(voice, String(fields), { "X-Twilio-Signature": signature })).status).toBe(200);
  });

  it("whose fields are missing or wrong is 422 at each", async () => {
    const rig = await openRig();
    const { status, text } = await rig.send("/telephony/twilio/dial-action?org_id=org_one&dial=one", {});
    expect(status).toBe(422);
    expect(JSON.parse(text).detail.map(({ loc }: { loc: string[] }) => loc.join("."))).toEqual([
      "query.call_id",
      "query.dial",
    ]);
    const body = await rig.send(voice, { CallSid: "CA1" });
    expect(JSON.parse(body.text).detail).toMatchObject([{ loc: ["body", "To"], type: "missing" }]);
  });
});

describe("a form that was not signed by the carrier", () => {
  it("is 403, whatever it says, and no call comes of it", async () => {
    const rig = await openRig();
    const action = "/telephony/twilio/dial-action?org_id=org_one&call_id=call-1&dial=1";
    const refused = [
      await rig.send(voice, arrival, { token: "guessed" }),
      await rig.send(voice, arrival, { signed: { ...arrival, To: "+18005550111" } }),
      await rig.send(voice, {}, { signed: arrival }),
      await rig.post(voice, String(new URLSearchParams(arrival))),
      await rig.post(voice, "{broken", { "X-Twilio-Signature": "AAAA" }),
      await rig.post(voice, "{broken", { "X-Twilio-Signature": "AAAA", "Content-Type": "application/json" }),
      await rig.post(action, "", { "X-Twilio-Signature": signatureOf("new", "https://calls.example/else", {}) }),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 403));
    for (const { text } of refused) expect(JSON.parse(text).detail.code).toBe("forbidden");
    expect([rig.arriving, rig.reports]).toEqual([[], []]);
  });

  it("is not read when it is too large, or has too many fields", async () => {
    const rig = await openRig();
    const signature = { "X-Twilio-Signature": "AAAA" };
    expect((await rig.post(voice, `To=${"1".repeat(70_000)}`, signature)).status).toBe(413);
    expect((await rig.post(voice, "a=1&".repeat(2000), signature)).status).toBe(413);
  });
});

describe("without a carrier", () => {
  it("there is nothing here, and the answer says what to set", async () => {
    const rig = await openRig({ PUBLIC_URL: undefined, TWILIO_AUTH_TOKEN: undefined });
    const { status, text } = await rig.send(voice, arrival);
    expect(status).toBe(404);
    expect(JSON.parse(text).detail).toMatchObject({
      code: "not_found",
      message: expect.stringMatching(/TWILIO_AUTH_TOKEN.*PUBLIC_URL/),
    });
  });
});
