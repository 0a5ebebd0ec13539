// @module-tag slow
import { expect, it } from "vitest";
import { catalog } from "../../../assistant/catalog/catalog.ts";
import { phrasesOf } from "../../../assistant/catalog/wording.ts";
import { catalogLexicon } from "../../../assistant/planner/link/lexicon.ts";
import { toKey } from "../../../assistant/planner/words/tokenize.ts";

it("every wording of the catalog is found by the words that it has in a question", () => {
  const { meanings } = catalogLexicon();
  const wordings = catalog.flatMap(({ measures, flags, quantities, dimensions }) => [
    ...[...measures, ...flags, ...quantities, ...dimensions].flatMap(({ words }) => words),
    ...flags.flatMap(({ opposites = [] }) => opposites),
    ...dimensions.flatMap(({ values = [] }) => values.flatMap(({ words }) => words)),
  ]);
  const nouns = new Set(catalog.flatMap(({ words, noun }) => [...words, noun.one].map(toKey)));
  const phrases = [...new Set(wordings.flatMap(phrasesOf))];
  expect(phrases.length).toBeGreaterThan(10_000);
  expect(phrases.filter((phrase) => !meanings.has(toKey(phrase)) && !nouns.has(toKey(phrase)))).toEqual([]);
});
