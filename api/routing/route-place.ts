import { z } from "zod";
import type { OrgConfig } from "../config/org-config.ts";

const text = z.string().nullable();

/** Fields that say of a route where it leads, by ids and present names. */
export const routePlace = {
  route_id: text.describe("The row of the routing plan; null where a menu led here."),
  destination_type: text.describe("target, rtb_formula, rtb_group, ivr or routing_plan."),
  destination_id: text.describe("Id of the target, formula, group, menu or plan."),
  destination_name: text.describe("Its present name; null once it is deleted."),
  buyer_id: text,
  buyer_name: text,
} as const;

interface Destination {
  readonly route_id: string | null;
  readonly kind: string | null;
  readonly id: string | null;
}

export type RoutePlace = { readonly [K in keyof typeof routePlace]: string | null };

export function toPlace({ route_id, kind, id }: Destination, config: OrgConfig | undefined): RoutePlace {
  const { name, buyerId } = (id !== null && config && documentOf(config, kind, id)) || {
    name: undefined,
    buyerId: undefined,
  };
  return {
    route_id,
    destination_type: kind,
    destination_id: id,
    destination_name: name ?? null,
    buyer_id: buyerId ?? null,
    buyer_name: config?.get("buyer", buyerId)?.name ?? null,
  };
}

interface NamedDocument {
  readonly name: string | undefined;
  readonly buyerId: string | undefined;
}

function documentOf(config: OrgConfig, kind: string | null, id: string): NamedDocument {
  switch (kind) {
    case "target": {
      const target = config.get(kind, id);
      return { name: target?.name, buyerId: target?.buyer_id };
    }
    case "rtb_formula": {
      const formula = config.get(kind, id);
      return { name: formula?.rtb_name, buyerId: formula?.buyer_id };
    }
    case "rtb_group":
    case "ivr":
    case "routing_plan":
      return { name: config.get(kind, id)?.name, buyerId: undefined };
    default:
      return { name: undefined, buyerId: undefined };
  }
}
