import { expect, it } from "vitest";
import { listDocuments } from "../../api/config/document-list.ts";
import { deleteDocument, findDocument, insertDocument } from "../../api/config/documents.ts";
import { createConfigStore } from "../../api/config/store.ts";
import type { Database } from "../../api/database/database.ts";
import { orgOne, orgTwo, secondsIn, startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";

const noKeys = { externalId: null, uniqueKey: null };
const aBuyer = (id: string, second: number, org_id = orgOne) => ({
  id,
  org_id,
  name: `Name of ${id}`,
  created_at: secondsIn(second),
  updated_at: secondsIn(second),
});
const toInputs = (docs: readonly ReturnType<typeof aBuyer>[]) => docs.map((doc) => ({ type: "buyer" as const, doc }));
const pageOf = (limit: number, offset: number, direction: "asc" | "desc" = "desc") => ({ limit, offset, direction });

/** Ids of a page of all buyers, and how many there are. */
async function list(database: Database, page: ReturnType<typeof pageOf>, org = orgOne) {
  const { documents, total } = await listDocuments(database, org, { type: "buyer", filters: [], page });
  return { ids: documents.map(({ doc }) => doc.id), total };
}
const remove = (database: Database, id: string) =>
  database.transaction(async (db) => {
    const stored = await findDocument(db, orgOne, "buyer", id);
    if (stored !== null) await deleteDocument(db, stored);
  });

/** The statements of lists, each run on the engine. */
export function describeDocumentLists(open: () => Promise<Database>): void {
  const save = (database: Database, docs: readonly ReturnType<typeof aBuyer>[]) =>
    createConfigStore(database, createManualClock(startOfTime)).save(docs[0]?.org_id ?? orgOne, toInputs(docs));

  it("finds each page, from either end, as one list has them", async () => {
    const database = await open();
    // Several of one instant; ids that sort by their length first.
    const seconds = [0, 0, 0, 1, 3599, 3600, 3600, 7199, 40_000, 90_000, 90_000, 90_001, 90_002, 500_000];
    const docs = seconds.map((second, index) => aBuyer(String(7 + index), second));
    await save(database, docs.toReversed());
    await save(database, [aBuyer("other", 0, orgTwo)]);
    for (const direction of ["asc", "desc"] as const) {
      const ids = docs.map(({ id }) => id);
      const all = direction === "asc" ? ids : ids.toReversed();
      for (const limit of [1, 3, 20]) {
        for (let offset = 0; offset <= all.length + 1; offset += 1) {
          const expected = { ids: all.slice(offset, offset + limit), total: all.length };
          expect(await list(database, pageOf(limit, offset, direction))).toEqual(expected);
        }
      }
    }
    expect(await list(database, pageOf(5, 0), orgTwo)).toEqual({ ids: ["other"], total: 1 });
  });

  it("counts what is there: not what was deleted, undone, or refused, nor twice what was replaced", async () => {
    const database = await open();
    await save(database, [aBuyer("a", 0), aBuyer("b", 0), aBuyer("c", 4000)]);
    await save(database, [aBuyer("a", 0), aBuyer("d", 4000)]);
    await expect(insertDocument(database, "buyer", aBuyer("a", 9000), noKeys)).rejects.toThrow();
    const undone = database.transaction(async (db) => {
      await insertDocument(db, "buyer", aBuyer("e", 0), noKeys);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    expect(await list(database, pageOf(10, 0))).toEqual({ ids: ["d", "c", "b", "a"], total: 4 });
    for (const id of ["c", "c", "d", "none"]) await remove(database, id);
    expect(await list(database, pageOf(10, 0))).toEqual({ ids: ["b", "a"], total: 2 });
    expect(await list(database, pageOf(1, 1))).toEqual({ ids: ["a"], total: 2 });
    await insertDocument(database, "buyer", aBuyer("c", 4000), noKeys);
    expect(await list(database, pageOf(10, 0))).toEqual({ ids: ["c", "b", "a"], total: 3 });
  });

  it("counts each of many that are made and deleted at once", async () => {
    const database = await open();
    const ids = Array.from({ length: 20 }, (_, index) => `b${index + 10}`);
    const make = (id: string) =>
      database.transaction((db) => insertDocument(db, "buyer", aBuyer(id, Number(id.slice(1)) * 600), noKeys));
    await Promise.all(ids.map(make));
    expect((await list(database, pageOf(5, 0))).total).toBe(20);
    await Promise.all(ids.slice(0, 15).map((id) => remove(database, id)));
    expect(await list(database, pageOf(10, 0, "asc"))).toEqual({ ids: ids.slice(15), total: 5 });
  });
}
