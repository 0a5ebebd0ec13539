import { expect, it } from "vitest";
import { subjectOf } from "../../../assistant/catalog/catalog.ts";
import {
  createChart,
  type Production,
  production,
  type Terminals,
  TooManyWaysError,
} from "../../../assistant/planner/grammar/production.ts";
import { now, zone } from "../example-data.ts";

const setting = { subject: subjectOf("calls"), now, zone };
const word: Terminals = new Map([["WORD", [{}]]]);
const rules = (...said: readonly string[]): ReadonlyMap<string, readonly Production[]> =>
  new Map([["list", said.map((each) => production("list", each))]]);
const readingsOf = (words: number, grammar: ReadonlyMap<string, readonly Production[]>) =>
  createChart(
    Array.from({ length: words }, () => word),
    grammar,
    setting,
  )("list", 0).filter(({ to }) => to === words);

it("a list that can be built in many ways, and says the same in each, is read once", () => {
  expect(readingsOf(40, rules("WORD", "WORD list", "WORD WORD list"))).toHaveLength(1);
});

it("words that fit a phrase in more ways than are worth trying are not read", () => {
  const phrase = rules(Array.from({ length: 24 }, () => "WORD?").join(" "));
  expect(readingsOf(6, rules("WORD? WORD? WORD? WORD? WORD? WORD?"))).toHaveLength(1);
  expect(() => readingsOf(12, phrase)).toThrow(TooManyWaysError);
});
