import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaCodesOf } from "../../../api/routing/area-codes.ts";
import { type GivenLocation, locateCaller } from "../../../api/routing/caller-location.ts";
import { nameOfState, toStateCode } from "../../../api/routing/states-and-provinces.ts";

const ofNewYork = "+12125550123";

describe("the location of a caller", () => {
  it.each<[why: string, GivenLocation, zip: string | null, state: string | null]>([
    ["the state of its ZIP before any other", { zip: "90210", state: "TX", caller: ofNewYork }, "90210", "CA"],
    ["the state that was given before that of the number", { state: "TX", caller: ofNewYork }, null, "TX"],
    ["the state of the number when there is no other, and no ZIP", { caller: ofNewYork }, null, "NY"],
    ["the code of a state given by name", { state: " new  york " }, null, "NY"],
    ["five digits of a ZIP+4", { zip: "10001-1234" }, "10001", "NY"],
    ["five digits of nine", { zip: "100011234" }, "10001", "NY"],
    ["an unassigned ZIP as it is, with the state given beside it", { zip: "00000", state: "NJ" }, "00000", "NJ"],
    ["an unassigned ZIP with the state of the number", { zip: "00000", caller: ofNewYork }, "00000", "NY"],
    ["a code of another country as it is", { zip: "M5V 2T6", caller: "+14165550123" }, "M5V 2T6", "ON"],
    ["six digits as they are, which are no ZIP", { zip: "110001" }, "110001", null],
    ["a state that is none as it is", { state: "Bavaria", caller: ofNewYork }, null, "Bavaria"],
    ["nothing where texts are blank", { zip: " ", state: "", caller: "" }, null, null],
    ["nothing of nothing", {}, null, null],
    ["nothing of a toll-free number", { caller: "+18005550123" }, null, null],
  ])("is %s", (_why, given, zip, state) => {
    expect(locateCaller(given)).toEqual({ zip, state });
  });

  it("has no ZIP that nobody gave", () => {
    const text = fc.option(fc.string(), { nil: undefined });
    fc.assert(fc.property(text, text, (state, caller) => locateCaller({ state, caller }).zip === null));
  });
});

describe("a state", () => {
  it.each(["NY", "ny", " New York ", "NEW YORK"])("is found by %j", (text) => {
    expect(toStateCode(text)).toBe("NY");
  });

  it.each(["", "New", "constructor", "__proto__", "XX"])("is none by %j", (text) => {
    expect([toStateCode(text), nameOfState(text)]).toEqual([null, null]);
  });

  it("has a name wherever an area code belongs to it", () => {
    const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".split("").flatMap((one, _at, letters) => letters.map((two) => one + two));
    const known = all.filter((code) => areaCodesOf(code).length > 0);
    expect(known.length).toBeGreaterThan(60);
    for (const code of known) expect(toStateCode(nameOfState(code) ?? "")).toBe(code);
  });
});
