// @module-tag slow
import { RE2JS } from "re2js";
import { expect, it, onTestFinished, vi } from "vitest";
import { foundCompany } from "../company.ts";
import { done, usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform({ settings: { RTB_RATE_LIMIT_PER_MIN: "10000" } });

const targets = 10;
const patternsOfEach = 50;
const pings = 40;
/** Steps that one decision may take, and of a pattern's program for each character, at the least. */
const [decisionSteps, instructions] = [1_000_000, 20];

it("pings on a plan that has as many patterns as it may compile none, match each at most once, and stop at the longest texts", async () => {
  const member = await join();
  const ids = await foundCompany(member);
  await done(member.patch(`/api/v1/inbound-rtb/${ids.inbound_rtb}`, { rate_limit: 10_000 }));
  const compiled = vi.spyOn(RE2JS, "compile");
  const matched = vi.spyOn(RE2JS.prototype, "matcher");
  onTestFinished(() => void vi.restoreAllMocks());

  const routes: object[] = [];
  for (let target = 0; target < targets; target += 1) {
    const conditions = Array.from({ length: patternsOfEach }, (_, index) => ({
      field: "sunny_tag",
      operator: "not_regex",
      values: [`a[ab]{20}[cd]${target}x${index}`],
    }));
    const line = { name: `Desk ${target}`, buyer_id: ids.buyer, type: "number", number: "+18885550101", revenue: 30 };
    const filters = { enabled: true, groups: [{ conditions }] };
    const { id } = await done(member.post("/api/v1/targets", { ...line, filters }));
    routes.push({ action: "route-to-target", target_id: id, priority: target });
  }
  await done(member.patch(`/api/v1/routing-plans/${ids.routing_plan}`, { routes }));
  expect(compiled).toHaveBeenCalledTimes(targets * patternsOfEach);
  compiled.mockClear();

  const ping = async (caller: number, tag: string) => {
    const query = new URLSearchParams({ caller_id: `212555${caller}`, sunny_tag: tag });
    const response = await fetch(`${rig().url}/inbound_rtb/${ids.public_inbound_rtb}?${query}`);
    expect(response.status).toBe(200);
    return response.json();
  };
  const pingAll = (tag: string) => Promise.all(Array.from({ length: pings }, (_, index) => ping(1000 + index, tag)));

  const short = await pingAll("short");
  expect(short.filter(({ total_routes }) => total_routes > 0)).toHaveLength(pings);
  expect(matched).toHaveBeenCalledTimes(pings * targets * patternsOfEach);
  matched.mockClear();
  await pingAll("ab".repeat(450));
  const characters = matched.mock.calls.reduce((sum, [text]) => sum + String(text).length, 0);
  expect(characters).toBeGreaterThan(0);
  expect(characters * instructions).toBeLessThan(pings * decisionSteps);
  expect(compiled).not.toHaveBeenCalled();
});
