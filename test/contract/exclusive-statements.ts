import { describe, expect, it } from "vitest";
import { listDocuments } from "../../api/config/document-list.ts";
import { findNaming } from "../../api/config/document-references.ts";
import { createExclusiveReferences, storedExclusiveOf } from "../../api/config/exclusive-references.ts";
import { definitions, toDocument } from "../../api/config/registry.ts";
import { campaign } from "../../api/config/resources/campaign.ts";
import { createConfigStore } from "../../api/config/store.ts";
import type { Database } from "../../api/database/database.ts";
import { orgOne, secondsIn, startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";

const about = (id: string, second = 0) => ({
  id,
  org_id: orgOne,
  created_at: secondsIn(second),
  updated_at: secondsIn(second),
});
const number = (id: string) =>
  ({ type: "number", doc: { ...about(id), number: `+1800555${1000 + Number(id)}` } }) as const;
const aCampaign = (id: string, numbers: readonly string[], { is_active = true, second = 0 } = {}) =>
  ({
    type: "campaign",
    doc: {
      ...about(id, second),
      name: `Campaign ${id}`,
      is_active,
      number_group_items: numbers.map((number_id) => ({ number_id })),
    },
  }) as const;

/** What only one document of a kind may have at a time, on any engine. */
export function describeExclusiveReferences(open: () => Promise<Database>): void {
  const { change } = createExclusiveReferences(definitions);

  async function openRig() {
    const database = await open();
    const store = createConfigStore(database, createManualClock(startOfTime));
    await store.save(orgOne, ["1", "2", "3"].map(number));
    const holderOf = async (id: string) =>
      (await findNaming(database, orgOne, { type: "number", ids: [id], by: "campaign" })).get(id) ?? null;
    const withStatus = async (value: string) => {
      const filters = [{ by: "number_status", value }] as const;
      const page = { limit: 10, offset: 0, direction: "asc" } as const;
      const { documents } = await listDocuments(database, orgOne, { type: "number", filters, page });
      return documents.map(({ doc }) => doc.id).toSorted();
    };
    return { database, store, holderOf, withStatus };
  }

  describe("a number of a campaign", () => {
    it("is the active one's that lists it, and no other's that is saved later", async () => {
      const { store, holderOf, withStatus } = await openRig();
      await store.save(orgOne, [aCampaign("inactive", ["1"], { is_active: false }), aCampaign("a", ["1", "2", "2"])]);
      expect(await holderOf("1")).toEqual({ id: "a", isHolder: true });
      expect([await withStatus("assigned"), await withStatus("available")]).toEqual([["1", "2"], ["3"]]);
      await expect(store.save(orgOne, [aCampaign("b", ["2", "3"])])).rejects.toMatchObject({
        status: 409,
        code: "number_in_use",
        message: expect.stringMatching(/^The number \+18005551002 is in the campaign "Campaign a" \(a\) already/),
      });
      expect(await withStatus("available")).toEqual(["3"]);
      await store.save(orgOne, [aCampaign("a", ["1"])]);
      await store.save(orgOne, [aCampaign("b", ["2", "3"])]);
      expect(await holderOf("2")).toEqual({ id: "b", isHolder: true });
      await store.save(orgOne, [aCampaign("a", ["1"], { is_active: false })]);
      expect(await holderOf("1")).toMatchObject({ isHolder: false });
    });

    it("of several that list it from before goes to the next one once the first gives it up", async () => {
      const { database, store, holderOf } = await openRig();
      await store.save(orgOne, [aCampaign("first", ["1", "2"])]);
      const later = ["third", "second"].map((id, index) => aCampaign(id, ["2", "1"], { second: 20 - index }));
      await store.save(
        orgOne,
        later.map(({ type, doc }) => ({ type, doc: { ...doc, is_active: false } })),
      );
      for (const { doc } of later) {
        const sql = "UPDATE documents SET doc = $1 WHERE type = 'campaign' AND id = $2";
        await database.query(sql, [JSON.stringify(toDocument("campaign", doc)), doc.id]);
      }
      const first = { ...toDocument("campaign", aCampaign("first", []).doc) };
      await database.transaction((db) => change(db, campaign, { doc: first, before: ["1", "2"], after: ["2"] }));
      expect(await holderOf("1")).toEqual({ id: "second", isHolder: true });
      expect(await holderOf("2")).toEqual({ id: "first", isHolder: true });
      expect(await storedExclusiveOf(database, campaign, "second")).toEqual(["1"]);
      const third = { ...toDocument("campaign", aCampaign("third", ["2", "1"]).doc) };
      await database.transaction((db) => change(db, campaign, { doc: third, before: ["2", "1"], after: ["2", "1"] }));
      expect(await storedExclusiveOf(database, campaign, "third")).toEqual([]);
    });
  });
}
