import { expect, it } from "vitest";
import { createOrgConfig } from "../../../../api/config/org-config.ts";
import { toDocument } from "../../../../api/config/registry.ts";
import { packCallId, unpackCallId } from "../../../../api/routing/figures/call-names.ts";
import { longestIntervalDays, reachOf } from "../../../../api/routing/figures/reach.ts";
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

it("reaches back whole days, a month at the least", () => {
  const now = today + 15 * hour;
  expect(reachOf(0, now)).toEqual({ callsFrom: today - 32 * day, hoursFrom: today - 32 * day });
  expect(reachOf(90, now)).toEqual({ callsFrom: today - 90 * day, hoursFrom: today - 32 * day });
});

it.each([
  "0199c0de-0000-7000-8000-000000000001",
  "ffffffff-ffff-ffff-ffff-ffffffffffff",
  "0199C0DE-0000-7000-8000-000000000001",
  "call-1",
  "",
  "sixteen letters!",
  "Zoë 東京 Ā",
])("gives back the call id it packed: %s", (id) => {
  expect(unpackCallId(packCallId(id))).toBe(id);
});

it("packs every id into a text of its own", () => {
  const uuid = "30313233-3435-3637-3839-616263646566";
  expect(packCallId(uuid)).toHaveLength(16);
  expect(packCallId(packCallId(uuid))).not.toBe(packCallId(uuid));
});
