import { findQuantity } from "../../catalog/catalog.ts";
import { defaultTop } from "./draft.ts";
import { addFilter, after, hasRole, indexesOf, isPlural, type Reading, senseAs, use } from "./reading.ts";
import { groupAt } from "./shape.ts";

/** "calls with the highest revenue": rows, where nothing is there to group by. */
export function rankRows(
  reading: Reading,
  { noun, count, direction }: { noun: number; count: number | undefined; direction: "asc" | "desc" },
): boolean {
  const { draft, items, subject } = reading;
  const quantity = findQuantity(subject, senseAs(reading, noun, "quantity")?.name ?? "");
  const isCounted = count !== undefined && isPlural(items[noun]);
  const noNoun = items.findIndex((_, at) => senseAs(reading, at, "subject") !== undefined);
  const row = noNoun < 0 && isCounted ? noun : noNoun;
  const isGrouped = items.some((_, at) => groupAt(reading, at) !== undefined);
  if (quantity === undefined || row < 0 || isGrouped) return false;
  use(reading, ...indexesOf(reading, "list"));
  if (direction === "asc" || quantity.where !== undefined)
    addFilter(reading, { field: quantity.name, op: "at_least", values: [0] });
  draft.listing = true;
  draft.limit = count ?? (isPlural(items[row]) ? defaultTop : 1);
  draft.order = { by: quantity.name, direction };
  use(reading, noun, row);
  return true;
}

export function startListing(
  reading: Reading,
  { noun, count, direction }: { noun: number; count: number; direction: "asc" | "desc" },
): void {
  const { draft, subject } = reading;
  const by = after(reading, noun);
  const measure = hasRole(reading, by, "by") ? senseAs(reading, after(reading, by), "measure")?.name : undefined;
  const quantity =
    measure === undefined
      ? undefined
      : (findQuantity(subject, measure) ??
        (measure === "avg_duration" ? findQuantity(subject, subject.length ?? "") : undefined));
  if (quantity === undefined) {
    draft.problems.push({
      sentence: `By what should I rank the ${subject.noun.many}? ${subject.quantities.map(({ words }) => words[0]).join(", ")} would do.`,
      options: [],
    });
    return;
  }
  draft.listing = true;
  draft.limit = count;
  draft.order = { by: quantity.name, direction };
  use(reading, noun, by, after(reading, by));
}
