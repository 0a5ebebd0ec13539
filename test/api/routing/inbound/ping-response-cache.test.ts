import { describe, expect, it } from "vitest";
import { aTarget } from "../make-route.ts";
import { openPings } from "./pings.ts";

const caller_id = "+12125550123";
const payoutsOf = ({ eligible_routes }: { eligible_routes: readonly { payout: number }[] }) =>
  eligible_routes.map(({ payout }) => payout);
const aTargetQuote = (id: string, revenue: number) => ({
  route_id: `route-${id}`,
  plan_id: "plan-1",
  kind: "target" as const,
  id,
  rtb_group_id: null,
  buyer_id: "buy-1",
  buyer_terms: { revenue, condition: "call_length_connected" as const, condition_seconds: 30 },
  won: null,
  minimum_bid: 0,
  request_id: null,
  score: null,
  usable_until: null,
  publisher_terms: null,
});

describe("a repeat", () => {
  it("has the answer that stands, its request id and its numbers, until the allocation ends", async () => {
    const { ping, clock, records } = await openPings();
    const first = await ping({ caller_id, sub_id: "a", zip: "10001" });
    clock.advance(29_999);
    expect(await ping({ CID: "212-555-0123", subId: "a", ZipCode: "10001" })).toEqual({ ...first, cached: true });
    clock.advance(1);
    const later = await ping({ caller_id, sub_id: "a", zip: "10001" });
    expect([later.request_id === first.request_id, "cached" in later]).toEqual([false, false]);
    const told = (await records()).map(({ request_id, outcome, allocated_count, allocations }) => {
      return [request_id, outcome, allocated_count, allocations.length];
    });
    expect(told).toEqual([
      [first.request_id, "routes", 3, 3],
      [`${first.request_id}.r1`, "cached", 3, 0],
      [later.request_id, "routes", 3, 3],
    ]);
  });

  it("is not one with another caller, another parameter or at another endpoint", async () => {
    const { ping } = await openPings({ numbers: 10, revenues: [30] });
    const answers = [
      await ping({ caller_id }),
      await ping({ caller_id, subid: "a" }),
      await ping({ cid: "2125550199" }),
    ];
    expect(new Set(answers.map(({ request_id }) => request_id)).size).toBe(3);
  });

  it("is not one without a caller: two unknown ones are not the same", async () => {
    const { ping } = await openPings();
    const [one, two] = [await ping({ zip: "10001" }), await ping({ zip: "10001" })];
    expect(one.eligible_routes[0]?.number).not.toBe(two.eligible_routes[0]?.number);
  });

  it("is not one of an answer without routes: it is judged anew", async () => {
    const { ping, put } = await openPings({ target: { is_active: false }, revenues: [30] });
    expect((await ping()).allocated_count).toBe(0);
    put({ type: "target", doc: aTarget({ id: "t0", revenue: 30 }) });
    expect((await ping()).allocated_count).toBe(1);
  });

  it("is one of a ping that is still being answered", async () => {
    const { ping, records } = await openPings();
    const answers = await Promise.all([ping(), ping(), ping()]);
    expect(new Set(answers.map(({ request_id }) => request_id)).size).toBe(1);
    expect(answers.map(({ cached }) => cached)).toEqual([undefined, true, true]);
    expect((await records()).map(({ request_id }) => request_id.split(".")[1] ?? "").sort()).toEqual(["", "r1", "r2"]);
  });

  it("is not one once the call has come", async () => {
    const { ping, take } = await openPings();
    const first = await ping();
    await take(String(first.eligible_routes[0]?.number));
    expect(await ping()).not.toHaveProperty("cached");
  });

  it("is refused as any ping when the publisher was paused meanwhile", async () => {
    const { ping, setEndpoint } = await openPings();
    await ping();
    setEndpoint({ is_active: false });
    expect(await ping()).toMatchObject({ success: false, error: { code: "inbound_rtb_inactive" } });
  });
});

describe("the time of a ping", () => {
  it("ends at ten seconds with what is there", async () => {
    const { ping, clock, records } = await openPings({
      deps: {
        quote: async ({ routeId }, asking) => {
          if (routeId !== "r1") return new Promise(() => undefined);
          expect(asking.deadlineAt).toBe(asking.call.now + 10_000);
          return { quotes: [aTargetQuote("t1", 20)], unquoted: [], tags: {} };
        },
      },
    });
    const answer = ping();
    while (clock.sleepers() === 0) await Promise.resolve();
    clock.advance(9_999);
    clock.advance(1);
    expect(await answer).toMatchObject({ total_routes: 1, allocated_count: 1, eligible_routes: [{ payout: 20 }] });
    const [record] = await records();
    expect(record).toMatchObject({ processing_ms: 10_000 });
    expect(record?.ineligible_routes.map(({ reason }) => reason)).toEqual(["ping_timeout", "ping_timeout"]);
  });

  it("asks all routes at once, takes of each its best, and says of the others that they lost", async () => {
    let asking = 0;
    let most = 0;
    const { ping, records } = await openPings({
      deps: {
        quote: async ({ to }) => {
          most = Math.max(most, ++asking);
          await new Promise((resolve) => setImmediate(resolve));
          asking -= 1;
          return {
            quotes: [aTargetQuote(String(to?.id), 20), aTargetQuote("loser", 15)],
            unquoted: [],
            tags: {},
          };
        },
      },
    });
    const answer = await ping();
    expect([payoutsOf(answer), answer.total_routes]).toEqual([[20, 20, 20], 3]);
    expect(most).toBe(3);
    const [record] = await records();
    const lost = { destination_type: "target", destination_id: "loser", reason: "lost_auction" };
    expect(record?.ineligible_routes).toMatchObject([lost, lost, lost]);
    expect(record?.life_log.filter(({ detail }) => detail.reason === "lost_auction")).toHaveLength(3);
  });
});
