import { describe, expect, it } from "vitest";
import { type ResourceInput, toDocument } from "../../../../api/config/registry.ts";
import { createEndpointRates } from "../../../../api/routing/inbound/inbound-pings.ts";
import { orgOne, secondsIn, startOfTime } from "../../../make.ts";

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
const anEndpoint = (id: string, given: Partial<ResourceInput<"inbound_rtb">> = {}) =>
  toDocument("inbound_rtb", { ...about, id, campaign_id: "cmp-1", publisher_id: "pub-1", rate_limit: 1, ...given });

describe("the rates of endpoints", () => {
  it("are each one's own, and begin anew with another period", () => {
    const rates = createEndpointRates();
    const isOver = (id: string, rate_period: "min" | "hour" = "min") =>
      rates.count(anEndpoint(id, { rate_period }), startOfTime).isOver;
    expect([isOver("1"), isOver("2"), isOver("1"), isOver("1", "hour")]).toEqual([false, false, true, false]);
  });

  it("are forgotten when nothing of them counts any more, and not a millisecond earlier", () => {
    const rates = createEndpointRates();
    for (let id = 0; id < 50; id += 1) rates.count(anEndpoint(String(id)), startOfTime);
    rates.count(anEndpoint("daily", { rate_period: "day" }), startOfTime);
    expect(rates.forget(startOfTime + 59_999)).toBe(51);
    expect(rates.count(anEndpoint("7"), startOfTime + 59_999).isOver).toBe(true);
    expect(rates.forget(startOfTime + 60_000)).toBe(1);
    expect(rates.count(anEndpoint("daily", { rate_period: "day" }), startOfTime + 60_000).isOver).toBe(true);
  });
});
