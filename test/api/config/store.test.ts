import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { OrgId } from "../../../ingest/primitives.ts";
import { orgOne, orgTwo, secondsIn } from "../../make.ts";
import { temporaryFolder } from "../../temporary.ts";
import { openConfig } from "./rig.ts";

const aBuyer = (id: string, orgId: OrgId, name: string) => ({
  type: "buyer" as const,
  doc: { id, org_id: orgId, name, created_at: secondsIn(0), updated_at: secondsIn(0) },
});

async function openRig() {
  const rig = await openConfig();
  return {
    ...rig,
    /** Names by id, as the store gives them and as the snapshot does once it has seen all. */
    async names(orgId: OrgId) {
      await rig.snapshot.settled();
      const stored = (await rig.store.documents(orgId)).map(({ doc }) => [doc.id, "name" in doc ? doc.name : null]);
      const seen = rig.snapshot
        .config(orgId)
        ?.all("buyer")
        .map(({ id, name }) => [id, name]);
      expect(seen).toEqual(stored);
      return Object.fromEntries(stored);
    },
  };
}

describe("the config", () => {
  it("of one organization is not seen by another", async () => {
    const rig = await openRig();
    await rig.store.save(orgOne, [aBuyer("one", orgOne, "Mine")]);
    await rig.store.save(orgTwo, [aBuyer("two", orgTwo, "Theirs")]);
    expect([await rig.names(orgOne), await rig.names(orgTwo)]).toEqual([{ one: "Mine" }, { two: "Theirs" }]);
    expect(rig.snapshot.config(orgTwo)?.get("buyer", "one")).toBeUndefined();
    expect(rig.snapshot.config("org_nobody")).toBeUndefined();
  });

  it("is replaced by saving it again", async () => {
    const rig = await openRig();
    await rig.store.save(orgOne, [aBuyer("b", orgOne, "Before")]);
    await rig.store.save(orgOne, [aBuyer("b", orgOne, "After")]);
    expect(await rig.names(orgOne)).toEqual({ b: "After" });
  });

  it("is looked up by the keys that it was last saved with, and gives up those before", async () => {
    const rig = await openRig();
    const buyer = (id: string, external_id?: string) => {
      const { type, doc } = aBuyer(id, orgOne, id);
      return { type, doc: { ...doc, ...(external_id === undefined ? {} : { external_id }) } };
    };
    const number = (id: string, e164: string) => {
      const { name: _name, ...doc } = aBuyer(id, orgOne, id).doc;
      return { type: "number" as const, doc: { ...doc, number: e164 } };
    };
    await rig.store.save(orgOne, [buyer("a", "crm-1"), number("n", "+18005550101")]);
    await rig.store.save(orgOne, [buyer("a", "crm-2"), number("n", "+18005550102")]);
    await expect(rig.store.save(orgOne, [buyer("b", "crm-2")])).rejects.toThrow();
    await expect(rig.store.save(orgOne, [number("m", "+18005550102")])).rejects.toThrow();
    await rig.store.save(orgOne, [buyer("b", "crm-1"), number("m", "+18005550101")]);
    await rig.store.save(orgOne, [buyer("a")]);
    await rig.store.save(orgOne, [buyer("c", "crm-2")]);
    await rig.store.save(orgOne, [buyer("c", "crm-2"), number("n", "+18005550102")]);
    expect(await rig.store.documents(orgOne)).toHaveLength(5);
  });

  it("cannot be saved under the name of another organization", async () => {
    const rig = await openRig();
    await expect(rig.store.save(orgOne, [aBuyer("b", orgTwo, "Forged")])).rejects.toThrow();
    expect([await rig.names(orgOne), await rig.names(orgTwo)]).toEqual([{}, {}]);
  });

  it("cannot be overwritten by another organization that knows its id", async () => {
    const rig = await openRig();
    await rig.store.save(orgOne, [aBuyer("b", orgOne, "Mine")]);
    await expect(rig.store.save(orgTwo, [aBuyer("b", orgTwo, "Forged")])).rejects.toThrow();
    expect([await rig.names(orgOne), await rig.names(orgTwo)]).toEqual([{ b: "Mine" }, {}]);
  });

  it("is saved whole or not at all", async () => {
    const rig = await openRig();
    await rig.store.save(orgTwo, [aBuyer("taken", orgTwo, "Theirs")]);
    const documents = [aBuyer("new", orgOne, "New"), aBuyer("taken", orgOne, "Forged")];
    await expect(rig.store.save(orgOne, documents)).rejects.toThrow();
    expect(await rig.names(orgOne)).toEqual({});
    await rig.store.save(orgOne, [aBuyer("new", orgOne, "New")]);
    expect(await rig.names(orgOne)).toEqual({ new: "New" });
  });

  it("that breaks its schema is refused before anything is written", async () => {
    const rig = await openRig();
    const nameless = { ...aBuyer("b", orgOne, ""), type: "buyer" as const };
    await expect(rig.store.save(orgOne, [aBuyer("a", orgOne, "Whole"), nameless])).rejects.toThrow();
    expect(await rig.names(orgOne)).toEqual({});
  });
});

describe("the snapshot", () => {
  it("sees each change once it was notified, the last of many too", async () => {
    const rig = await openRig();
    for (let count = 1; count <= 20; count += 1) await rig.store.save(orgOne, [aBuyer("b", orgOne, `Name ${count}`)]);
    expect(await rig.names(orgOne)).toEqual({ b: "Name 20" });
  });

  it("sees organizations and keys that come while it is open", async () => {
    const rig = await openRig();
    await rig.store.saveOrganization({ id: "org_three" as OrgId, name: "Third", timezone: "UTC" });
    await rig.apiKeys.issue(orgOne, "key");
    await rig.snapshot.settled();
    expect(rig.snapshot.config("org_three")?.organization).toEqual({ id: "org_three", name: "Third", timezone: "UTC" });
    await rig.store.saveOrganization({ id: "org_three" as OrgId, name: "Renamed", timezone: "UTC" });
    await rig.snapshot.settled();
    expect(rig.snapshot.config("org_three")?.organization.name).toBe("Renamed");
  });

  it("keeps to what it knew when the database fails, and says so", async () => {
    const rig = await openRig();
    await rig.store.save(orgOne, [aBuyer("b", orgOne, "Known")]);
    await rig.names(orgOne);
    const change = rig.store.save(orgOne, [aBuyer("b", orgOne, "Unseen")]);
    await rig.database.close();
    await change.catch(() => undefined);
    await rig.snapshot.settled();
    expect(rig.snapshot.config(orgOne)?.all("buyer")).toHaveLength(1);
    expect(rig.troubles.length).toBeLessThanOrEqual(1);
  });
});

describe("the embedded database", () => {
  it("takes transactions one after the other, and undoes one that throws", async () => {
    const { database } = await openConfig();
    const count = async () => (await database.query("SELECT count(*) AS n FROM organizations"))[0]?.n;
    const insert = "INSERT INTO organizations (id, name, timezone, created_at) VALUES ($1, 'n', 'UTC', 't')";
    const before = Number(await count());
    const failed = database.transaction(async (transaction) => {
      await transaction.query(insert, ["a"]);
      throw new Error("changed my mind");
    });
    const done = database.transaction(async (transaction) => void (await transaction.query(insert, ["b"])));
    await expect(failed).rejects.toThrow("changed my mind");
    await done;
    expect(await count()).toBe(before + 1);
  });

  it("goes on after a statement that it refuses", async () => {
    const { database } = await openConfig();
    await expect(database.query("SELECT nonsense FROM nowhere")).rejects.toThrow();
    expect(await database.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  it("keeps what was written when it is closed, twice if need be, and opened again", async () => {
    const path = join(temporaryFolder(), "platform.sqlite");
    const first = await openConfig({ path });
    await first.store.save(orgOne, [aBuyer("b", orgOne, "Kept")]);
    await first.snapshot.settled();
    await first.database.close();
    await first.database.close();
    const second = await openConfig({ path });
    expect(await second.store.documents(orgOne)).toMatchObject([{ type: "buyer", doc: { id: "b", name: "Kept" } }]);
  });

  it("cannot reach files beside its own", async () => {
    const { database } = await openConfig();
    await expect(database.query("SELECT * FROM read_text('/etc/hostname')")).rejects.toThrow();
  });
});
