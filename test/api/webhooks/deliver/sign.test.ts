import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newSigningSecret, rotated, signed } from "../../../../api/webhooks/deliver/sign.ts";
import { startOfTime } from "../../../make.ts";

const request = { method: "POST", url: "https://crm.example/", headers: { a: "b" }, body: '{"test": 2432232314}' };
const at = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", now: 1_614_265_330_000 };
/** The example of the Standard Webhooks specification and of its libraries. */
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const dayMs = 86_400_000;

describe("a signed request", () => {
  it("has the headers of Standard Webhooks, by its own test vector", () => {
    expect(signed(request, { secret, previous: null }, at).headers).toEqual({
      a: "b",
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it("is signed by both secrets until the earlier one ends, to the millisecond", () => {
    const signing = rotated({ secret, previous: null }, newSigningSecret(), startOfTime);
    const signaturesAt = (now: number) =>
      signed(request, signing, { ...at, now }).headers["webhook-signature" as keyof typeof request.headers]?.split(" ");
    expect(signaturesAt(startOfTime)).toHaveLength(2);
    expect(signaturesAt(startOfTime + dayMs - 1)).toHaveLength(2);
    expect(signaturesAt(startOfTime + dayMs)).toHaveLength(1);
    expect(rotated(signing, newSigningSecret(), startOfTime).previous?.secret).toBe(signing.secret);
  });

  it("without a body signs the empty one, and without a secret nothing is signed", () => {
    const { headers } = signed({ ...request, body: null }, { secret, previous: null }, at);
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const expected = createHmac("sha256", key).update(`${at.id}.1614265330.`).digest("base64");
    expect(headers).toMatchObject({ "webhook-signature": `v1,${expected}` });
    expect(signed(request, null, at)).toBe(request);
  });

  it("does not let a template's header stand in for a signature", () => {
    const forged = { ...request, headers: { "webhook-signature": "v1,forged", "webhook-id": "another" } };
    const { headers } = signed(forged, { secret, previous: null }, at);
    expect(JSON.stringify(headers)).not.toMatch(/forged|another/);
  });

  it("has a secret of 256 bits of its own each time", () => {
    const secrets = [newSigningSecret(), newSigningSecret()];
    expect(new Set(secrets).size).toBe(2);
    for (const each of secrets) expect(Buffer.from(each.replace("whsec_", ""), "base64")).toHaveLength(32);
  });
});
