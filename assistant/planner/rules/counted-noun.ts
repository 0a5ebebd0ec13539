import { findMeasure } from "../../catalog/catalog.ts";
import type { Quantity } from "../../catalog/field.ts";
import { stem } from "../words/tokenize.ts";
import { type Reading, senseAs } from "./reading.ts";

/** "Winning bids": the number that each of what is counted has, told by its noun; undefined where it has none. */
export function quantityOfNoun(reading: Reading, index: number): Quantity | undefined {
  const counted = findMeasure(reading.subject, senseAs(reading, index, "measure")?.name ?? "")?.aggregate;
  if (senseAs(reading, index, "flag")?.noun !== true && counted?.kind !== "count") return undefined;
  const noun = stem(reading.items[index]?.said.toLowerCase().split(" ").at(-1) ?? "");
  return reading.subject.quantities.find(({ words }) => words.includes(noun));
}
