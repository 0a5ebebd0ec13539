import { describe, expect, it } from "vitest";
import { createOrgConfig } from "../../../api/config/org-config.ts";
import { type ConfigDocument, type ResourceInput, toDocument } from "../../../api/config/registry.ts";
import { retentionWarnings } from "../../../api/routing/retention-warnings.ts";
import { orgOne, secondsIn } from "../../make.ts";
import { aFormula, aTarget } from "./make-route.ts";

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
const target = (given: Partial<ResourceInput<"target">>): ConfigDocument => ({ type: "target", doc: aTarget(given) });
const formula = (given: Partial<ResourceInput<"rtb_formula">>): ConfigDocument => ({
  type: "rtb_formula",
  doc: aFormula(given),
});
const webhook = (caller_id_match_days: number): ConfigDocument => ({
  type: "incoming_webhook",
  doc: toDocument("incoming_webhook", {
    ...about,
    id: "in-1",
    name: "Lead form",
    type: "call_data",
    auth_key: "k",
    caller_id_match_days,
  }),
});

function warningsOf(days: number | undefined, ...documents: ConfigDocument[]): readonly string[] {
  const { config, put } = createOrgConfig({ id: orgOne, name: "Acme", timezone: "UTC" });
  for (const document of documents) put(document);
  return retentionWarnings([config], days);
}

describe("what looks further back than rows are shown", () => {
  it.each([
    ["the target Sunny Roofs 31 days", target({ consider_duplicate: true, consider_duplicate_interval: 31 })],
    ["the RTB formula Sunny bids 90 days", formula({ consider_duplicate: true, consider_duplicate_interval: 90 })],
    ["the incoming webhook Lead form 45 days", webhook(45)],
  ])("is told: %s", (what, document) => {
    expect(warningsOf(30, document)).toEqual([
      `Acme looks further back for earlier calls than WAREHOUSE_RETENTION_DAYS shows them, which is 30 days: ${what}. Older calls are not found.`,
    ]);
    expect(warningsOf(undefined, document)).toEqual([]);
  });

  it("is nothing that looks no further, or not at all", () => {
    const still = target({ consider_duplicate: false, consider_duplicate_interval: 400 });
    const within = formula({ consider_duplicate: true, consider_duplicate_interval: 30 });
    expect(warningsOf(30, still, within, webhook(30))).toEqual([]);
  });

  it("is one sentence for an organization, with five names and a count", () => {
    const many = Array.from({ length: 8 }, (_, index) =>
      target({ id: `t-${index}`, name: `T${index}`, consider_duplicate: true, consider_duplicate_interval: 60 }),
    );
    const [sentence, ...others] = warningsOf(30, ...many);
    expect(others).toEqual([]);
    expect(sentence).toMatch(/T0 60 days, .*the target T4 60 days, and 3 more\./);
  });
});
