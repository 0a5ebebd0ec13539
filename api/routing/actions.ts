import type { Resource } from "../config/registry.ts";

type Route = Resource<"routing_plan">["routes"][number];

/** What a route's action asks for, and the field that names where it leads (semantics 8.5). */
const actions = {
  "route-to-target": { kind: "target", field: "target_id" },
  "route-to-rtb": { kind: "rtb_formula", field: "rtb_formula_id" },
  "route-to-rtb-group": { kind: "rtb_group", field: "rtb_group_id" },
  "route-to-ivr": { kind: "ivr", field: "ivr_id" },
} as const;
export type ActionKind = (typeof actions)[keyof typeof actions]["kind"];

/** Where a route leads; `id` is undefined where its row names nothing of that kind. */
export interface RouteDestination {
  readonly kind: ActionKind;
  readonly id: string | undefined;
}

/** Any case, underscores and spaces count as hyphens; null for an action that nobody here knows. */
export function destinationOfRoute(route: Omit<Route, "id">): RouteDestination | null {
  const name = route.action
    .trim()
    .toLowerCase()
    .replace(/[_\s]+/g, "-");
  if (!Object.hasOwn(actions, name)) return null;
  const { kind, field } = actions[name as keyof typeof actions];
  return { kind, id: route[field] };
}
