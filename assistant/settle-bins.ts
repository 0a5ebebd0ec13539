import type { Row } from "../warehouse/warehouse.ts";
import { binName, findBin, roundWidth } from "./catalog/bins.ts";
import { subjectOf } from "./catalog/catalog.ts";
import type { Plan } from "./plan.ts";

/** A few outliers must not put all other rows into one step. */
const [low, high] = ["p1", "p99"];

/** Gives every bin without a width a round one, by the range of nearly all its values. */
export async function settleBins(plan: Plan, firstRowOf: (plan: Plan) => Promise<Row>): Promise<Plan> {
  const subject = subjectOf(plan.subject);
  const open = plan.dimensions.flatMap((name) => {
    const bin = findBin(subject, name);
    return bin === undefined || bin.isSettled ? [] : [{ name, quantity: bin.quantity.name, unit: bin.quantity.unit }];
  });
  if (open.length === 0) return plan;
  const range = await firstRowOf({
    ...plan,
    dimensions: [],
    grain: null,
    having: [],
    compare: null,
    order: null,
    limit: null,
    limit_per: null,
    share: false,
    portion: [],
    running: null,
    average_per: null,
    over_groups: [],
    measures: open.flatMap(({ quantity }) => [low, high].map((edge) => `${edge}_${quantity}`)),
  });
  const settled = new Map(
    open.map(({ name, quantity, unit }) => {
      const span = Number(range[`${high}_${quantity}`]) - Number(range[`${low}_${quantity}`]);
      return [name, binName(quantity, roundWidth(span, unit))];
    }),
  );
  return { ...plan, dimensions: plan.dimensions.map((name) => settled.get(name) ?? name) };
}
