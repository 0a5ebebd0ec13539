import { expect, it } from "vitest";
import { toCompareWords } from "../../../../assistant/web/chips/compare-words.ts";

it.each([
  ["the period before", "the period before"],
  ["last month a year earlier", "a year earlier"],
  ["last month, same part", "last month"],
  ["August 2026", "August 2026"],
])("a period compared as “%s” is named anew by “%s”", (label, words) => {
  expect(toCompareWords(label)).toBe(words);
});
