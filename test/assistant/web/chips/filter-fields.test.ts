import { describe, expect, it } from "vitest";
import { fieldsOf } from "../../../../assistant/web/chips/filter-fields.ts";
import type { CatalogSubject } from "../../../../assistant/web/wire.ts";
import { aPlan, catalog } from "./a-plan.ts";

const [calls] = catalog.subjects;
const said = (change: object, subject: CatalogSubject | undefined = calls) =>
  subject && fieldsOf(aPlan(change), subject, catalog).map(({ section, label }) => `${section}: ${label}`);

describe("what a plan can be filtered by", () => {
  it("is names, tags, facts, numbers, and the figures of its groups", () => {
    expect(said({ grain: "day", limit: null })).toEqual([
      "Name: campaign",
      "Name: tag",
      "Yes or no: converted",
      "Number: duration",
      "Figure of each day and campaign: revenue",
      "Figure of each day and campaign: answered calls",
    ]);
  });

  it("is no figure of groups where there are none, or where two periods stand side by side", () => {
    const alone = ["Name: campaign", "Name: tag", "Yes or no: converted", "Number: duration"];
    expect(said({ dimensions: [], limit: null })).toEqual(alone);
    expect(said({ compare: { label: "the period before" } })).toEqual(alone);
  });

  it("has what is both a name and a number once, as a number", () => {
    const status = { name: "status_code", label: "status code" };
    const requests = {
      name: "outgoing_webhook_requests",
      label: "webhook deliveries",
      measures: [],
      flags: [],
      has_tags: false,
      dimensions: [{ ...status, values: [] }],
      quantities: [{ ...status, unit: null }],
    };
    expect(said({}, requests)).toEqual(["Number: status code"]);
  });
});
