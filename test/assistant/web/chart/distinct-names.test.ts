import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distinctNames } from "../../../../assistant/web/chart/distinct-names.ts";

const solar = ["Home Solar Northeast Premium Leads 2025", "Home Solar Northeast Premium Leads 2026"];

describe("names that would be cut alike", () => {
  it("are cut in the middle, so that what differs stays", () => {
    expect([...distinctNames([...solar, "Short"], 20).values()]).toEqual([
      "Home S…um Leads 2025",
      "Home S…um Leads 2026",
    ]);
  });
  it("stay as they are where their beginnings differ, or where they fit", () => {
    expect(distinctNames(["Auto Insurance for Everybody", "Medicare Supplement Plans"], 12).size).toBe(0);
    expect(distinctNames(solar, 40).size).toBe(0);
  });
  it("are never alike, whatever they are", () => {
    const name = fc.stringMatching(/^[ab]{0,6}x{0,20}[ab]{0,4}y{0,20}[ab]{0,3}$/);
    const some = fc.uniqueArray(name, { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(some, fc.integer({ min: 10, max: 30 }), (names, most) => {
        const short = distinctNames(names, most);
        const shown = names.map((each) => {
          const form = short.get(each) ?? each;
          return form.length <= most ? form : `${form.slice(0, most - 1)}…`;
        });
        expect(new Set(shown).size).toBe(names.length);
      }),
    );
  });
});
