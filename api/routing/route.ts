import { defaultTimezone } from "../../ingest/time-zone.ts";
import type { Resource } from "../config/registry.ts";
import { destinationOfAction, type routeDestinations } from "../config/resources/destination.ts";
import type { Holder } from "./call-stats.ts";
import { destinationOf } from "./destination.ts";

/** The destination that a route names; `id` is undefined where its row has none of that kind. */
export interface RouteDestination {
  readonly kind: (typeof routeDestinations)[number]["type"];
  readonly id: string | undefined;
}

/** Returns the destination of a route; null for an action that is not known. */
export function destinationOfRoute(
  route: Omit<Resource<"routing_plan">["routes"][number], "id">,
): RouteDestination | null {
  const destination = destinationOfAction(route.action);
  return destination === undefined ? null : { kind: destination.type, id: route[destination.field] };
}

type DestinedTo<K extends "target" | "rtb_formula"> = { readonly kind: K; readonly doc: Resource<K> };
/** A destination with its document: a target, or an RTB formula that bids for the call. */
export type ResolvedDestination = DestinedTo<"target"> | DestinedTo<"rtb_formula">;

/** A target or RTB formula that a plan of a campaign may lead to: what eligibility knows before anybody calls. */
export interface RouteCandidate {
  /** Undefined where the route names none, or one that is gone. */
  readonly destination: ResolvedDestination | undefined;
  readonly buyer: Resource<"buyer"> | undefined;
  /** The routing plan's; an empty list allows all. */
  readonly allowedBuyers: readonly string[];
  readonly campaign: Resource<"campaign"> | undefined;
  /** Zone of caps whose owner has none. */
  readonly organizationTimezone: string;
}

/** A candidate whose destination and buyer exist, with the time zone of its days and hours. */
export interface ResolvedRoute extends RouteCandidate {
  readonly destination: ResolvedDestination;
  readonly buyer: Resource<"buyer">;
  readonly timezone: string;
}

/** Null for a missing destination, a target without a number or SIP endpoint, and a destination without a buyer. */
export function resolveRoute(route: RouteCandidate): ResolvedRoute | null {
  const { destination, buyer } = route;
  if (destination === undefined || buyer === undefined) return null;
  if (destination.kind === "target" && destinationOf(destination.doc) === null) return null;
  return { ...route, destination, buyer, timezone: timezoneOf(destination, route.campaign) };
}

/** A destination's own zone, else its campaign's. */
const timezoneOf = (
  { doc }: ResolvedDestination,
  campaign: Pick<Resource<"campaign">, "timezone"> | undefined,
): string => doc.timezone ?? campaign?.timezone ?? defaultTimezone;

export const holderOf = ({ kind, doc }: ResolvedDestination): Holder => ({ kind, id: doc.id });
