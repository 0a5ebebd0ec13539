import { describe, expect, it } from "vitest";
import { createFailedSignIns, type SignInScheme } from "../../../api/auth/failed-sign-ins.ts";
import { ApiError, SignInError, unauthorized } from "../../../api/serve/errors.ts";
import { startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";

const perMinute = 3;

function openRig() {
  const clock = createManualClock(startOfTime);
  const failed: SignInScheme[] = [];
  const { attempt: signIn } = createFailedSignIns({ perMinute, clock, onFailed: (scheme) => failed.push(scheme) });
  /** Returns the outcome of an attempt with such credentials. */
  const attempt = (outcome: "right" | "wrong" | "missing", address: string | null, scheme: SignInScheme = "token") =>
    signIn({ address, scheme }, () => {
      if (outcome === "wrong") throw new SignInError(401, "unauthorized", "wrong");
      if (outcome === "missing") throw unauthorized("missing");
      return "in";
    }).catch((error: unknown) => (error instanceof ApiError ? error.status : error));
  const fail = async (times: number, address: string, scheme?: SignInScheme) => {
    const answers = [];
    for (let left = times; left > 0; left -= 1) answers.push(await attempt("wrong", address, scheme));
    return answers;
  };
  return { clock, failed, attempt, fail };
}

const [one, other] = ["198.51.100.7", "198.51.100.8"];

describe("failed sign-ins", () => {
  it("beyond the limit of a minute are told to wait, address by address", async () => {
    const { clock, attempt, fail } = openRig();
    expect(await fail(perMinute + 2, one)).toEqual([401, 401, 401, 429, 429]);
    expect(await attempt("wrong", other)).toBe(401);
    clock.advance(60_000);
    expect(await fail(perMinute + 1, one)).toEqual([401, 401, 401, 429]);
  });

  it("say when to try again", async () => {
    const { clock } = openRig();
    const { attempt: signIn } = createFailedSignIns({ perMinute: 0, clock, onFailed: () => undefined });
    const wrong = () => {
      throw new SignInError(401, "unauthorized", "wrong");
    };
    clock.advance(500);
    await expect(signIn({ address: one, scheme: "token" }, wrong)).rejects.toMatchObject({
      status: 429,
      code: "rate_limited",
      headers: { "Retry-After": "60" },
    });
  });

  it("by keys do not shut out whoever signs in by a password from the same address", async () => {
    const { attempt, fail } = openRig();
    await fail(perMinute + 1, one, "token");
    expect(await attempt("right", one, "basic")).toBe("in");
    await fail(perMinute + 1, one, "basic");
    expect(await attempt("right", one, "basic")).toBe(429);
    expect(await attempt("right", one, "metrics_token")).toBe("in");
  });

  it("are those of tokens and signatures together, and are counted by each way to sign in", async () => {
    const { failed, attempt } = openRig();
    for (const scheme of ["signature", "token", "signature"] as const) await attempt("wrong", one, scheme);
    expect(await attempt("wrong", one, "signature")).toBe(429);
    expect(failed).toEqual(["signature", "token", "signature", "signature"]);
  });

  it.each(["api_key", "svc_auth_key"] as const)("by an %s are always told 401, and shut nobody out", async (scheme) => {
    const { failed, attempt, fail } = openRig();
    expect(await fail(10 * perMinute, one, scheme)).toEqual(Array(10 * perMinute).fill(401));
    expect(failed).toHaveLength(10 * perMinute);
    expect(await attempt("wrong", one, "token")).toBe(401);
    await fail(perMinute, one, "token");
    expect(await attempt("wrong", one, "token")).toBe(429);
    expect(await attempt("wrong", one, scheme)).toBe(401);
  });

  it("shut nobody out who has a key, and let no password be tried any more", async () => {
    const { attempt, fail } = openRig();
    await fail(perMinute + 1, one, "basic");
    expect(await attempt("right", one, "basic")).toBe(429);
    expect(await attempt("right", other, "basic")).toBe("in");
    for (const scheme of ["api_key", "token", "signature", "svc_auth_key"] as const)
      expect(await attempt("right", one, scheme)).toBe("in");
  });

  it("are none where there were no credentials, or the address is not known", async () => {
    const { failed, attempt } = openRig();
    for (let times = 0; times < 10; times += 1) expect(await attempt("missing", one, "basic")).toBe(401);
    expect(failed).toEqual([]);
    for (let times = 0; times < 10; times += 1) expect(await attempt("wrong", null, "basic")).toBe(401);
  });

  it("count the addresses of one IPv6 network as one", async () => {
    const { attempt, fail } = openRig();
    const of = (last: number) => `2001:db8:1:2::${last.toString(16)}`;
    for (let last = 1; last <= perMinute; last += 1) expect(await attempt("wrong", of(last))).toBe(401);
    expect(await attempt("wrong", of(99))).toBe(429);
    expect(await fail(1, "2001:db8:1:3::1")).toEqual([401]);
  });

  it("remember a bounded number of addresses", async () => {
    const { attempt, fail } = openRig();
    await fail(perMinute + 1, one);
    for (let place = 0; place < 20_000; place += 1) await attempt("wrong", `10.0.${place >> 8}.${place & 255}`);
    expect(await attempt("wrong", one)).toBe(401);
  });
});
