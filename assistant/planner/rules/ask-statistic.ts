import { findQuantity } from "../../catalog/catalog.ts";
import { isTime, named } from "./named-statistic.ts";
import { addMeasure, type Reading, reworded, senseAs, senses, use } from "./reading.ts";

/** "Ring time by buyer": of a quantity that is no figure by itself, the average or the sum? */
export function askStatistic(reading: Reading): void {
  const { items, draft, subject } = reading;
  const at = items.findIndex((_, index) => senseAs(reading, index, "quantity") !== undefined);
  const only = at >= 0 && senses(reading, at).every(({ kind }) => kind === "quantity");
  if (!only || draft.measures.length + draft.having.length > 0 || draft.listing) return;
  const said = items[at]?.said ?? "";
  const quantity = findQuantity(subject, senseAs(reading, at, "quantity")?.name ?? "");
  // "Answer time by target": of times the mean is meant, as the catalog has it for those that it names.
  if (quantity !== undefined && /\btime\b/i.test(said) && isTime.test(quantity.unit)) {
    addMeasure(reading, named(reading, "avg", quantity.name));
    use(reading, at);
    return;
  }
  const ways = quantity?.unit === "count" ? ["average"] : ["average", "median", "sum of"];
  const options = ways.map((way) => reworded(reading, at, `${way} ${said}`));
  draft.problems.push({ sentence: `Which figure of ${said} do you want to see?`, options });
}
