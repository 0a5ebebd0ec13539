import { findFlag, measureOf } from "../../catalog/catalog.ts";
import type { Reading } from "./reading.ts";

/** "How are our calls converting, the conversion rate": of all calls, since of those that converted it is 100 %. */
export function settleOfItself({ draft, subject }: Reading): void {
  const parts = draft.measures.flatMap((name) => {
    const { aggregate } = measureOf(subject, name);
    return aggregate.kind === "ratio" && aggregate.part.kind === "count" ? [aggregate.part.where] : [];
  });
  draft.filters = draft.filters.filter(({ field, op, values }) => {
    const condition = findFlag(subject, field)?.condition;
    return !(op === "is" && values[0] === true && condition !== undefined && parts.includes(condition));
  });
}
