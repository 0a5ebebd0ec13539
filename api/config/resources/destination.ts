import { z } from "zod";
import type { Reference } from "../resource.ts";
import { id } from "./shapes.ts";

/** Destinations of routes: a route's action, the field with the id, and the type of resource that it names. */
export const routeDestinations = [
  { action: "route-to-target", field: "target_id", type: "target" },
  { action: "route-to-rtb", field: "rtb_formula_id", type: "rtb_formula" },
  { action: "route-to-rtb-group", field: "rtb_group_id", type: "rtb_group" },
  { action: "route-to-ivr", field: "ivr_id", type: "ivr" },
] as const;

/** Returns the destination of an action, in any spelling with hyphens, underscores or spaces; undefined if unknown. */
export function destinationOfAction(action: string): (typeof routeDestinations)[number] | undefined {
  const name = action
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, "-");
  return routeDestinations.find((each) => each.action === name);
}

/** A menu leads to whole plans, too. */
const kinds = [...routeDestinations, { field: "routing_plan_id", type: "routing_plan" }] as const;

/** The destination of a menu's choice: exactly one id. */
export const destination = z
  .object({
    target_id: id.optional(),
    rtb_formula_id: id.optional(),
    rtb_group_id: id.optional(),
    ivr_id: id.optional(),
    routing_plan_id: id.optional(),
  })
  .refine(
    (named) => kinds.filter(({ field }) => named[field] !== undefined).length === 1,
    `must name exactly one of ${kinds.map(({ field }) => field).join(", ")}`,
  )
  .meta({ id: "Destination" });
export type Destination = z.output<typeof destination>;

/** Returns the references of a destination; none without one. */
export function referencesOfDestination(to: Destination | undefined, loc: Reference["loc"]): Reference[] {
  return kinds.flatMap(({ field, type }) => {
    const named = to?.[field];
    return named === undefined ? [] : [{ type, id: named, loc: [...loc, field] }];
  });
}
