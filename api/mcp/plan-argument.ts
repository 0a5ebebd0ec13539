import { z } from "zod";
import { findDimension, findFlag, findMeasure, findQuantity, subjectOf } from "../../assistant/catalog/catalog.ts";
import { alternatives, type Plan, planSchema } from "../../assistant/plan.ts";
import { faultOf } from "../../assistant/plan-faults.ts";
import { ValidationError } from "../serve/errors.ts";

/** A plan as a model writes it: all but the subject may be left out. */
export const planArgument = z
  .strictObject(planSchema.shape)
  .partial()
  .required({ subject: true })
  .describe(
    "The plan: measures by dimensions (names of the catalog, or tag:<key>), over time with a grain; filters are of the form {field, op, values}; or in place of measures the columns of a list. What is left out is empty or null, and zone is UTC.",
  );

const nothing = {
  measures: [],
  dimensions: [],
  grain: null,
  filters: [],
  having: [],
  period: null,
  zone: "UTC",
  compare: null,
  order: null,
  limit: null,
  columns: [],
};

/** Completes a plan. Throws a `ValidationError` that names what the catalog does not know, or why it cannot be run. */
export function completePlan(given: z.output<typeof planArgument>): Plan {
  const plan = planSchema.parse({ ...nothing, ...given });
  const faults = [...unknownNames(plan), ...emptiness(plan)];
  const fault = faults.length > 0 ? undefined : faultOf(plan);
  const all = fault === undefined ? faults : [fault];
  if (all.length > 0)
    throw new ValidationError(all.map((msg) => ({ loc: ["body", "plan"], msg, type: "value_error" })));
  return plan;
}

function unknownNames({ subject: name, measures, dimensions, filters, portion, having, columns }: Plan): string[] {
  const subject = subjectOf(name);
  const isField = (field: string) =>
    [findDimension, findFlag, findQuantity].some((find) => find(subject, field) !== undefined);
  const named = (kind: string, names: readonly string[], isKnown: (name: string) => boolean) =>
    names
      .filter((each) => !isKnown(each))
      .map((each) => `${name} has no ${kind} "${each}": look names up with catalog_search.`);
  return [
    ...named("measure", measures, (each) => findMeasure(subject, each) !== undefined),
    ...named("dimension", dimensions, (each) => findDimension(subject, each) !== undefined),
    ...named(
      "measure to hold against a limit",
      having.flatMap(alternatives).map(({ field }) => field),
      (each) => findMeasure(subject, each) !== undefined,
    ),
    ...named(
      "field to filter by",
      [...filters, ...portion].flatMap(alternatives).map(({ field }) => field),
      isField,
    ),
    ...named("column", columns, (each) => subject.listing.includes(each)),
  ];
}

const emptiness = ({ measures, columns }: Plan): string[] =>
  measures.length + columns.length === 0 ? ["It has neither measures nor columns: name what to show."] : [];
