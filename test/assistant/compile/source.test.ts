import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../../assistant/catalog/catalog.ts";
import type { Subject } from "../../../assistant/catalog/field.ts";
import { compilePlan } from "../../../assistant/compile/compile.ts";
import { duckdbDialect } from "../../../assistant/compile/dialect-duckdb.ts";
import { type Filter, type Plan, planSchema } from "../../../assistant/plan.ts";
import type { Warehouse } from "../../../warehouse/warehouse.ts";
import { orgOne } from "../../make.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";

let warehouse: Warehouse;
beforeAll(async () => {
  warehouse = await openEmptyWarehouse();
});
afterAll(() => warehouse.close());

const aPlan = (subject: Subject, given: Partial<Plan>) =>
  planSchema.parse({
    subject: subject.name,
    measures: [subject.defaultMeasure],
    dimensions: [],
    columns: [],
    grain: null,
    filters: [],
    having: [],
    period: null,
    zone: "UTC",
    compare: null,
    order: null,
    limit: null,
    ...given,
  });

/** Each fact of a subject in each place that takes it, with nothing beside it. */
function* placesIn(subject: Subject): Generator<Plan> {
  const facts: Filter[] = [
    ...subject.flags.map(({ name }): Filter => ({ field: name, op: "is", values: [true] })),
    ...subject.quantities.map(({ name }): Filter => ({ field: name, op: "more_than", values: [1] })),
  ];
  for (const fact of facts) {
    yield aPlan(subject, { filters: [fact] });
    yield aPlan(subject, { portion: [fact] });
  }
  for (const { name } of subject.quantities) {
    yield aPlan(subject, { dimensions: [`bin:${name}:1`] });
    const order = { by: name, direction: "desc" as const };
    yield aPlan(subject, { measures: [], columns: [...subject.listing], order });
  }
  for (const { name } of subject.measures) {
    yield aPlan(subject, { measures: [name] });
    yield aPlan(subject, { having: [{ field: name, op: "more_than", values: [1] }] });
  }
}

test.each(catalog)("whatever a plan asks of $name, its source has the columns", async (subject) => {
  for (const plan of placesIn(subject)) {
    await expect(warehouse.query(compilePlan(plan, orgOne, { dialect: duckdbDialect }))).resolves.toBeDefined();
  }
});
