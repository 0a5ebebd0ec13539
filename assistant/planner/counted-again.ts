import { subjectOf } from "../catalog/catalog.ts";
import type { Plan } from "../plan.ts";

const howMany =
  /^(?:and |so |ok |ok,? so )?how many (?:is|are|was|were) (?:that|those|these|they|there|it)(?: in (?:total|all))?[?.!]*$/i;

/** "How many is that", behind a list: its records, counted; undefined where nothing of the kind is asked. */
export function countedAgain(text: string, previous: Plan): Plan | undefined {
  if (!howMany.test(text.trim()) || previous.columns.length === 0) return undefined;
  const { defaultMeasure } = subjectOf(previous.subject);
  return { ...previous, columns: [], measures: [defaultMeasure], order: null, limit: null };
}
