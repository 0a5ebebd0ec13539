import type { Subject } from "../../catalog/field.ts";
import type { Role } from "../words/roles.ts";
import type { Item } from "./item.ts";
import type { Meaning } from "./lexicon.ts";

/** The items of a question, of one kind of records. */
export interface Said {
  readonly items: readonly Item[];
  readonly subject: Subject;
}

/** What an item can mean of these records. */
export function senses({ items, subject }: Said, index: number): readonly Meaning[] {
  const item = items[index];
  if (item?.kind !== "meanings") return [];
  return item.meanings.filter((meaning) => !("subject" in meaning) || meaning.subject === subject.name);
}

export const hasRole = (said: Said, index: number, ...roles: readonly Role[]): boolean =>
  senses(said, index).some((meaning) => meaning.kind === "role" && roles.includes(meaning.role));

export const isPlural = (item: Item | undefined): boolean => item?.said.toLowerCase().endsWith("s") === true;
