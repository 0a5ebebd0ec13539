import { describe, expect, it } from "vitest";
import { createOrgConfig } from "../../../../api/config/org-config.ts";
import { type ResourceInput, toDocument } from "../../../../api/config/registry.ts";
import { isAllocated, poolsOf } from "../../../../api/routing/inbound/number-pools.ts";
import { orgOne, secondsIn } from "../../../make.ts";

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };

function openRig() {
  const { config, put, remove } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  const endpoint = (given: Partial<ResourceInput<"inbound_rtb">> = {}) =>
    toDocument("inbound_rtb", { ...about, id: "5", campaign_id: "c", publisher_id: "p", ...given });
  return {
    config,
    remove,
    endpoint,
    pool: (id: string, given: Partial<ResourceInput<"number_pool">> = {}) =>
      put({ type: "number_pool", doc: toDocument("number_pool", { ...about, id, name: id, ...given }) }),
    number: (number: string, given: Partial<ResourceInput<"number">> = {}) =>
      put({ type: "number", doc: toDocument("number", { ...about, id: `id of ${number}`, number, ...given }) }),
    receive: (number: string | null) => {
      const receives = { receive_mode: "static_standard", receive_number_id: `id of ${number}` } as const;
      put({ type: "inbound_rtb", doc: endpoint(number === null ? {} : receives) });
    },
    pools: () => poolsOf(config, endpoint()).map(({ id }) => id),
    members: (id: string) => [...config.poolMembers(id).numbers],
  };
}
const [one, two] = ["+18005550001", "+18005550002"];

describe("the pools of an endpoint", () => {
  it("are those in use for its campaign and publisher or for any, its own first, then the oldest", () => {
    const { pool, pools } = openRig();
    pool("any, newer", { created_at: secondsIn(9) });
    pool("any");
    pool("publisher's", { publisher_id: "p" });
    pool("campaign's", { campaign_id: "c" });
    pool("its own", { campaign_id: "c", publisher_id: "p" });
    pool("another campaign's", { campaign_id: "x" });
    pool("another publisher's", { campaign_id: "c", publisher_id: "x" });
    pool("out of use", { is_active: false });
    pool("for visitors", { type: "dni" });
    expect(pools()).toEqual(["its own", "campaign's", "publisher's", "any", "any, newer"]);
  });
});

describe("the numbers of a pool", () => {
  it("change with the numbers that are in it, and with their version alone", () => {
    const { number, members, config, remove } = openRig();
    number(one, { number_pool_id: "pool" });
    number(two);
    expect(members("pool")).toEqual([one]);
    const { version } = config.poolMembers("pool");
    expect(config.poolMembers("pool").version).toBe(version);
    number(two, { number_pool_id: "pool" });
    expect([members("pool"), config.poolMembers("pool").version > version]).toEqual([[one, two], true]);
    number(one, { number_pool_id: "another" });
    remove("number", `id of ${two}`);
    expect([members("pool"), members("another"), members("none")]).toEqual([[], [one], []]);
  });

  it("are none that another organization has, nor one on which all calls of an endpoint come", () => {
    const { number, members, receive } = openRig();
    number(one, { number_pool_id: "pool", is_held: false });
    number(two, { number_pool_id: "pool" });
    expect(members("pool")).toEqual([two]);
    receive(two);
    expect(members("pool")).toEqual([]);
    receive(null);
    expect(members("pool")).toEqual([two]);
  });
});

describe("a number", () => {
  it("is one that pings are given when it is in a pool for pings, or one that an endpoint receives on", () => {
    const { number, pool, receive, config } = openRig();
    pool("pings");
    pool("visitors", { type: "dni" });
    number(one, { number_pool_id: "pings" });
    number(two, { number_pool_id: "visitors" });
    expect([one, two, "+18005550003"].map((each) => isAllocated(config, each))).toEqual([true, false, false]);
    receive(two);
    expect(isAllocated(config, two)).toBe(true);
  });
});
