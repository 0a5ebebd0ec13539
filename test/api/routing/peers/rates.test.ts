import { describe, expect, it } from "vitest";
import { type ResourceInput, toDocument } from "../../../../api/config/registry.ts";
import { createEndpointRates } from "../../../../api/routing/inbound/inbound-pings.ts";
import { orgOne, orgTwo, secondsIn } from "../../../make.ts";
import { openPeers } from "./open-peers.ts";

const anEndpoint = (given: Partial<ResourceInput<"inbound_rtb">> = {}) =>
  toDocument("inbound_rtb", {
    org_id: orgOne,
    created_at: secondsIn(0),
    updated_at: secondsIn(0),
    id: "1",
    campaign_id: "cmp-1",
    publisher_id: "pub-1",
    rate_limit: 10,
    ...given,
  });

function open() {
  const rig = openPeers(2);
  const rates = rig.processes.map(({ peers }) => createEndpointRates(peers));
  /** How many of so many pings pass in one process. */
  const pass = (process: number, pings: number, given: Parameters<typeof anEndpoint>[0] = {}) =>
    Array.from({ length: pings }, () => rates[process]?.count(anEndpoint(given), rig.clock.now())).filter(
      (rate) => rate?.isOver === false,
    ).length;
  return { ...rig, pass };
}

describe("an endpoint's rate in two processes", () => {
  it("is one as soon as each has heard what the other counts, until it leaves the window", async () => {
    const { pass, exchange, clock } = open();
    expect(pass(0, 6)).toBe(6);
    await exchange();
    expect(pass(1, 20)).toBe(4);
    await exchange();
    expect([pass(0, 5), pass(1, 5)]).toEqual([0, 0]);
    clock.advance(59_999);
    expect([pass(0, 5), pass(1, 5)]).toEqual([0, 0]);
    clock.advance(251);
    expect(pass(1, 20)).toBe(10);
  });

  it("passes more by what comes to the others before they have heard, and by nothing afterwards", async () => {
    const { pass, exchange, clock } = open();
    expect([pass(0, 20), pass(1, 20)]).toEqual([10, 10]);
    for (let round = 0; round < 10; round += 1) {
      await exchange();
      expect([pass(0, 1), pass(1, 1)]).toEqual([0, 0]);
      clock.advance(5990);
    }
  });

  it("counts a slot that goes on as it was told last, not twice", async () => {
    const { pass, exchange } = open();
    for (let round = 0; round < 5; round += 1) {
      expect(pass(0, 1)).toBe(1);
      await exchange();
    }
    expect(pass(1, 20)).toBe(5);
  });

  it("is each organization's and each endpoint's own, and each period's", async () => {
    const { pass, exchange } = open();
    expect(pass(0, 20)).toBe(10);
    await exchange();
    const others = [{ org_id: orgTwo }, { id: "2" }, { rate_period: "day" }] as const;
    expect(others.map((given) => pass(1, 20, given))).toEqual([10, 10, 10]);
    expect(pass(1, 20)).toBe(0);
  });

  it("of a day is known to a process that starts in its midst", async () => {
    const { pass, exchange, clock, openProcess } = open();
    expect(pass(0, 7, { rate_period: "day" })).toBe(7);
    await exchange();
    clock.advance(12 * 3_600_000);
    const late = openProcess();
    const rates = createEndpointRates(late.peers);
    await late.round();
    await exchange();
    const passed = Array.from({ length: 20 }, () => rates.count(anEndpoint({ rate_period: "day" }), clock.now()));
    expect(passed.filter(({ isOver }) => !isOver)).toHaveLength(3);
  });

  it("is each one's own while the database is away, and one again when it is back", async () => {
    const { pass, exchange, setAway } = open();
    setAway(true);
    expect(pass(0, 4)).toBe(4);
    await exchange();
    expect(pass(1, 4)).toBe(4);
    setAway(false);
    await exchange();
    expect([pass(0, 9), pass(1, 9)]).toEqual([2, 2]);
  });
});
