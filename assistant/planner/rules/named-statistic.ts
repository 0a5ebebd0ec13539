import { isDeepStrictEqual } from "node:util";
import { findMeasure, findQuantity } from "../../catalog/catalog.ts";
import { type Reading, senseAs } from "./reading.ts";

/** A measure of the catalog where it says the same: one figure has one name. */
export function named({ subject }: Pick<Reading, "subject">, statistic: string, quantity: string): string {
  const name = `${statistic}_${quantity}`;
  const wanted = findMeasure(subject, name)?.aggregate;
  return subject.measures.find(({ aggregate }) => isDeepStrictEqual(aggregate, wanted))?.name ?? name;
}

/** The number of each record that an item names, be it a figure by itself or not. */
export function quantityAt(reading: Reading, index: number): string | undefined {
  const own = senseAs(reading, index, "quantity")?.name;
  if (own !== undefined) return own;
  const measure = senseAs(reading, index, "measure")?.name ?? "";
  return findQuantity(reading.subject, measure)?.name ?? ofAverage(reading, measure);
}

/** The units of times, of which the plain figure is the mean. */
export const isTime = /^(seconds|ms)$/;

/** "P95 of bidder response times": of what the plain figure is the average of. */
function ofAverage({ subject }: Reading, name: string): string | undefined {
  const measure = findMeasure(subject, name);
  const { aggregate } = measure ?? {};
  if (aggregate?.kind !== "average" || !isTime.test(measure?.unit ?? "")) return undefined;
  const known = subject.quantities.filter(({ column }) => column === aggregate.column);
  return (known.find(({ where }) => where === aggregate.where) ?? known[0])?.name;
}
