import type { Names } from "../planner/link/name-index.ts";
import { toWords } from "../planner/words/tokenize.ts";

const mostNames = 40;

/** Every name in a dimension of the organization's data. */
export function knownValues({ whole }: Names, field: string): readonly string[] {
  const values = [...whole.values()].flat();
  return [...new Set(values.flatMap((each) => (each.kind === "value" && each.name === field ? [each.value] : [])))];
}

/** The names that share a word with the question, by dimension: those that a model needs to link it, and no others. */
export function mentionedNames(names: Names, text: string): Readonly<Record<string, readonly string[]>> {
  const near = new Set(toWords(text).flatMap(({ stem }) => names.namesWith.get(stem) ?? []));
  const found: Record<string, string[]> = {};
  let count = 0;
  for (const meaning of [...names.whole.values()].flat()) {
    if (meaning.kind !== "value" || !near.has(meaning.value) || count === mostNames) continue;
    const ofField = found[meaning.name] ?? [];
    if (ofField.includes(meaning.value)) continue;
    found[meaning.name] = [...ofField, meaning.value];
    count += 1;
  }
  return found;
}
