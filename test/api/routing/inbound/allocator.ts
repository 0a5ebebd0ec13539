import { createOrgConfig, type OrgConfig } from "../../../../api/config/org-config.ts";
import { toDocument } from "../../../../api/config/registry.ts";
import type { Database } from "../../../../api/database/database.ts";
import { createAllocations } from "../../../../api/routing/inbound/allocations.ts";
import type { AllocatedRequest } from "../../../../api/routing/inbound/binding.ts";
import { poolsOf } from "../../../../api/routing/inbound/number-pools.ts";
import type { Quote } from "../../../../api/routing/quotes/quote.ts";
import type { OrgId } from "../../../../ingest/primitives.ts";
import { orgOne, orgTwo, secondsIn, startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";

/** Pools by their names, in their order; `receiver` is the number that an endpoint receives on. */
export interface Pools {
  readonly [name: string]: { readonly numbers: readonly string[]; readonly hold_seconds: number } | string;
}

const times = { created_at: secondsIn(0), updated_at: secondsIn(0) };

export function configWith(pools: Pools, org: OrgId): OrgConfig {
  const about = { org_id: org, ...times };
  const { config, put } = createOrgConfig({ id: org, name: "First", timezone: "UTC" });
  for (const [index, [id, pool]] of Object.entries(pools).entries()) {
    if (typeof pool === "string") {
      put({ type: "number", doc: toDocument("number", { ...about, id, number: pool }) });
      const receives = { receive_mode: "static_multi_bid", receive_number_id: id } as const;
      const endpoint = { ...about, id: "7", campaign_id: "cmp-1", publisher_id: "pub-1", ...receives };
      put({ type: "inbound_rtb", doc: toDocument("inbound_rtb", endpoint) });
      continue;
    }
    const { hold_seconds, numbers } = pool;
    put({
      type: "number_pool",
      doc: toDocument("number_pool", { ...about, created_at: secondsIn(index), id, name: id, hold_seconds }),
    });
    for (const number of numbers) {
      put({ type: "number", doc: toDocument("number", { ...about, id: number, number, number_pool_id: id }) });
    }
  }
  return config;
}

/** A target's quote that owes `revenue`, offered for `payout` dollars. */
export const aQuote = (id: string, revenue: number, payout: number | null): Quote => ({
  route_id: `route-${id}`,
  plan_id: "plan-1",
  kind: "target",
  id,
  rtb_group_id: null,
  buyer_id: "buy-1",
  buyer_terms: { revenue, condition: "call_length_connected", condition_seconds: 30 },
  won: null,
  minimum_bid: 0,
  request_id: null,
  score: null,
  usable_until: null,
  publisher_terms:
    payout === null ? null : { payout, percentage: null, condition: "call_length_connected", condition_seconds: 30 },
});

let made = 0;
const someQuotes = [aQuote("tgt-1", 30, 24)];

export const anAllocatedRequest = (given: Partial<AllocatedRequest> = {}): Omit<AllocatedRequest, "expires_at"> => ({
  request_id: `request-${++made}`,
  inbound_rtb_id: "public",
  receive_mode: "dynamic",
  campaign_id: "cmp-1",
  publisher_id: "pub-1",
  caller: "+12125550123",
  zip: null,
  state: null,
  tags: {},
  quotes: someQuotes,
  ...given,
});

/** Allocations of two organizations with the same pools, on a clock that a test moves. */
export function openAllocations(database: Database, pools: Pools, clock = createManualClock(startOfTime)) {
  const configs = new Map([orgOne, orgTwo].map((org) => [org as string, configWith(pools, org)]));
  const troubles: unknown[] = [];
  const allocations = createAllocations({
    database,
    clock,
    noLoss: true,
    configOf: (orgId) => configs.get(orgId),
    onTrouble: (error) => troubles.push(error),
  });
  const endpoint = toDocument("inbound_rtb", {
    ...times,
    id: "5",
    org_id: orgOne,
    campaign_id: "cmp-1",
    publisher_id: "pub-1",
  });
  const poolsIn = new Map([...configs].map(([orgId, config]) => [orgId, poolsOf(config, endpoint)]));
  return {
    clock,
    troubles,
    close: allocations.close,
    allocate: (
      count: number,
      given: Partial<AllocatedRequest> & { readonly allocationMs?: number; readonly orgId?: OrgId } = {},
    ) => {
      const { allocationMs = 30_000, orgId = orgOne, ...request } = given;
      const from = { kind: "pools", pools: poolsIn.get(orgId) ?? [] } as const;
      return allocations.allocate({ orgId, request: anAllocatedRequest(request), allocationMs, count, from });
    },
    receive: (request: Omit<AllocatedRequest, "expires_at">) => {
      const number = pools["receiver"];
      if (typeof number !== "string") throw new Error("no receiver");
      const from = { kind: "number", number } as const;
      const given = { ...request, receive_mode: "static_multi_bid" } as const;
      return allocations.allocate({ orgId: orgOne, request: given, allocationMs: 30_000, count: 1, from });
    },
    giveBack: (number: string, callId: string) => allocations.giveBack(database, { orgId: orgOne, callId, number }),
    peek: (number: string, caller: string | null) => allocations.peek({ orgId: orgOne, number, caller }),
    take: (number: string, caller: string | null, callId = `call-${++made}`) =>
      allocations.take({ orgId: orgOne, callId, number, caller }),
  };
}
