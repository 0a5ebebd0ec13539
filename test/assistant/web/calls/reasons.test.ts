import { describe, expect, it } from "vitest";
import { callReasons } from "../../../../api/routing/call-eligibility.ts";
import { routeReasons } from "../../../../api/routing/eligibility.ts";
import { reasonOf, reasonWords } from "../../../../assistant/web/calls/reasons.ts";

describe("a reason", () => {
  it.each([...callReasons, ...routeReasons])("has plain words: %s", (code) => {
    expect(reasonOf(code).words).not.toBe(code.replaceAll("_", " "));
  });

  it("that is not known here is shown as it is written", () => {
    expect(reasonOf("sip_488")).toEqual({ words: "sip 488", advice: null });
  });

  it("says whose cap or limit it was", () => {
    expect(reasonWords("cap_reached", "buyer")).toBe("a cap was reached (of its buyer)");
    expect(reasonWords("duplicate", "01a2")).toBe(reasonOf("duplicate").words);
  });
});
