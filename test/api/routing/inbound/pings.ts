import { onTestFinished } from "vitest";
import { createOrgConfig } from "../../../../api/config/org-config.ts";
import type { PauseState } from "../../../../api/config/pause.ts";
import { type ResourceInput, toDocument } from "../../../../api/config/registry.ts";
import type { Database } from "../../../../api/database/database.ts";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import type { CallStats } from "../../../../api/routing/call-stats.ts";
import { createInboundPings, type InboundPingsDeps } from "../../../../api/routing/inbound/inbound-pings.ts";
import type { Sent } from "../../../../api/routing/inbound/parameters.ts";
import type { PingAnswer } from "../../../../api/routing/inbound/ping-response.ts";
import { createAsk } from "../../../../api/routing/quotes/ask-destination.ts";
import type { InboundRtbRequest, OutboundRtbRequest } from "../../../../ingest/rtb.ts";
import { inboundRtbRequestSchema } from "../../../../ingest/rtb.ts";
import { orgOne, secondsIn, startOfTime } from "../../../make.ts";
import { createManualClock, type ManualClock } from "../../../manual-clock.ts";
import { aBuyer, aCampaign, aPlan, aPublisher, aTarget, someStats } from "../make-route.ts";

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
export const receiver = "+18005550077";

export interface PingGiven {
  readonly endpoint?: Partial<ResourceInput<"inbound_rtb">>;
  readonly campaign?: Partial<ResourceInput<"campaign">>;
  readonly plan?: Partial<ResourceInput<"routing_plan">>;
  readonly publisher?: Partial<ResourceInput<"publisher">>;
  readonly publisherPause?: PauseState;
  readonly pool?: Partial<ResourceInput<"number_pool">>;
  /** What the buyers of targets owe, in the plan's order; the first is `t0`. */
  readonly revenues?: readonly number[];
  readonly target?: Partial<ResourceInput<"target">>;
  readonly numbers?: number;
  readonly stats?: Partial<CallStats>;
  readonly deps?: Partial<InboundPingsDeps>;
  /** What several processes share, who then close it. */
  readonly shared?: { readonly database: Database; readonly clock: ManualClock };
}

/** A campaign of targets with a pool of numbers, and an endpoint that it is pinged at. */
export async function openPings(given: PingGiven = {}) {
  const { revenues = [30, 20, 10], numbers = 10, deps = {} } = given;
  const { config, put } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  const routes = revenues.map((_, index) => ({ id: `r${index}`, action: "route-to-target", target_id: `t${index}` }));
  put({ type: "buyer", doc: aBuyer() });
  put({ type: "publisher", doc: { ...aPublisher(given.publisher), pause: given.publisherPause ?? null } });
  put({ type: "campaign", doc: aCampaign({ routing_plan_id: "plan-1", ...given.campaign }) });
  put({ type: "routing_plan", doc: aPlan({ routes, ...given.plan }) });
  put({ type: "custom_tag", doc: toDocument("custom_tag", { ...about, id: "tag-1", key: "lead_type", name: "Lead" }) });
  for (const [index, revenue] of revenues.entries()) {
    const terms = { payout_condition: "call_length_connected", payout_condition_duration: 30 } as const;
    const target = aTarget({ id: `t${index}`, name: `Target ${index}`, revenue, ...terms, ...given.target });
    put({ type: "target", doc: target });
  }
  put({ type: "number_pool", doc: toDocument("number_pool", { ...about, id: "pool", name: "Pool", ...given.pool }) });
  for (let line = 0; line < numbers; line += 1) {
    const number = `+1800555010${line}`;
    put({ type: "number", doc: toDocument("number", { ...about, id: number, number, number_pool_id: "pool" }) });
  }
  put({ type: "number", doc: toDocument("number", { ...about, id: "receiver", number: receiver }) });
  const setEndpoint = (changed: Partial<ResourceInput<"inbound_rtb">> = {}) => {
    const ids = { id: "5", inbound_rtb_id: "public", campaign_id: "cmp-1", publisher_id: "pub-1", rate_limit: 1000 };
    put({ type: "inbound_rtb", doc: toDocument("inbound_rtb", { ...about, ...ids, ...given.endpoint, ...changed }) });
  };
  setEndpoint();

  const clock = given.shared?.clock ?? createManualClock(startOfTime);
  const database = given.shared?.database ?? (await openSqliteDatabase({ path: ":memory:" }));
  const published: string[] = [];
  const troubles: unknown[] = [];
  const noBuyers = () => Promise.reject(new Error("no formula is asked here"));
  const pings = createInboundPings({
    database,
    peers: null,
    clock,
    noLoss: true,
    configOf: () => config,
    onTrouble: (error: unknown) => troubles.push(error),
    quote: createAsk({ ping: noBuyers, clock }).quote,
    statsOf: () => someStats(given.stats),
    checkTcpa: async () => "off",
    publish: async (messages) => void published.push(...messages.map(({ value }) => value)),
    ...deps,
  });
  onTestFinished(async () => {
    await pings.close();
    if (given.shared === undefined) await database.close();
  });
  const endpoint = () => {
    const inboundRtb = config.inboundRtb("public");
    if (inboundRtb === undefined) throw new Error("the endpoint is gone");
    return { config, inboundRtb };
  };
  const pingWith = (query: Sent, body: Sent = []) => pings.ping({ endpoint: endpoint(), query, body });
  return {
    pings,
    pingWith,
    clock,
    database,
    put,
    config,
    setEndpoint,
    troubles,
    async ping(parameters: Record<string, string> = { caller_id: "+12125550123" }): Promise<PingAnswer> {
      const pinged = await pingWith(Object.entries(parameters));
      if (pinged.kind !== "answered") throw new Error(pinged.kind);
      return pinged.answer;
    },
    take: (number: string, caller: string | null = "+12125550123") =>
      pings.take({ orgId: orgOne, callId: `call of ${caller} at ${clock.now()}`, number, caller }),
    /** What the log has been given; nothing is asked afterwards. */
    async records(): Promise<readonly InboundRtbRequest[]> {
      await pings.close();
      const all = published.map((text) => JSON.parse(text) as InboundRtbRequest | OutboundRtbRequest);
      return all.flatMap((record) => (record.kind === "inbound" ? [inboundRtbRequestSchema.parse(record)] : []));
    },
  };
}
