import { describe, expect, it } from "vitest";
import type { Actor } from "../../api/config/audit-outbox.ts";
import { checkUnique } from "../../api/config/constraints.ts";
import { insertDocument } from "../../api/config/documents.ts";
import { moveNumber } from "../../api/config/move-number.ts";
import { definitions, toDocument } from "../../api/config/registry.ts";
import { number as definition } from "../../api/config/resources/number.ts";
import { createResourceService } from "../../api/config/service.ts";
import { WriteConflictError } from "../../api/config/unit-of-work.ts";
import type { Database } from "../../api/database/database.ts";
import { allRights } from "../../api/serve/rights.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { orgOne, orgTwo, secondsIn, startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";

const e164 = "+18005550100";
const taken = { status: 409, code: "number_taken" };
const conflict = { status: 409, code: "conflict" };

const actorFor = (orgId: OrgId): Actor => ({
  caller: { orgId, actor: { type: "api_key", id: "key", name: null }, admin: false, rights: allRights },
  requestId: null,
  sourceIp: null,
});

/** Whose a number is, on any engine. */
export function describeNumbers(open: () => Promise<Database>): void {
  async function openRig() {
    const database = await open();
    const service = createResourceService({
      database,
      clock: createManualClock(startOfTime),
      definitions,
      outbox: { drain: async () => undefined },
      settled: async () => undefined,
      configOf: () => undefined,
      onTrouble: expect.fail,
    });
    /** A row as an earlier version left it. */
    const leave = async (id: string, org: OrgId, { key, isHeld }: { key: string; isHeld: boolean }) => {
      const about = { id, org_id: org, created_at: secondsIn(Number(id)), updated_at: secondsIn(Number(id)) };
      const doc = toDocument("number", { ...about, number: e164, is_held: isHeld }) as never;
      await insertDocument(database, "number", doc, { externalId: null, uniqueKey: key });
    };
    return {
      database,
      leave,
      create: (org: OrgId, number = e164) => service.create(definition, actorFor(org), { number }),
      patch: (org: OrgId, id: unknown, input: object) =>
        service.patch(definition, actorFor(org), { id: String(id), input: { ...input } }),
      remove: (org: OrgId, id: unknown) => service.remove(definition, actorFor(org), { id: String(id) }),
      move: (to: OrgId) => moveNumber(database, { e164, to, now: startOfTime, actorFor }),
      /** The ids of those that have it. */
      async holders(): Promise<string[]> {
        const rows = await database.query("SELECT id, doc FROM documents WHERE type = 'number' ORDER BY id");
        return rows.filter(({ doc }) => JSON.parse(String(doc)).is_held).map(({ id }) => String(id));
      },
    };
  }

  describe("a number of one organization", () => {
    it("that lists it without having it is not made again there, and is anybody else's to make", async () => {
      const { leave, create, holders } = await openRig();
      await leave("1", orgOne, { key: `${orgOne}:${e164}`, isHeld: false });
      await expect(create(orgOne)).rejects.toMatchObject(conflict);
      const { id } = await create(orgTwo);
      expect(await holders()).toEqual([id]);
      await expect(create(orgOne)).rejects.toMatchObject(taken);
    });

    it("is not made again beside a row whose key has the organization in front", async () => {
      const { leave, create, patch } = await openRig();
      await leave("1", orgOne, { key: `${orgOne}:${e164}`, isHeld: true });
      await expect(create(orgOne)).rejects.toMatchObject(conflict);
      const { id } = await create(orgOne, "+18005550101");
      await expect(patch(orgOne, id, { number: e164 })).rejects.toMatchObject(conflict);
    });

    it("is taken up by who lists it and names it, once nobody has it", async () => {
      const { leave, create, patch, remove, holders } = await openRig();
      await leave("1", orgOne, { key: `${orgOne}:${e164}`, isHeld: false });
      const { id } = await create(orgTwo);
      const representation = await patch(orgOne, "1", { provider: "carrier" });
      expect(await patch(orgOne, "1", { ...representation })).toMatchObject({ is_held: false });
      expect(await holders()).toEqual([id]);
      await remove(orgTwo, id);
      expect(await patch(orgOne, "1", { provider: "another" })).toMatchObject({ is_held: false });
      expect(await patch(orgOne, "1", { number: e164 })).toMatchObject({ id: "1", is_held: true });
      await expect(create(orgTwo)).rejects.toMatchObject(taken);
      await expect(create(orgOne)).rejects.toMatchObject(conflict);
    });

    it("that many make, or take up, at the same time is one's", async () => {
      const { database, create, patch, remove, move, holders } = await openRig();
      const orgs = Array.from({ length: 10 }, (_, index) => `org_${index}` as OrgId);
      const made = await Promise.allSettled(orgs.map((org) => create(org)));
      const lost = made.filter((each) => each.status === "rejected");
      expect(lost).toHaveLength(9);
      for (const { reason } of lost) expect(reason).toMatchObject(taken);

      const [one = orgOne, two = orgTwo, three = orgTwo] = orgs;
      for (const org of [one, two, three, orgOne]) await move(org);
      const [last] = await holders();
      await remove(orgOne, last);
      const rows = await database.query("SELECT org_id, id FROM documents WHERE type = 'number'");
      expect(rows.length).toBeGreaterThanOrEqual(3);
      const named = await Promise.all(rows.map((row) => patch(row["org_id"] as OrgId, row["id"], { number: e164 })));
      expect(named.filter(({ is_held }) => is_held)).toHaveLength(1);
      expect(await holders()).toHaveLength(1);
    });

    it("is looked at again by a change that took it up while another organization did", async () => {
      const { database, create } = await openRig();
      await create(orgTwo);
      const row = (number: string, isHeld: boolean) =>
        toDocument("number", {
          id: "1",
          org_id: orgOne,
          created_at: secondsIn(1),
          updated_at: secondsIn(1),
          number,
          is_held: isHeld,
        }) as never;
      const check = (previous: never) => checkUnique(database, { definition, doc: row(e164, true), previous });
      await expect(check(row(e164, false))).rejects.toThrow(WriteConflictError);
      await expect(check(row("+18005550101", true))).rejects.toMatchObject(taken);
    });

    it.each([false, true])(
      "of which it has two rows, the first one held: %s, is moved away and back",
      async (isHeld) => {
        const { leave, move, patch, holders } = await openRig();
        await leave("1", orgOne, { key: `${orgOne}:${e164}`, isHeld });
        await leave("2", orgOne, { key: e164, isHeld: true });
        expect(await move(orgTwo)).toEqual({ kind: "moved", from: orgOne });
        expect(await holders()).toHaveLength(1);
        expect(await move(orgTwo)).toEqual({ kind: "there_already" });
        expect(await move(orgOne)).toEqual({ kind: "moved", from: orgTwo });
        expect(await holders()).toEqual(["2"]);
        // Both can be changed in other respects.
        for (const id of ["1", "2"]) await patch(orgOne, id, { number: e164, external_id: `row ${id}` });
        expect(await holders()).toEqual(["2"]);
      },
    );
  });
}
