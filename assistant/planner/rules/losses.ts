import { findQuantity } from "../../catalog/catalog.ts";
import { addFilter, addMeasure, after, before, indexesOf, type Reading, senseAs, use } from "./reading.ts";
import { headOf, kindAt } from "./zero.ts";

/** "Which campaigns lose money", "unprofitable calls": the profit is below zero. */
export function readLosses(reading: Reading): void {
  const { items, subject, draft } = reading;
  const [index] = indexesOf(reading, "loses");
  if (index === undefined || findQuantity(subject, "profit") === undefined) return;
  const head =
    relativeNoun(reading, index) ??
    headOf(reading, index) ??
    kindAt(reading, after(reading, index)) ??
    headOf(reading, items.length);
  if (head === undefined) {
    askWhose(reading, index);
    return;
  }
  // The top of those that lose could be either end.
  if (head === "group" && indexesOf(reading, "top", "bottom").length > 0) return;
  use(reading, index);
  if (head === "group") ofGroups(reading);
  // "Lost money on (profit below zero)" says it twice.
  else if (!draft.filters.some(({ field }) => field === "profit"))
    addFilter(reading, { field: "profit", op: "less_than", values: [0] }, index);
}

/** "Which buyers had calls where we lost money": of the calls, which stand right before. */
function relativeNoun(reading: Reading, index: number): "row" | undefined {
  const noun = before(reading, index, "with", "of");
  const isJoined = reading.items
    .slice(noun + 1, index)
    .some(({ said }) => /^(where|that|which|on which)\b/i.test(said));
  return isJoined && kindAt(reading, noun) === "row" ? "row" : undefined;
}

/** The greatest loss first, but for buckets of time, which keep their order. */
function ofGroups(reading: Reading): void {
  addMeasure(reading, "profit");
  reading.draft.having.push({ field: "profit", op: "less_than", values: [0] });
  const isSeries = reading.items.some((_, at) => senseAs(reading, at, "grain") !== undefined);
  if (!isSeries) reading.draft.order ??= { by: "profit", direction: "asc" };
}

/** "Where do we lose money last month": which of the groups lose it. */
function askWhose({ items, draft }: Reading, index: number): void {
  const rest = items.slice(index + 1).map(({ said }) => said);
  const groups = ["campaigns", "publishers", "buyers", "targets"];
  const isPlain = items.every(
    (item) => item === items[index] || item.kind !== "meanings" || item.meanings.every(({ kind }) => kind === "role"),
  );
  const options = isPlain ? groups.map((group) => ["which", group, "lose money", ...rest].join(" ")) : [];
  draft.problems.push({
    sentence: "Whose profit do you want to see, such as that of campaigns or publishers?",
    options,
  });
}
