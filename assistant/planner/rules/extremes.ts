import { findMeasure } from "../../catalog/catalog.ts";
import { addFilter, before, indexesOf, isGrouped, isPlural, numberAt, type Reading, senseAs, use } from "./reading.ts";

/** "The 10 highest bids": so many records, where "the highest bid" is one figure. */
export function readExtremes(reading: Reading, index: number): void {
  const { draft, subject, items } = reading;
  const measure = findMeasure(subject, senseAs(reading, index, "measure")?.name ?? "");
  const at = before(reading, index);
  const count = numberAt(reading, at);
  if (measure === undefined || count === undefined || !isPlural(items[index]) || isGrouped(reading)) return;
  const { aggregate } = measure;
  if (aggregate.kind !== "highest" && aggregate.kind !== "lowest") return;
  const quantity = subject.quantities.find(({ column }) => column === aggregate.column);
  if (quantity === undefined) return;
  draft.listing = true;
  draft.limit = count;
  draft.order = { by: quantity.name, direction: aggregate.kind === "highest" ? "desc" : "asc" };
  addFilter(reading, { field: quantity.name, op: "at_least", values: [0] });
  use(reading, index, at, ...indexesOf(reading, "list"));
}
