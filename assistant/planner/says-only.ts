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
