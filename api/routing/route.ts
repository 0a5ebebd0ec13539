import { defaultTimezone } from "../../ingest/time-zone.ts";
import type { Resource } from "../config/registry.ts";
import type { Holder } from "./call-stats.ts";
import { destinationOf } from "./destination.ts";
import type { FilterJudge, Subject } from "./filters.ts";
import type { PredictiveRules } from "./predictive.ts";

type DestinedTo<K extends "target" | "rtb_formula"> = { readonly kind: K; readonly doc: Resource<K> };
/** What can take a call: a target, or an RTB formula that bids for it. */
export type ResolvedDestination = DestinedTo<"target"> | DestinedTo<"rtb_formula">;

/** A call, or a ping, on its way to one target or RTB formula. */
export interface RouteCandidate {
  /** Undefined where the route names none, or one that is gone. */
  readonly destination: ResolvedDestination | undefined;
  readonly buyer: Resource<"buyer"> | undefined;
  /** The routing plan's; an empty list allows all. */
  readonly allowedBuyers: readonly string[];
  readonly campaign: Resource<"campaign"> | undefined;
  /** What filters ask about, but for the zone, which is the destination's. */
  readonly call: Omit<Subject, "timezone">;
  /** Of the decision that this is part of. */
  readonly filtering: FilterJudge;
  /** Undefined for a ping. */
  readonly call_id: string | undefined;
  /** Zone of caps whose owner has none. */
  readonly organizationTimezone: string;
  /** By which it is compared with the other routes that have the same; undefined where nothing predicts. */
  readonly predictive: PredictiveRules | undefined;
}

/** A route that leads somewhere, with the zone of its days and hours. */
export interface ResolvedRoute extends RouteCandidate {
  readonly destination: ResolvedDestination;
  readonly buyer: Resource<"buyer">;
  readonly timezone: string;
}

/** Null where it leads nowhere: a target without a line, and what belongs to no buyer, is no destination. */
export function resolveRoute(route: RouteCandidate): ResolvedRoute | null {
  const { destination, buyer } = route;
  if (destination === undefined || buyer === undefined) return null;
  if (destination.kind === "target" && destinationOf(destination.doc) === null) return null;
  return { ...route, destination, buyer, timezone: timezoneOf(destination, route.campaign) };
}

/** A destination's own zone, else its campaign's (semantics 8.4). */
const timezoneOf = (
  { doc }: ResolvedDestination,
  campaign: Pick<Resource<"campaign">, "timezone"> | undefined,
): string => doc.timezone ?? campaign?.timezone ?? defaultTimezone;

export const holderOf = ({ kind, doc }: ResolvedDestination): Holder => ({ kind, id: doc.id });
