import { expect, it } from "vitest";
import { listDocuments } from "../../api/config/document-list.ts";
import { findReferrers, replaceReferences } from "../../api/config/document-references.ts";
import type { DocumentKeys } from "../../api/config/documents.ts";
import {
  deleteDocument,
  findByUniqueKey,
  findDocument,
  findNames,
  insertDocument,
  updateDocument,
} from "../../api/config/documents.ts";
import { createConfigStore } from "../../api/config/store.ts";
import type { Database, Queryable } from "../../api/database/database.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Page } from "../../sql/page.ts";
import { orgOne, orgTwo, secondsIn, startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { describeAllocations } from "./allocation-statements.ts";
import { describeConversations } from "./conversation-statements.ts";
import { describeDeliveries } from "./delivery-statements.ts";
import { describeDocumentLists } from "./document-list-statements.ts";
import { describeExclusiveReferences } from "./exclusive-statements.ts";
import { describeHolds } from "./hold-statements.ts";
import { describeIdempotencyRecords } from "./idempotency-statements.ts";
import { aDocument } from "./make-document.ts";
import { describeNumbers } from "./number-statements.ts";
import { describeSavedQuestions } from "./saved-statements.ts";
import { describeStores } from "./store-statements.ts";
import { withNumbers } from "./with-numbers.ts";

const noKeys: DocumentKeys = { externalId: null, uniqueKey: null };
const namesIn = ({ documents }: Awaited<ReturnType<typeof listDocuments>>) => documents.map(({ doc }) => doc.id);
const page = { limit: 10, offset: 0, direction: "desc", filters: {} } as const;

interface Listing extends Page {
  readonly filters: Readonly<Record<string, string>>;
}

/** A page of documents whose fields have these values, as text. */
const listOf = (database: Database, org: OrgId, type: string, { filters, ...rest }: Listing) =>
  listDocuments(database, org, {
    type,
    filters: Object.entries(filters).map(([field, value]) => ({ by: "field", field, value })),
    page: rest,
  });

/** The statements of those who use a config database, each run on the engine. */
export function describeStatements(engine: string, open: () => Promise<Database>): void {
  describeDocuments(open);
  describeLists(open);
  describeDocumentLists(open);
  describeExclusiveReferences(open);
  describeNumbers(open);
  describeReferences(open);
  describeStores(engine, open);
  describeHolds(open);
  describeAllocations(open);
  describeDeliveries(open);
  describeIdempotencyRecords(open);
  describeConversations(open);
  describeSavedQuestions(open);
}

function describeDocuments(open: () => Promise<Database>): void {
  it("reads a document as it was written, its fields in their order", async () => {
    const database = await open();
    const doc = aDocument("d", {
      zebra: 1,
      a: 'Zoë 東京 🌊 \\ " \n',
      nothing: null,
      yes: true,
      list: [],
      empty: {},
      numbers: [0, -1.5, 1e21, 1e-9, 0.1, 9007199254740991],
      nested: { z: [{ y: "" }], b: { c: null } },
    });
    await insertDocument(database, "buyer", doc, noKeys);
    const stored = await findDocument(database, orgOne, "buyer", "d");
    expect(stored).toEqual({ type: "buyer", version: 1, doc });
    expect(JSON.stringify(stored?.doc)).toBe(JSON.stringify(doc));
    expect(await findDocument(database, orgTwo, "buyer", "d")).toBeNull();
  });

  it("finds a document by its unique key, and takes each key once", async () => {
    const database = await open();
    const keys = { externalId: "x1", uniqueKey: "+18005550100" };
    await insertDocument(database, "number", aDocument("n1"), keys);
    expect((await findByUniqueKey(database, orgOne, "number", keys.uniqueKey))?.doc.id).toBe("n1");
    const violation = { code: "unique_violation" };
    const insert = (id: string, given: DocumentKeys, type = "number") =>
      insertDocument(database, type, aDocument(id), given);
    await expect(insert("n2", { ...keys, externalId: "x2" })).rejects.toMatchObject(violation);
    await expect(insert("n2", { ...keys, uniqueKey: "other" })).rejects.toMatchObject(violation);
    await expect(insert("n1", { externalId: "x3", uniqueKey: "third" })).rejects.toMatchObject(violation);
    await insert("n1", keys, "target");
    await insertDocument(database, "number", aDocument("n3"), noKeys);
    await insertDocument(database, "number", aDocument("n4"), noKeys);
  });

  it("replaces a document only in the version that was read", async () => {
    const database = await open();
    await insertDocument(database, "buyer", aDocument("b"), noKeys);
    const read = await mustFind(database, "b");
    const to = (name: string, keys: DocumentKeys | null = null) =>
      updateDocument(database, read, aDocument("b", { name }), keys);
    expect(await to("First", { externalId: "x", uniqueKey: "u" })).toBe(true);
    expect(await to("Second")).toBe(false);
    expect(await mustFind(database, "b")).toMatchObject({ version: 2, doc: { name: "First" } });
    expect((await findByUniqueKey(database, orgOne, "buyer", "u"))?.version).toBe(2);
  });

  it("loses none of many edits at once that each try again when they were overtaken", async () => {
    const database = await open();
    await insertDocument(database, "buyer", aDocument("b", { count: 0 }), noKeys);
    const edit = async (): Promise<void> => {
      for (let done = false; !done; ) {
        done = await database.transaction(async (db) => {
          const read = await mustFind(db, "b");
          const doc = aDocument("b", { count: Number(read.doc["count"]) + 1 });
          return updateDocument(db, read, doc, null);
        });
      }
    };
    await Promise.all(Array.from({ length: 20 }, edit));
    expect(await mustFind(database, "b")).toMatchObject({ version: 21, doc: { count: 20 } });
  });
}

function describeLists(open: () => Promise<Database>): void {
  it("lists by creation, then by id as bytes, a page at a time with how many there are", async () => {
    const database = await open();
    for (const [id, second] of [...["b", "a", "B", "ä", "_"].map((name) => [name, 1] as const), ["c", 0] as const]) {
      await insertDocument(database, "buyer", aDocument(id, { created_at: secondsIn(second) }), noKeys);
    }
    await insertDocument(database, "target", aDocument("t"), noKeys);
    const all = ["ä", "b", "a", "_", "B", "c"];
    expect(namesIn(await listOf(database, orgOne, "buyer", page))).toEqual(all);
    expect(namesIn(await listOf(database, orgOne, "buyer", { ...page, direction: "asc" }))).toEqual(all.toReversed());
    const second = await listOf(database, orgOne, "buyer", { ...page, limit: 2, offset: 2 });
    expect([namesIn(second), second.total]).toEqual([["a", "_"], 6]);
    expect(await listOf(database, orgTwo, "buyer", page)).toEqual({ documents: [], total: 0 });
  });

  it("looks a document up by the keys that it was saved with last", async () => {
    const database = await open();
    const store = createConfigStore(database, createManualClock(startOfTime));
    const number = (id: string, e164: string, external_id: string) => {
      const { name: _name, ...doc } = aDocument(id);
      return { type: "number" as const, doc: { ...doc, number: e164, external_id } };
    };
    await store.save(orgOne, [number("n", "+18005550101", "x1")]);
    await store.save(orgOne, [number("n", "+18005550102", "x2")]);
    await expect(store.save(orgOne, [number("m", "+18005550102", "x1")])).rejects.toMatchObject({
      code: "unique_violation",
    });
    await store.save(orgOne, [number("m", "+18005550101", "x1")]);
    const found = await findByUniqueKey(database, orgOne, "number", "+18005550102");
    expect(found?.doc.id).toBe("n");
  });

  it("filters a list by what fields are as text", async () => {
    const database = await open();
    const fields = { country: "US", active: true, cap: 10, gone: null };
    await insertDocument(database, "buyer", aDocument("yes", fields), noKeys);
    await insertDocument(database, "buyer", aDocument("no", { country: "CA", active: false, cap: 1 }), noKeys);
    for (const filters of [{ country: "US" }, { active: "true" }, { cap: "10" }, { country: "US", cap: "10" }]) {
      const list = await listOf(database, orgOne, "buyer", { ...page, filters });
      expect([namesIn(list), list.total]).toEqual([["yes"], 1]);
    }
    const none = await listOf(database, orgOne, "buyer", { ...page, filters: { gone: "null" } });
    expect(none.total).toBe(0);
  });

  it("finds names by id, those of other organizations not", async () => {
    const database = await open();
    await insertDocument(database, "buyer", aDocument("b1"), noKeys);
    await insertDocument(database, "buyer", aDocument("b2", { name: null }), noKeys);
    await insertDocument(database, "buyer", aDocument("b3", { org_id: orgTwo }), noKeys);
    const ids = ["b1", "b2", "b3", ...Array.from({ length: 1500 }, (_, index) => `none${index}`)];
    const names = await findNames(database, orgOne, { type: "buyer", ids, nameField: "name" });
    expect(Object.fromEntries(names)).toEqual({ b1: "Name of b1", b2: "" });
  });
}

function describeReferences(open: () => Promise<Database>): void {
  it("finds what names a document until that names it no longer or is gone", async () => {
    const database = await open();
    const to = { type: "target", id: "t0" };
    await insertDocument(database, "target", aDocument("t0"), noKeys);
    await database.query(
      `${withNumbers(1, 1199)} INSERT INTO documents (type, id, org_id, version, created_at, created_ms, doc)
       SELECT 'target', 't' || n, $1, 1, 't', 0, '{}' FROM numbers`,
      [orgOne],
    );
    const every = Array.from({ length: 1200 }, (_, index) => ({ type: "target", id: `t${index}`, loc: [] }));
    for (const id of ["p1", "p2"]) {
      await insertDocument(database, "routing_plan", aDocument(id), noKeys);
      await replaceReferences(database, "routing_plan", aDocument(id), [...every, ...every.slice(0, 3)]);
    }
    const referrers = async (limit = 10) => (await findReferrers(database, orgOne, to, limit)).map(({ doc }) => doc.id);
    expect([await referrers(), await referrers(1)]).toEqual([["p1", "p2"], ["p1"]]);
    await replaceReferences(database, "routing_plan", aDocument("p1"), []);
    expect(await referrers()).toEqual(["p2"]);
    await database.transaction(async (db) => deleteDocument(db, await mustFind(db, "p2", "routing_plan")));
    expect(await referrers()).toEqual([]);
    await database.transaction(async (db) => deleteDocument(db, await mustFind(db, "t0", "target")));
    expect(await findDocument(database, orgOne, "target", "t0")).toBeNull();
  });

  it("lets a document go that names itself alone", async () => {
    const database = await open();
    const to = { type: "ivr", id: "menu" };
    await insertDocument(database, "ivr", aDocument("menu"), noKeys);
    await insertDocument(database, "call_flow", aDocument("menu"), noKeys);
    await replaceReferences(database, "ivr", aDocument("menu"), [{ ...to, loc: [] }]);
    expect(await findReferrers(database, orgOne, to)).toEqual([]);
    // Of another kind, and so another document, though the id is the same.
    await replaceReferences(database, "call_flow", aDocument("menu"), [{ ...to, loc: [] }]);
    expect((await findReferrers(database, orgOne, to)).map(({ type }) => type)).toEqual(["call_flow"]);
    await replaceReferences(database, "call_flow", aDocument("menu"), []);
    await database.transaction(async (db) => deleteDocument(db, await mustFind(db, "menu", "ivr")));
    expect(await findDocument(database, orgOne, "ivr", "menu")).toBeNull();
  });
}

async function mustFind(db: Queryable, id: string, type = "buyer") {
  const found = await findDocument(db, orgOne, type, id);
  if (found === null) throw new Error(`${type} ${id} is not there`);
  return found;
}
