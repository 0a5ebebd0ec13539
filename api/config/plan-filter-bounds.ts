import { memoizeByObject } from "../conditions/memoize.ts";
import { ValidationError } from "../serve/errors.ts";
import type { Document, DocumentChange } from "./document.ts";
import { excessOf, type FilterSize, planBounds, sizeOfConditions, sumOf } from "./filter-bounds.ts";
import type { OrgConfig } from "./org-config.ts";
import type { Resource } from "./registry.ts";
import { conditionsOf, type Filters } from "./resources/shapes.ts";

const sizeOf = memoizeByObject((filters: Filters): FilterSize => sizeOfConditions(conditionsOf(filters)));

type Plan = Resource<"routing_plan">;
type Group = Resource<"rtb_group">;
/** Finds a document in the config, or the one that is written. */
type Find = (type: string, id: string | undefined) => Document | undefined;

/**
 * Throws a `ValidationError` when a document makes the filters of all destinations of a routing plan exceed `planBounds`
 * together. Checked against the config in memory, so two documents written at one moment may pass it: decisions leave
 * out what a plan then has too much. Plans that were too large before may shrink bit by bit.
 */
export function checkPlanFilters(config: OrgConfig | undefined, change: DocumentChange): void {
  const { definition, doc, previous } = change;
  if (config === undefined || !mayGrow(change)) return;
  const [before, after] = [finding(config, definition.type, previous), finding(config, definition.type, doc)];
  const isPlan = definition.type === "routing_plan";
  const plans = isPlan ? [doc as unknown as Plan] : config.all("routing_plan");
  for (const plan of plans) {
    const known = isPlan ? previous : plan;
    const size = sizeOfPlan(plan, after);
    const excess = excessOf(size, planBounds);
    if (excess === null) continue;
    const had = known === undefined ? undefined : sizeOfPlan(known as unknown as Plan, before);
    if (had === undefined || isLarger(size, had)) throw tooMuch({ change, plan, find: after, excess });
  }
}

function mayGrow({ definition: { type }, doc, previous }: DocumentChange): boolean {
  if (type === "routing_plan" || type === "rtb_group") return true;
  if (type !== "target" && type !== "rtb_formula") return false;
  return isLarger(sizeOfDestination(doc), sizeOfDestination(previous));
}

const isLarger = (one: FilterSize, other: FilterSize): boolean =>
  (Object.keys(one) as (keyof FilterSize)[]).some((measure) => one[measure] > other[measure]);

const finding =
  (config: OrgConfig, type: string, doc: Document | undefined): Find =>
  (ofType, id) =>
    doc !== undefined && ofType === type && id === doc.id
      ? doc
      : (config.get(ofType as "target", id) as Document | undefined);

const sizeOfDestination = (doc: Document | undefined): FilterSize =>
  doc?.["filters"] ? sizeOf(doc["filters"] as Filters) : sumOf([]);

function sizeOfRoute({ target_id, rtb_formula_id, rtb_group_id }: Plan["routes"][number], find: Find): FilterSize {
  const group = find("rtb_group", rtb_group_id) as Group | undefined;
  const formulas = [rtb_formula_id, ...(group?.rtb_formulas ?? []).map((link) => link.rtb_formula_id)];
  return sumOf([
    sizeOfDestination(find("target", target_id)),
    ...formulas.map((id) => sizeOfDestination(find("rtb_formula", id))),
  ]);
}

const sizeOfPlan = ({ routes }: Pick<Plan, "routes">, find: Find): FilterSize =>
  sumOf(routes.map((route) => sizeOfRoute(route, find)));

interface Excess {
  readonly change: DocumentChange;
  readonly plan: Plan;
  readonly find: Find;
  readonly excess: string;
}

function tooMuch({ change: { definition }, plan, find, excess }: Excess): ValidationError {
  const msg = `With it the filters of all destinations of the routing plan "${plan.name}" have ${excess} together. Take some out, or share the routes out over several plans.`;
  return new ValidationError([{ loc: ["body", ...placeOf(definition.type, plan, find)], msg, type: "value_error" }]);
}

/** Returns the location of the error: of a plan the first route that exceeds the bounds. */
function placeOf(type: string, plan: Plan, find: Find): (string | number)[] {
  if (type === "rtb_group") return ["rtb_formulas"];
  if (type !== "routing_plan") return ["filters"];
  const index = plan.routes.findIndex(
    (_, place) => excessOf(sizeOfPlan({ routes: plan.routes.slice(0, place + 1) }, find), planBounds) !== null,
  );
  return ["routes", index];
}
