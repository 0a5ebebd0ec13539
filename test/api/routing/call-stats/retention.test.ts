import { expect, it } from "vitest";
import { createOrgConfig } from "../../../../api/config/org-config.ts";
import { toDocument } from "../../../../api/config/registry.ts";
import { longestIntervalDays, retentionOf } from "../../../../api/routing/call-stats/call-store.ts";
import { orgOne, secondsIn } from "../../../make.ts";
import { day, hour, today } from "./records.ts";

const about = { org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0), name: "n", buyer_id: "b" };
const aTarget = (id: string, consider_duplicate: boolean, consider_duplicate_interval: number) => {
  const doc = {
    ...about,
    id,
    type: "number" as const,
    number: "+18885550101",
    consider_duplicate,
    consider_duplicate_interval,
  };
  return { type: "target", doc: toDocument("target", doc) } as const;
};

it("looks back as long as any destination that considers duplicates", () => {
  const { config, put } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  expect(longestIntervalDays(config)).toBe(0);
  put(aTarget("one", true, 45));
  put(aTarget("two", true, 90));
  put(aTarget("off", false, 365));
  expect(longestIntervalDays(config)).toBe(90);
});

it("keeps calls of whole days, a month at the least", () => {
  const now = today + 15 * hour;
  expect(retentionOf(0, now)).toEqual({ callsFrom: today - 32 * day, hoursFrom: today - 32 * day });
  expect(retentionOf(90, now)).toEqual({ callsFrom: today - 90 * day, hoursFrom: today - 32 * day });
});
