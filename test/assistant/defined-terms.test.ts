import { describe, expect, it } from "vitest";
import { withDefinedTerms } from "../../assistant/defined-terms.ts";

const instructions = `Our own words:
West = CA, OR, WA
West Coast = California
"qualified call" = converted call over 90 seconds.
A good day is one with over 100 calls.`;

describe("terms that an organization defines", () => {
  it.each([
    ["calls from the west last month", "calls from California, Oregon and Washington last month"],
    ["calls from West Coast", "calls from California"],
    ["how many qualified  calls", "how many qualified  calls"],
    ["revenue of every qualified call by day", "revenue of every converted call over 90 seconds by day"],
    ["calls to Westport", "calls to Westport"],
    ["what is a good day", "what is a good day"],
  ])("stand for what they are defined as: %s", (question, read) => {
    expect(withDefinedTerms(question, instructions).text).toBe(read);
  });

  it("are told where they are replaced", () => {
    expect(withDefinedTerms("calls from the West", instructions).notes).toEqual([
      "“West” is read as “California, Oregon and Washington”, as your organization defines it.",
    ]);
    expect(withDefinedTerms("calls", instructions).notes).toEqual([]);
  });
});
