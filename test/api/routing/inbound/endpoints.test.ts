import { describe, expect, it } from "vitest";
import { openPings, receiver } from "./pings.ts";

const caller_id = "+12125550123";

describe("how an endpoint receives", () => {
  it("dynamic: a call finds its number's own route, then the others that earn the promise", async () => {
    const { ping, take } = await openPings({ endpoint: { payout_percentage: 80 } });
    const { request_id, eligible_routes } = await ping();
    const [, second] = eligible_routes;
    const taken = await take(String(second?.number));
    expect(taken).toMatchObject({
      kind: "matched",
      promised: { request_id, campaign_id: "cmp-1", publisher_id: "pub-1" },
    });
    if (taken.kind !== "matched") return;
    expect(taken.promised.quotes.map(({ id, publisher_terms }) => [id, publisher_terms?.payout])).toEqual([
      ["t1", 16],
      ["t0", 16],
    ]);
  });

  it("static_standard: one entry, the best route, on the receive number", async () => {
    const endpoint = { receive_mode: "static_standard", receive_number_id: "receiver" } as const;
    const { ping, take, records } = await openPings({ endpoint });
    const answer = await ping();
    expect(answer).toMatchObject({
      total_routes: 3,
      allocated_count: 1,
      eligible_routes: [{ number: receiver, payout: 30 }],
    });
    const taken = await take(receiver);
    expect(taken.kind === "matched" && taken.promised.quotes.map(({ id }) => id)).toEqual(["t0"]);
    expect((await records())[0]?.ineligible_routes).toEqual([]);
  });

  it("static_multi_bid: all routes on the receive number, each on its own terms", async () => {
    const endpoint = { receive_mode: "static_multi_bid", receive_number_id: "receiver" } as const;
    const { ping, take } = await openPings({ endpoint });
    const answer = await ping();
    expect(answer).toMatchObject({ total_routes: 3, allocated_count: 3 });
    expect(answer.eligible_routes.map(({ number, payout }) => [number, payout])).toEqual([
      [receiver, 30],
      [receiver, 20],
      [receiver, 10],
    ]);
    expect(await take(receiver, "+12125550999")).toEqual({ kind: "caller_mismatch" });
    const taken = await take(receiver);
    if (taken.kind !== "matched") throw new Error(taken.kind);
    expect(taken.promised.quotes.map(({ publisher_terms }) => publisher_terms?.payout)).toEqual([30, 20, 10]);
    expect(await take(receiver)).toMatchObject({ kind: "matched" });
  });

  it("passes on what the ping said, and ends with its time", async () => {
    const { ping, take, clock } = await openPings({ endpoint: { allocation_time_seconds: 5 } });
    const one = await ping({ caller_id, zip: "90210", subid: "a" });
    const [first, second] = one.eligible_routes.map(({ number }) => number);
    expect(await take(String(first))).toMatchObject({
      promised: { zip: "90210", state: "CA", tags: { subid: "a" }, caller: caller_id, inbound_rtb_id: "public" },
    });
    clock.advance(5000);
    expect(await take(String(second))).toEqual({ kind: "allocation_expired" });
  });
});

describe("the rate of an endpoint", () => {
  it("slides, counts repeats too, and says when to try again", async () => {
    const { ping, pingWith, clock, records } = await openPings({ endpoint: { rate_limit: 2, rate_period: "min" } });
    await ping();
    clock.advance(20_000);
    expect(await ping()).toMatchObject({ cached: true });
    const over = { kind: "rate_limited", rate: { limit: 2, retryAfterSeconds: 40 } };
    expect(await pingWith([["cid", "2125550199"]])).toMatchObject(over);
    clock.advance(39_999);
    expect(await pingWith([])).toMatchObject({ kind: "rate_limited", rate: { retryAfterSeconds: 1 } });
    clock.advance(1);
    expect(await pingWith([])).toMatchObject({ kind: "answered" });
    expect((await records()).map(({ outcome }) => outcome)).toEqual([
      "routes",
      "cached",
      "rate_limited",
      "rate_limited",
      "routes",
    ]);
  });

  it("comes after the state of who is asked", async () => {
    const { ping, setEndpoint } = await openPings({ endpoint: { rate_limit: 1 } });
    await ping();
    setEndpoint({ rate_limit: 1, is_active: false });
    expect(await ping()).toMatchObject({ error: { code: "inbound_rtb_inactive" } });
  });
});
