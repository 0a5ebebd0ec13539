import { findFlag, measureOf } from "../../catalog/catalog.ts";
import type { Reading } from "./reading.ts";

/**
 * "How are our calls converting, the conversion rate": of all calls, since of those that converted it is 100 %. Beside other
 * figures the condition stays, which are of those calls alone.
 */
export function settleOfItself({ draft, subject }: Reading): void {
  const parts = draft.measures.map((name) => {
    const { aggregate } = measureOf(subject, name);
    return aggregate.kind === "ratio" && aggregate.part.kind === "count" ? aggregate.part.where : undefined;
  });
  draft.filters = draft.filters.filter(({ field, op, values }) => {
    const condition = findFlag(subject, field)?.condition;
    const isOfAll = parts.length > 0 && parts.every((part) => part !== undefined && part === condition);
    return !(op === "is" && values[0] === true && isOfAll);
  });
}
