import { describe, expect, it } from "vitest";
import { catalog } from "../../../assistant/catalog/catalog.ts";
import { documentCatalog } from "../../../assistant/catalog/document.ts";
import { isChoice, phrasesOf } from "../../../assistant/catalog/wording.ts";

describe("a wording", () => {
  it.each([
    ["margin", ["margin"]],
    ["(won/lost) bid", ["won bid", "lost bid"]],
    ["hung up (first)?", ["hung up first", "hung up"]],
    ["(a/b)? c (d/e f)", ["a c d", "a c e f", "b c d", "b c e f", "c d", "c e f"]],
    ["% of (the)? $1", ["% of the $1", "% of $1"]],
    ["(~hang/gave) up", ["hang up", "hangs up", "hung up", "hanging up", "gave up"]],
    ["~retry", ["retry", "retries", "retried", "retrying"]],
    ["~drop", ["drop", "drops", "dropped", "dropping"]],
    ["~offer", ["offer", "offers", "offered", "offering"]],
    ["~omit", ["omit", "omits", "omitted", "omitting"]],
    ["~refuse", ["refuse", "refuses", "refused", "refusing"]],
    ["~match", ["match", "matches", "matched", "matching"]],
  ])("%s stands for each of its choices", (wording, phrases) => {
    expect(phrasesOf(wording)).toEqual(phrases);
  });
  it("is told by the page where it has choices, however many words stand before it", () => {
    const page = documentCatalog();
    const named = catalog.flatMap(({ measures, dimensions, flags }) => [
      ...[...measures, ...dimensions, ...flags].flatMap(({ words }) => words),
      ...dimensions.flatMap(({ values = [] }) => values.flatMap(({ words }) => words)),
    ]);
    const choices = named.filter(isChoice);
    expect(choices.length).toBeGreaterThan(10);
    for (const wording of choices) expect(page).toContain(wording);
  });
});
