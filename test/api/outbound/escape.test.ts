import { describe, expect, it } from "vitest";
import { toJsonNumber, withQuery } from "../../../api/outbound/escape.ts";

describe("parameters", () => {
  it.each([
    ["https://a.example/x", "https://a.example/x?p=1+2"],
    ["https://a.example/x?sig=a%2fb", "https://a.example/x?sig=a%2fb&p=1+2"],
    ["https://a.example/x?q#end", "https://a.example/x?q&p=1+2#end"],
    ["no address", "no address"],
  ])("are added to %s", (address, whole) => {
    expect(withQuery(address, [["p", "1 2"]])).toBe(whole);
  });
});

it.each([
  ["12.50", 12.5],
  [" -3 ", -3],
  ["9007199254740991", 9007199254740991],
  ["9007199254740993", null],
  ["0x1f", null],
  ["1e3", null],
  ["", null],
  ["+1", null],
])("the number of %j is %j", (text, number) => {
  expect(toJsonNumber(text)).toBe(number);
});
