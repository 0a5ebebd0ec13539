import { findDimension } from "../../catalog/catalog.ts";
import type { Item } from "../link/item.ts";
import type { Meaning } from "../link/lexicon.ts";
import { stem } from "../words/tokenize.ts";
import { hasRole, type Reading, senses } from "./reading.ts";

type Read = Pick<Reading, "items" | "subject">;

/** "Sip vs number": beside a value of a closed list, the other one is of the same list, whatever else the word may mean. */
export const withSiblings = (reading: Read): readonly Item[] =>
  reading.items.map((item, index) => {
    const meanings = [-1, 1].flatMap((step) => siblingAt(reading, index, step));
    return meanings.length === 0 || item.kind === "stop" ? item : { ...placeOf(item), kind: "meanings", meanings };
  });

const placeOf = ({ from, to, said }: Item) => ({ from, to, said });

function siblingAt(reading: Read, index: number, step: number): readonly Meaning[] {
  const { items, subject } = reading;
  // "The caller hung up and target Acme": the word says what the name behind it is.
  const isOfName = senses(reading, index + 1).some(({ kind }) => kind === "value");
  if (isOfName || !hasRole(reading, index + step, "versus", "and", "or")) return [];
  const said = stem(items[index]?.said.toLowerCase() ?? "");
  return senses(reading, index + 2 * step).flatMap((each) => {
    if (each.kind !== "value" || each.value === said) return [];
    const known = findDimension(subject, each.name)?.values?.some(({ value }) => value === said) === true;
    return known ? [{ ...each, value: said }] : [];
  });
}
