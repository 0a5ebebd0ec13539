import type { Plan } from "../plan.ts";
import { leans } from "./leans.ts";
import { hasRole, type Reading, senses } from "./rules/reading.ts";
import { isFigureOnly, swapsFigure } from "./says-only.ts";

/** A question that leans on the one before: it names no figure of its own, or says so ("only", "instead"). */
export function goesOn(reading: Reading, previous: Plan): boolean {
  const { draft, items, subject } = reading;
  if (previous.subject !== subject.name) return false;
  if (draft.listing) return saysInstead(reading);
  if (draft.listsThem) return true;
  if (items.some((_, index) => hasRole(reading, index, "follow"))) return true;
  if (
    leans(reading) ||
    draft.adds ||
    draft.compareTo !== null ||
    isSorting(reading) ||
    draft.removed.length > 0 ||
    draft.replaced.length > 0 ||
    draft.plain ||
    draft.ungroups ||
    draft.unbounds ||
    draft.keepsPeriod ||
    (reading.groupedBefore && isFigureOnly(reading)) ||
    swapsFigure(reading, previous) ||
    draft.movesBack !== null ||
    draft.asRate ||
    draft.againstPrevious
  )
    return true;
  return draft.measures.length === 0 && !namesRecords(reading);
}

/** "The 10 latest converted ones instead": a list in place of the answer before, of the same records. */
const saysInstead = ({ items }: Reading): boolean =>
  items.some(({ said }) => /^instead$/i.test(said)) && items.some(({ said }) => /^(ones|those|them)$/i.test(said));

/** "Sort them by conversion rate": a ranking of nothing new. */
const isSorting = ({ draft }: Reading): boolean =>
  draft.order !== null && draft.dimensions.length === 0 && draft.grain === null && draft.period === undefined;

/** The noun that a grouping also bears ("by webhook") is no new question. */
const namesRecords = ({ items, subject }: Reading): boolean =>
  items.some((_, index) => {
    const all = senses({ items, subject }, index);
    return all.some(({ kind }) => kind === "subject") && !all.some(({ kind }) => kind === "dimension");
  });
