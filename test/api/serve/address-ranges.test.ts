import { describe, expect, it } from "vitest";
import {
  type AddressRange,
  isInRanges,
  parseRange,
  rangesBeyond,
  toRangeText,
} from "../../../api/serve/address-ranges.ts";

function parsed(text: string): AddressRange {
  const range = parseRange(text);
  if (range === null) throw new Error(`${text} is no range`);
  return range;
}

describe("an address range", () => {
  it.each([
    ["203.0.113.9", "203.0.113.9/32"],
    ["10.1.2.3/8", "10.0.0.0/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8::1", "2001:db8::1/128"],
    ["2001:db8:1:2::3/48", "2001:db8:1::/48"],
    ["::ffff:10.1.2.3/104", "10.0.0.0/8"],
  ])("%s is %s", (text, shown) => {
    expect(toRangeText(parsed(text))).toBe(shown);
  });

  it.each([
    "",
    "10.0.0.0/33",
    "10.0.0/8",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "::1/129",
    "fe80::1%eth0",
    "0x7f.1",
    "host",
  ])("%j is none", (text) => {
    expect(parseRange(text)).toBeNull();
  });

  it.each([
    ["10.255.0.1", ["10.0.0.0/8"], true],
    ["11.0.0.1", ["10.0.0.0/8"], false],
    ["11.0.0.1", ["10.0.0.0/8", "11.0.0.1"], true],
    ["2001:db8::7", ["2001:db8::/32"], true],
    ["2001:db9::7", ["2001:db8::/32"], false],
    ["::ffff:10.0.0.1", ["10.0.0.0/8"], true],
    ["10.0.0.1", ["::/0"], false],
    ["::1", ["0.0.0.0/0"], false],
  ])("takes %s of %j: %s", (address, ranges, isIn) => {
    expect(isInRanges(ranges.map(parsed), address)).toBe(isIn);
  });

  it("takes no address that is not known", () => {
    expect(isInRanges([parsed("0.0.0.0/0"), parsed("::/0")], null)).toBe(false);
  });

  it.each([
    ["10.1.0.0/16", ["10.0.0.0/8"], []],
    ["10.0.0.0/8", ["10.0.0.0/8"], []],
    ["10.0.0.0/7", ["10.0.0.0/8"], ["10.0.0.0/7"]],
    ["::/0", ["0.0.0.0/0"], ["::/0"]],
    ["2001:db8:1::/48", ["10.0.0.0/8", "2001:db8::/32"], []],
  ])("%s beyond %j is %j", (wanted, own, beyond) => {
    expect(rangesBeyond([parsed(wanted)], own.map(parsed)).map(toRangeText)).toEqual(beyond);
  });
});
