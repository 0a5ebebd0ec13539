import fc from "fast-check";
import { catalog } from "../../assistant/catalog/catalog.ts";
import type { Subject } from "../../assistant/catalog/field.ts";
import { chartTypes, filterOps, grains, overGroups, recurringGrains, runningGrains } from "../../assistant/plan.ts";
import { anyText } from "../any-text.ts";
import { zone } from "./example-data.ts";

const one = <T>(all: readonly T[]) => fc.constantFrom(...all);
const nameOf = (all: readonly { readonly name: string }[]) => one(all.map(({ name }) => name));
const rarely = <T, U>(usual: T, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other });

const moment = fc
  .date({ min: new Date("1999-01-01"), max: new Date("2102-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const period = fc.tuple(fc.option(moment), moment, fc.string({ maxLength: 20 })).map(([start, end, label]) => {
  const [from = null, to = ""] = start === null ? [null, end] : [start, end].toSorted();
  return { from, to, label };
});

/** A condition that fits its field, most of the time. */
const conditionIn = ({ dimensions, flags, quantities }: Subject) =>
  fc.oneof(
    fc.record({ field: nameOf(flags), op: one(["is", "is_not"]), values: fc.tuple(fc.boolean()) }),
    fc.record({
      field: quantities.length > 0 ? nameOf(quantities) : one(["hour_of_day"]),
      op: one(filterOps),
      values: fc.tuple(fc.double({ noNaN: true })),
    }),
    fc.record({
      field: one(["tag:end", ...dimensions.map(({ name }) => name)]),
      op: one(["is", "is_not"]),
      values: fc.array(anyText()),
    }),
    fc.record({ field: nameOf(dimensions), op: one(filterOps), values: fc.array(fc.oneof(fc.integer(), fc.string())) }),
    fc.record({
      field: one(recurringGrains),
      op: one(filterOps),
      values: fc.array(fc.oneof(fc.integer(), one(["Monday", "weekend", "morning"]))),
    }),
  );

const filterIn = (subject: Subject) =>
  fc
    .tuple(conditionIn(subject), rarely([], fc.array(conditionIn(subject), { minLength: 1, maxLength: 2 })))
    .map(([condition, or]) => (or.length === 0 ? condition : { ...condition, or }));

/** Steps of widths that fit, and of some that do not. */
const binIn = ({ quantities }: Subject) =>
  fc
    .tuple(quantities.length > 0 ? nameOf(quantities) : one(["duration"]), one(["", ":1", ":30", ":0.05", ":0", ":x"]))
    .map(([name, width]) => `bin:${name}${width}`);

/** A plan of known names that may or may not go together. */
export const wild = fc
  .constantFrom(...catalog)
  .chain((subject) =>
    fc.uniqueArray(nameOf(subject.measures), { minLength: 1, maxLength: 3 }).chain((measures) =>
      fc.record({
        subject: fc.constant(subject.name),
        measures: fc.constant(measures),
        dimensions: fc.array(
          fc.oneof(
            nameOf(subject.dimensions),
            binIn(subject),
            one([...recurringGrains, "tag:end", "tag:End", 'tag:"x', "tag:calls"]),
          ),
          { maxLength: 3 },
        ),
        grain: fc.option(one(grains)),
        filters: rarely([], fc.array(filterIn(subject), { maxLength: 3 })),
        having: rarely(
          [],
          fc.array(
            fc.record({
              field: nameOf(subject.measures),
              op: one(filterOps),
              values: fc.tuple(fc.double({ noNaN: true })),
            }),
            { maxLength: 2 },
          ),
        ),
        period: rarely(null, period),
        zone: fc.constantFrom("UTC", zone, "US/Pacific"),
        compare: rarely(null, period),
        order: rarely(
          null,
          fc.record({
            by: one([...measures, ...subject.quantities.map(({ name }) => name)]),
            direction: one(["asc", "desc"]),
            of: rarely(undefined, one(["difference"])),
            only: rarely(undefined, one([true])),
            skip: rarely(undefined, fc.integer({ min: 1, max: 3 })),
          }),
        ),
        limit: rarely(null, fc.integer({ min: 1, max: 20 })),
        columns: rarely([], fc.subarray([...subject.listing])),
        share: rarely(false, fc.constant(true)),
        portion: rarely([], fc.array(filterIn(subject), { maxLength: 2 })),
        running: rarely(null, one(["total", "change", "average"])),
        running_over: rarely(null, fc.integer({ min: 1, max: 9 })),
        average_per: rarely(null, one(runningGrains)),
        over_groups: rarely([], fc.uniqueArray(one(overGroups), { maxLength: 4 })),
        limit_per: rarely(null, fc.oneof(nameOf(subject.dimensions), one(grains))),
        chart: rarely(null, one(chartTypes)),
      }),
    ),
  )
  .map((plan) => (plan.columns.length > 0 ? { ...plan, measures: [], dimensions: [], grain: null, having: [] } : plan));
