import type { Filter } from "../plan.ts";
import type { Subject } from "./field.ts";

/** The count of the records of which a condition holds, whatever the catalog calls them: "abandoned" as a fact or as a reason. */
export function countOf({ measures, flags, dimensions }: Subject, { field, op, values: [value, other] }: Filter) {
  if (op !== "is" || other !== undefined) return undefined;
  const flag = flags.find(({ name }) => name === field);
  const column = dimensions.find(({ name }) => name === field)?.column;
  const where = flag === undefined ? `${column} = '${value}'` : value === true ? flag.condition : undefined;
  const known = value === true ? flag?.measure : flag?.unmeasure;
  return measures.find(
    ({ name, aggregate }) =>
      name === known || (aggregate.kind === "count" && where !== undefined && aggregate.where === where),
  )?.name;
}

/**
 * The condition of the records that a measure counts, such as the outcome of timeouts; undefined where it counts all,
 * or none.
 */
export function factCounted({ measures, flags, dimensions }: Subject, name: string): Filter | undefined {
  const { aggregate } = measures.find((measure) => measure.name === name) ?? {};
  const where = aggregate?.kind === "count" ? aggregate.where : undefined;
  if (where === undefined) return undefined;
  const flag = flags.find(({ condition, measure }) => condition === where || measure === name);
  if (flag !== undefined) return { field: flag.name, op: "is", values: [true] };
  const opposite = flags.find(({ unmeasure }) => unmeasure === name);
  if (opposite !== undefined) return { field: opposite.name, op: "is", values: [false] };
  return dimensions
    .flatMap((dimension) => (dimension.values ?? []).map(({ value }) => ({ ...dimension, value })))
    .filter(({ column, value }) => where === `${column} = '${value}'`)
    .map(({ name: field, value }): Filter => ({ field, op: "is", values: [value] }))
    .at(0);
}
