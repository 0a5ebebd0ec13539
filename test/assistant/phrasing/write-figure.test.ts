import { expect, it } from "vitest";
import { writeFigure } from "../../../assistant/phrasing/write-figure.ts";

it.each([
  ["percent", 41.1312, "41.13%"],
  ["percent", 100, "100%"],
  ["seconds", 0, "0 s"],
  ["seconds", 4.256, "4.26 s"],
  ["seconds", 59.7, "1 min"],
  ["seconds", 192, "3 min 12 s"],
  ["seconds", 3_723, "1 h 2 min"],
  ["seconds", 4_320_000, "1,200 h"],
  ["seconds", -4.5, "-4.5 s"],
  ["seconds", -75, "-1 min 15 s"],
  ["ms", 850.26, "850.26 ms"],
  ["ms", 2_500, "2.5 s"],
  ["money", -12, "-$12.00"],
] as const)("a figure in %s is written alike everywhere: %d is %s", (unit, value, written) => {
  expect(writeFigure[unit](value)).toBe(written);
});
