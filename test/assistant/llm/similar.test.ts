import { expect, it } from "vitest";
import { mostSimilar } from "../../../assistant/llm/similar.ts";

const texts = [
  "revenue by campaign last month",
  "calls by publisher last week",
  "Revenue per campaign, last month!",
  "failed webhook deliveries by webhook",
  "profit by campaign last month",
];
const like = (question: string, count = 3) => mostSimilar(question, texts, (text) => text, count);

it("similar questions come first, regardless of capitals and signs", () => {
  expect(like("revenue by campaign in the last month", 2)).toEqual([texts[0], texts[2]]);
  expect(like("REVENUE PER CAMPAIGN LAST MONTH", 1)).toEqual([texts[2]]);
});

it("unlike ones are none", () => {
  expect(like("who answered the phone in Boise")).toEqual([]);
  expect(like("")).toEqual([]);
});
