import { z } from "zod";
import { defineResource, type FindName, type Reference } from "../resource.ts";
import { destinationOfAction, routeDestinations } from "./destination.ts";
import { withRowIds } from "./rows.ts";
import { count, externalId, id, ids, name, named, rowId, shortText } from "./shapes.ts";

const nestedRef = z.object({ id }).nullish();
const optionalId = id.nullish();

/** Written with ids, or as it was read, with nested objects; kept with ids. */
const route = z
  .object({
    id: rowId.optional(),
    action: z.string().min(1).max(64),
    target_id: optionalId,
    rtb_formula_id: optionalId,
    ivr_id: optionalId,
    rtb_group_id: optionalId,
    predictive_routing_plan_id: optionalId,
    priority: count.default(0),
    weight: count.default(0),
    target: nestedRef.describe("As a read shows it; `target_id` goes before it."),
    rtb_formula: nestedRef,
    ivr: nestedRef,
    rtb_group: nestedRef,
  })
  .transform((row, context) => {
    const { target, rtb_formula, ivr, rtb_group, ...own } = row;
    const nested = { target, rtb_formula, ivr, rtb_group };
    // An id that was sent, null too, goes before the object that a read showed beside it.
    const named = routeDestinations.map(({ field, type }) => [
      field,
      own[field] === undefined ? nested[type]?.id : own[field],
    ]);
    const { id: rowOwnId, action, priority, weight, predictive_routing_plan_id } = own;
    const all = [...named, ["predictive_routing_plan_id", predictive_routing_plan_id]];
    const set: RouteDestinations = Object.fromEntries(all.filter(([, value]) => value != null));
    const needed = destinationOfAction(action)?.field;
    if (needed !== undefined && set[needed] === undefined) {
      const message = `The action ${action} needs its ${needed}.`;
      context.addIssue({ code: "custom", params: { type: "missing" }, path: [needed], message });
    }
    return { ...(rowOwnId === undefined ? {} : { id: rowOwnId }), action, priority, weight, ...set };
  });

interface RouteDestinations {
  readonly target_id?: string;
  readonly rtb_formula_id?: string;
  readonly rtb_group_id?: string;
  readonly ivr_id?: string;
  readonly predictive_routing_plan_id?: string;
}

const routeAnswer = z
  .object({
    id: rowId,
    action: z.string(),
    priority: z.int(),
    weight: z.int(),
    target_id: z.string().optional(),
    rtb_formula_id: z.string().optional(),
    rtb_group_id: z.string().optional(),
    ivr_id: z.string().optional(),
    predictive_routing_plan_id: z.string().optional(),
    target: named.nullable().describe("The target, with its name; null without one."),
    rtb_formula: named.nullable(),
    ivr: named.nullable(),
    rtb_group: named.nullable(),
  })
  .meta({ id: "Route" });

type Route = z.output<typeof route>;

const predictive = { field: "predictive_routing_plan_id", type: "predictive_routing_plan" } as const;

const referencesOfRoute = (row: Route, index: number): Reference[] =>
  [...routeDestinations, predictive].flatMap(({ field, type }) => {
    const to = row[field];
    return to === undefined ? [] : [{ type, id: to, loc: ["routes", index, field] }];
  });

const viewRoute = (row: Route, find: FindName) => ({
  ...row,
  ...Object.fromEntries(routeDestinations.map(({ field, type }) => [type, find(type, row[field])])),
});

const allowed = (field: "allowed_publishers" | "allowed_buyers", type: string, among: readonly string[]): Reference[] =>
  among.map((each, index) => ({ type, id: each, loc: [field, index] }));

/** Ordered routes of a campaign's calls: lower priority first, drawn by weight within one. */
export const routingPlan = defineResource({
  type: "routing_plan",
  path: "routing-plans",
  param: "routing_plan_id",
  title: { one: "routing plan", many: "routing plans" },
  writable: z.object({
    name,
    description: z.string().max(2000).optional(),
    is_active: z.boolean().default(true),
    allowed_publishers: ids.default([]),
    allowed_buyers: ids.default([]),
    routes: z.array(route).max(1000).default([]),
    predictive_routing_plan_id: id.optional(),
    external_id: externalId,
  }),
  readOnly: { prefix: z.string(), routes: z.array(routeAnswer) },
  filters: {
    name: shortText.optional(),
    external_id: shortText.optional(),
    is_active: z.enum(["true", "false"]).optional(),
  },
  references: (plan) => [
    ...plan.routes.flatMap(referencesOfRoute),
    ...allowed("allowed_publishers", "publisher", plan.allowed_publishers),
    ...allowed("allowed_buyers", "buyer", plan.allowed_buyers),
    ...(plan.predictive_routing_plan_id === undefined
      ? []
      : [{ type: predictive.type, id: plan.predictive_routing_plan_id, loc: [predictive.field] }]),
  ],
  prepare: (written, context) => ({ ...written, routes: withRowIds(written.routes, "routes", context) }),
  view: (plan, { find }) => ({ prefix: "", routes: plan.routes.map((row) => viewRoute(row, find)) }),
  example: {
    name: "Solar East, best buyers first",
    routes: [{ action: "route-to-target", target_id: "TARGET_ID", priority: 1 }],
  },
});
