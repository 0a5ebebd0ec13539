import { describe, expect, it } from "vitest";
import { numberWarnings } from "../../../api/config/number-warnings.ts";
import { createOrgConfig } from "../../../api/config/org-config.ts";
import { toDocument } from "../../../api/config/registry.ts";
import { orgOne, secondsIn } from "../../make.ts";

const about = (id: string) => ({ id, org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) });
const number = (id: string, e164: string, is_held = true) =>
  ({ type: "number", doc: toDocument("number", { ...about(id), number: e164, is_held }) }) as const;
const campaign = (id: string, numbers: readonly string[], is_active = true) => {
  const number_group_items = numbers.map((number_id) => ({ number_id }));
  const doc = toDocument("campaign", { ...about(id), name: `Campaign ${id}`, is_active, number_group_items });
  return { type: "campaign", doc } as const;
};

function warningsOf(...documents: (ReturnType<typeof number> | ReturnType<typeof campaign>)[]) {
  const { config, put } = createOrgConfig({ id: orgOne, name: "Acme", timezone: "UTC" });
  for (const document of documents) put(document);
  return numberWarnings([config]);
}

describe("the warnings of a start", () => {
  it("name a number that several active campaigns list from before, and whose calls it has", () => {
    const documents = [campaign("a", ["n", "n"]), campaign("b", ["n"]), campaign("c", ["n"], false)];
    expect(warningsOf(number("n", "+18005550100"), ...documents)).toEqual([
      "Acme: the number +18005550100 is in 2 active campaigns (Campaign a, Campaign b); its calls go to Campaign a. Take it out of the others.",
    ]);
  });

  it("name a number that an organization lists and does not have", () => {
    expect(warningsOf(number("n", "+18005550100", false), number("m", "+18005550101"))).toEqual([
      expect.stringMatching(
        /^Acme lists the number \+18005550100 .* npm run numbers -- move \+18005550100 --to org_one\.$/,
      ),
    ]);
  });

  it("are bounded, and none where each number is in one hand", () => {
    const many = Array.from({ length: 30 }, (_, index) => number(`n${index}`, `+1800555${1000 + index}`, false));
    expect(warningsOf(...many)).toHaveLength(21);
    expect(warningsOf(...many).at(-1)).toContain("10 more");
    expect(warningsOf(number("n", "+18005550100"), campaign("a", ["n"]), campaign("b", []))).toEqual([]);
  });
});
