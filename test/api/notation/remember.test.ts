import { expect, it } from "vitest";
import { remember } from "../../../api/notation/remember.ts";

it("remembers what was asked for last, a null too, and forgets the rest", () => {
  const made: string[] = [];
  const lengthOf = remember(2, (key) => {
    made.push(key);
    return key === "" ? null : key.length;
  });
  expect([lengthOf("a"), lengthOf(""), lengthOf("a"), lengthOf("")]).toEqual([1, null, 1, null]);
  expect(made).toEqual(["a", ""]);
  lengthOf("a");
  lengthOf("ccc");
  expect([lengthOf("a"), lengthOf("")]).toEqual([1, null]);
  expect(made).toEqual(["a", "", "ccc", ""]);
});
