import { z } from "zod";
import { timestamp } from "../../ingest/primitives.ts";
import { offeredRouteSchema, withheldRouteSchema } from "../../ingest/rtb.ts";
import type { CallStory } from "../../warehouse/calls/call-timeline.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import type { OrgConfig } from "../config/org-config.ts";
import { routePlace, toPlace } from "../routing/route-place.ts";

const text = z.string().nullable();

/** The outcomes of a destination; `given_up`: the call ended while it was being dialed. */
const routeOutcomes = ["refused", "offered", "dialing", "dial_failed", "given_up", "connected"] as const;

/** A destination that was considered for a call. Destinations ordered after the one that took the call were not considered. */
export const consideredRoute = z.object({
  at: timestamp,
  considered_by: z
    .enum(["ping", "call"])
    .describe("ping: when the publisher asked for a price; call: when the call came in."),
  ...routePlace,
  outcome: z.enum(routeOutcomes),
  reason: text.describe("Why it was refused, or how the dial failed."),
  detail: text.describe("Whose cap or limit it was, or of which call this one is a duplicate."),
  bid: z.number().nullable().meta({ description: "Dollars." }),
  dial: z.int().nullable().describe("The number of the dial, from 1; null where none was begun."),
  rang: z.boolean(),
});
export type ConsideredRoute = z.infer<typeof consideredRoute>;

const detailOf = z.object({
  route_id: text.catch(null),
  kind: text.catch(null),
  id: text.catch(null),
  reason: text.catch(null),
  detail: text.catch(null),
  bid: z.number().nullable().catch(null),
  dial: z.int().nullable().catch(null),
  status: text.catch(null),
});

export interface RouteSources {
  readonly story: CallStory;
  /** The record of the publisher's ping that the call came from; null for a call without one. */
  readonly ping: Row | null;
  readonly config: OrgConfig | undefined;
}

/** Returns the destinations considered for a call, in order: by its publisher's ping, then by the call itself. */
export function toConsideredRoutes({ story, ping, config }: RouteSources): ConsideredRoute[] {
  return [...fromPing(ping, config), ...fromTraces(story, config)];
}

const noDial = { dial: null, rang: false } as const;

function fromPing(ping: Row | null, config: OrgConfig | undefined): ConsideredRoute[] {
  if (ping === null) return [];
  const about = { at: String(ping.created_at), considered_by: "ping", ...noDial } as const;
  const placeOf = (route: z.infer<typeof withheldRouteSchema> | z.infer<typeof offeredRouteSchema>) =>
    toPlace({ route_id: route.route_id, kind: route.destination_type, id: route.destination_id }, config);
  const offered = z.array(offeredRouteSchema).catch([]).parse(ping.eligible_routes);
  const withheld = z.array(withheldRouteSchema).catch([]).parse(ping.ineligible_routes);
  return [
    ...offered.map((route): ConsideredRoute => {
      const outcome = { outcome: "offered", reason: null, detail: null, bid: route.revenue } as const;
      return { ...about, ...placeOf(route), ...outcome };
    }),
    ...withheld.map((route): ConsideredRoute => {
      const { reason, detail, bid } = route;
      return { ...about, ...placeOf(route), outcome: "refused", reason, detail, bid };
    }),
  ];
}

function fromTraces({ call, traces }: CallStory, config: OrgConfig | undefined): ConsideredRoute[] {
  const routes: ConsideredRoute[] = [];
  const amend = (dial: number | null, change: Partial<ConsideredRoute>): void => {
    const at = routes.findLastIndex((route) => route.dial === dial);
    const found = routes[at];
    if (dial !== null && found !== undefined) routes[at] = { ...found, ...change };
  };
  for (const trace of traces) {
    const { dial, status, reason, detail, bid, ...destination } = detailOf.catch(nothing).parse(trace.detail);
    const about = { at: String(trace.occurred_at), considered_by: "call", ...toPlace(destination, config) } as const;
    switch (trace.event) {
      case "route.skipped":
        routes.push({ ...about, outcome: "refused", reason, detail, bid, ...noDial });
        break;
      case "dial.started":
        routes.push({ ...about, outcome: "dialing", reason: null, detail: null, bid: null, dial, rang: false });
        break;
      case "dial.ringing":
        amend(dial, { rang: true });
        break;
      case "dial.failed":
        amend(dial, { outcome: "dial_failed", reason: status });
        break;
    }
  }
  const last = routes.findLast(({ outcome }) => outcome === "dialing");
  if (call.connected_at !== null) amend(last?.dial ?? null, { outcome: "connected" });
  else if (call.ended_at !== null) {
    amend(last?.dial ?? null, {
      outcome: "given_up",
      reason: call.failure_reason === null ? null : String(call.failure_reason),
    });
  }
  return routes;
}

const nothing = {
  route_id: null,
  kind: null,
  id: null,
  reason: null,
  detail: null,
  bid: null,
  dial: null,
  status: null,
};
