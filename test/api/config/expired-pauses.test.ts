import { describe, expect, it } from "vitest";
import { clearExpiredPauses } from "../../../api/config/expired-pauses.ts";
import { setRowPause } from "../../../api/config/pause-operations.ts";
import { definitionOf, definitions } from "../../../api/config/registry.ts";
import { createResourceService } from "../../../api/config/service.ts";
import { allRights } from "../../../api/serve/rights.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { orgOne, orgTwo, secondsIn } from "../../make.ts";
import { openConfig } from "./rig.ts";

const about = (id: string, org_id = orgOne) => ({
  id,
  org_id,
  name: id,
  created_at: secondsIn(0),
  updated_at: secondsIn(0),
});
const pause = (second: number) => ({
  paused_at: secondsIn(0),
  paused_until: secondsIn(second),
  paused_by: "api_key:k",
});

const actorOf = (orgId: OrgId) => ({
  caller: { orgId, admin: false, rights: allRights, actor: { type: "api_key", id: "k", name: null } } as const,
  requestId: null,
  sourceIp: null,
});

/** Buyers of two organizations and rows of a campaign whose pauses end after a minute, after two, and never. */
async function openRig() {
  const { clock, database, store, snapshot } = await openConfig();
  await store.save(orgOne, [
    ...["short", "long", "endless"].map((id) => ({ type: "buyer" as const, doc: about(id) })),
    {
      type: "campaign",
      doc: {
        ...about("campaign"),
        number_group_items: [
          { id: "short-row", number_id: "n", pause: pause(60) } as never,
          { id: "long-row", number_id: "m", pause: pause(120) } as never,
        ],
      },
    },
  ]);
  await store.save(orgTwo, [{ type: "buyer", doc: about("theirs", orgTwo) }]);
  const service = createResourceService({
    database,
    clock,
    definitions,
    settled: snapshot.settled,
    configOf: snapshot.config,
    onTrouble: expect.fail,
    outbox: { drain: async () => undefined },
  });
  const pauseBuyer = (orgId: OrgId, id: string, request: object) =>
    service.pause(definitionOf("buyer"), actorOf(orgId), { id, request });
  await pauseBuyer(orgOne, "short", { duration_minutes: 1 });
  await pauseBuyer(orgOne, "long", { duration_minutes: 2 });
  await pauseBuyer(orgOne, "endless", {});
  await pauseBuyer(orgTwo, "theirs", { duration_minutes: 1 });
  await database.query("DELETE FROM audit_outbox");
  const clear = () => clearExpiredPauses({ snapshot, service, clock });
  const audited = async () => {
    const rows = await database.query("SELECT record FROM audit_outbox ORDER BY id");
    return rows.map(({ record }) => JSON.parse(String(record)));
  };
  return { clock, database, service, snapshot, clear, audited };
}

describe("an expired pause", () => {
  it("is resumed without any change, before it is cleared", async () => {
    const { clock, database, service, audited } = await openRig();
    const documents = () => database.query("SELECT version FROM documents WHERE id IN ('short', 'campaign')");
    const before = await documents();
    clock.advance(60_000);
    await service.resume(definitionOf("buyer"), actorOf(orgOne), "short");
    await service.edit(definitionOf("campaign"), actorOf(orgOne), {
      id: "campaign",
      action: "resume",
      apply: (doc, now) => setRowPause(doc, { rowId: "short-row", pause: null, now }),
    });
    expect([await documents(), await audited()]).toEqual([before, []]);
    await service.resume(definitionOf("buyer"), actorOf(orgOne), "long");
    expect((await audited()).map(({ action }) => action)).toEqual(["resume"]);
  });
});

describe("clearing expired pauses", () => {
  it("ends those that are over, each once and with its audit record, and no others", async () => {
    const { clock, snapshot, clear, audited } = await openRig();
    clock.advance(59_999);
    await clear();
    expect(await audited()).toEqual([]);
    clock.advance(1);
    await clear();
    await clear();
    const records = await audited();
    expect(records.map(({ action, org_id, entity_id }) => [action, org_id, entity_id]).toSorted()).toEqual([
      ["expire_pause", orgOne, "campaign"],
      ["expire_pause", orgOne, "short"],
      ["expire_pause", orgTwo, "theirs"],
    ]);
    const [, short] = records.toSorted((one, other) => (one.entity_id < other.entity_id ? -1 : 1));
    expect(short).toMatchObject({ actor_type: "system", request_id: null, entity_type: "buyer" });
    expect(short.changes).toEqual([{ field: "pause", old: pause(60), new: null }]);
    const buyer = (id: string) => snapshot.config(orgOne)?.get("buyer", id);
    expect([buyer("short")?.pause, buyer("long")?.pause]).toEqual([null, pause(120)]);
    expect(buyer("short")?.resumed_at).toBe(secondsIn(60));
    const rows = snapshot.config(orgOne)?.get("campaign", "campaign")?.number_group_items;
    expect(rows).toMatchObject([
      { id: "short-row", pause: null },
      { id: "long-row", pause: pause(120) },
    ]);
  });

  it("leaves what was paused anew, or deleted, meanwhile", async () => {
    const { clock, snapshot, service, audited } = await openRig();
    clock.advance(60_000);
    const slow: typeof service.edit = async (definition, by, edit) => {
      const { id } = edit;
      if (id === "short") await service.pause(definition, actorOf(orgOne), { id, request: { unlimited: true } });
      if (id === "campaign") await service.remove(definition, actorOf(orgOne), { id });
      return service.edit(definition, by, edit);
    };
    await clearExpiredPauses({ snapshot, service: { edit: slow }, clock });
    const actions = (await audited()).map(({ action, entity_id }) => `${action} ${entity_id}`);
    expect(actions.toSorted()).toEqual(["delete campaign", "expire_pause theirs", "pause short"]);
  });
});
