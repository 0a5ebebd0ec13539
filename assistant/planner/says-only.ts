import { measureOf } from "../catalog/catalog.ts";
import type { Plan } from "../plan.ts";
import { namesSubject, type Reading } from "./rules/reading.ts";

/** No groups, no ranking, no comparison, no list. */
export const hasNoShape = ({ draft }: Reading): boolean =>
  draft.dimensions.length + draft.having.length === 0 &&
  draft.grain === null &&
  draft.order === null &&
  draft.limit === null &&
  draft.compare === null &&
  !draft.listing &&
  !draft.share;

/** Figures and nothing else: no period, no groups, no conditions. */
export const isFigureOnly = (reading: Reading): boolean =>
  hasNoShape(reading) &&
  reading.draft.filters.length === 0 &&
  reading.draft.period === undefined &&
  (reading.draft.measures.length > 0 || namesSubject(reading));

/** "Only those with at least 70 calls": of the groups before. */
export const isBoundOnly = ({ draft, groupedBefore }: Reading): boolean =>
  groupedBefore &&
  draft.having.length > 0 &&
  draft.dimensions.length + draft.filters.length === 0 &&
  draft.measures.every((name) => draft.having.some(({ field }) => field === name));

/** "And by profit instead": the ranking of the groups before. */
export const isSortingOnly = ({ draft, groupedBefore }: Reading): boolean =>
  groupedBefore &&
  draft.order !== null &&
  draft.dimensions.length + draft.filters.length + draft.having.length === 0 &&
  draft.grain === null &&
  draft.period === undefined;

/** "And for facebook traffic only": fewer of the records before, where no figure is named. */
export const narrowsOnly = ({ draft, items }: Reading): boolean =>
  draft.measures.length + draft.dimensions.length === 0 &&
  draft.filters.length > 0 &&
  items.some(({ said }) => /^(?:only|just)\b/i.test(said));

/** "Highest bid" behind "average bid by week": another statistic of the same number, so of the same records. */
export function swapsFigure(reading: Reading, previous: Plan): boolean {
  const { subject, draft } = reading;
  if (previous.subject !== subject.name || !isFigureOnly(reading)) return false;
  const columnOf = (name: string) => {
    const { aggregate } = measureOf(subject, name);
    return "column" in aggregate && aggregate.kind !== "sum" && aggregate.kind !== "distinct" ? aggregate.column : "";
  };
  const [before, now] = [previous.measures, draft.measures];
  const column = columnOf(now[0] ?? subject.defaultMeasure);
  return before.length === 1 && now.length === 1 && column !== "" && columnOf(before[0] ?? "") === column;
}
