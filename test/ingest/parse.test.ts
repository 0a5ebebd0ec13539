import { describe, expect, it } from "vitest";
import { toDecimal } from "../../ingest/parse.ts";

describe("a decimal number", () => {
  it.each([
    ["12.5", 12.5],
    [" +.5 ", 0.5],
    ["-3.", -3],
    ["1e3", 1000],
  ])("is %j", (text, number) => {
    expect(toDecimal(text)).toBe(number);
  });

  it.each(["", " ", "0x1F", "0b1", "0o7", "1,5", "$5", "Infinity", "NaN", "1e999", "1_000", "."])(
    "is not %j",
    (text) => {
      expect(toDecimal(text)).toBeNaN();
    },
  );
});
