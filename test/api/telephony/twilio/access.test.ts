import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSigned, signatureOf } from "../../../../api/telephony/twilio/access.ts";

/** The example that Twilio publishes. */
const address = "https://mycompany.com/myapp.php?foo=1&bar=2";
const form = {
  CallSid: "CA1234567890ABCDE",
  Caller: "+12349013030",
  Digits: "1234",
  From: "+12349013030",
  To: "+18005551212",
};
const signature = "0/KCTR6DLpKmkAf8muzZqo1nDgQ=";

describe("the signature", () => {
  it("of the published example is the published one", () => {
    expect(signatureOf("12345", address, form)).toBe(signature);
    expect(isSigned({ signature, address, form }, ["12345"])).toBe(true);
  });

  it("is good by any of several tokens", () => {
    expect(isSigned({ signature, address, form }, ["new", "12345"])).toBe(true);
    expect(isSigned({ signature, address, form }, ["new"])).toBe(false);
  });

  it.each([
    ["another field", { form: { ...form, Digits: "1235" } }],
    ["a field more", { form: { ...form, More: "" } }],
    ["another address", { address: `${address}&admin=1` }],
    ["a signature cut short", { signature: signature.slice(0, -1) }],
    ["no signature", { signature: "" }],
  ])("does not hold for %s", (_what, other) => {
    expect(isSigned({ signature, address, form, ...other }, ["12345"])).toBe(false);
  });

  it("holds whether or not the carrier signed the port", () => {
    const signed = (by: string, from: string) =>
      isSigned({ signature: signatureOf("12345", by, form), address: from, form }, ["12345"]);
    expect(signed("https://a.example:443/x", "https://a.example/x")).toBe(true);
    expect(signed("https://a.example/x", "https://a.example:8443/x")).toBe(true);
    expect(signed("http://[::1]:80/x?y=1", "http://[::1]/x?y=1")).toBe(true);
    expect(signed("https://b.example/x", "https://a.example/x")).toBe(false);
  });

  it("takes every value of a name once, in order", () => {
    const twice = { ...form, A: ["2", "1", "2"] };
    expect(signatureOf("12345", address, twice)).toBe(signatureOf("12345", address, { ...form, A: ["1", "2"] }));
  });

  it("of whatever is sent can be made and does not fit a different token", () => {
    const anyForm = fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.array(fc.string())));
    fc.assert(
      fc.property(fc.string(), anyForm, (path, fields) => {
        const signed = { address: `https://a.example/${path}`, form: fields };
        const made = signatureOf("token", signed.address, fields);
        expect(isSigned({ ...signed, signature: made }, ["token"])).toBe(true);
        expect(isSigned({ ...signed, signature: made }, ["other"])).toBe(false);
      }),
    );
  });
});
