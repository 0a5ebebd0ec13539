import * as z from "zod/mini";
import type { Catalog, CatalogSubject } from "../wire.ts";

const filterSchema = z.looseObject({ field: z.string(), op: z.string(), values: z.array(z.unknown()) });
const filtersSchema = z.array(filterSchema);
const namesSchema = z.array(z.string());
const periodSchema = z.nullable(z.looseObject({ label: z.string() }));

/** What the page can change of a plan; all else goes back as it came. */
const planSchema = z.looseObject({
  subject: z.string(),
  measures: namesSchema,
  dimensions: namesSchema,
  grain: z.nullable(z.string()),
  filters: filtersSchema,
  having: filtersSchema,
  portion: z._default(filtersSchema, []),
  columns: namesSchema,
  period: periodSchema,
  compare: periodSchema,
  order: z.nullable(z.looseObject({ by: z.string() })),
  limit: z._default(z.nullable(z.number()), null),
  share: z._default(z.boolean(), false),
  running: z._default(z.nullable(z.string()), null),
});
export type EditablePlan = z.infer<typeof planSchema>;
export type PlanFilter = z.infer<typeof filterSchema>;

/** Conditions on each record, or on the figures of a group. */
export type ConditionList = "filters" | "having";

/** null for an answer without a plan, or one of a newer server that the page does not know. */
export const toEditablePlan = (plan: unknown): EditablePlan | null => planSchema.safeParse(plan).data ?? null;

export const subjectIn = (catalog: Catalog | null, plan: EditablePlan): CatalogSubject | undefined =>
  catalog?.subjects.find(({ name }) => name === plan.subject);

export const countGroups = ({ dimensions, grain }: EditablePlan): number =>
  dimensions.length + (grain === null ? 0 : 1);

const recurring = new Set(["hour_of_day", "day_of_week", "kind_of_day", "part_of_day"]);

/** Two periods over time are put side by side as a whole, not for each group as well. */
export const isComparable = ({ grain, dimensions }: EditablePlan): boolean =>
  grain === null || recurring.has(grain) || dimensions.length === 0;

const isPlainFigure = ({ share, portion, running }: EditablePlan): boolean =>
  !share && portion.length === 0 && running === null;

/** Whether another period may stand beside the plan's: the server refuses all else in words. */
export const canCompare = (plan: EditablePlan): boolean =>
  plan.period !== null &&
  plan.columns.length === 0 &&
  plan.having.length === 0 &&
  isPlainFigure(plan) &&
  isComparable(plan) &&
  (plan.limit === null || (countGroups(plan) < 2 && plan.grain === null));

/** Whether groups can be left out by their figures. */
export const canHave = (plan: EditablePlan): boolean =>
  countGroups(plan) > 0 &&
  plan.compare === null &&
  isPlainFigure(plan) &&
  (plan.limit === null || countGroups(plan) < 2);
