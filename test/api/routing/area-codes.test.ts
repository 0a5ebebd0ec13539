import { describe, expect, it } from "vitest";
import { areaCodesOf, stateOfNumber } from "../../../api/routing/area-codes.ts";

const states =
  "AL AK AZ AR CA CO CT DC DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY".split(
    " ",
  );

describe("stateOfNumber", () => {
  it.each([
    ["+12125550100", "NY"],
    ["+13105550100", "CA"],
    ["+12025550100", "DC"],
    ["+15645550100", "WA"],
    ["+16705550100", "MP"],
    ["+16715550100", "GU"],
    ["+16845550100", "AS"],
    ["+17875550100", "PR"],
    ["+14165550100", "ON"],
    ["+17785550100", "BC"],
    ["+17095550100", "NL"],
  ])("finds the state of %s: %s", (number, state) => {
    expect(stateOfNumber(number)).toBe(state);
  });

  it.each([
    ["a toll-free number", "+18005550100"],
    ["an unassigned area code", "+16275550100"],
    ["a code that two provinces share", "+19025550100"],
    ["a Caribbean country", "+18765550100"],
    ["another country", "+442079460958"],
    ["a number that is too short", "+1212555010"],
    ["a number without its plus", "12125550100"],
    ["an anonymous caller", "anonymous"],
    ["nothing", ""],
  ])("knows no state for %s", (_what, number) => {
    expect(stateOfNumber(number)).toBeNull();
  });

  it("covers all fifty states and the District of Columbia, each with codes that lead back to it", () => {
    for (const state of states) {
      const codes = areaCodesOf(state);
      expect(codes.length, state).toBeGreaterThan(0);
      for (const code of codes) expect(stateOfNumber(`+1${code}5550100`)).toBe(state);
    }
  });

  it("gives an area code to one state only", () => {
    const all = [...states, ..."AB BC MB NB NL ON QC SK AS GU MP PR VI".split(" ")].flatMap((state) => [
      ...areaCodesOf(state),
    ]);
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThan(400);
  });
});
