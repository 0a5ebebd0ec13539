import { describe, expect, it } from "vitest";
import { definitions } from "../../../api/config/registry.ts";
import { number } from "../../../api/config/resources/number.ts";
import { createResourceService } from "../../../api/config/service.ts";
import type { OrgId } from "../../../ingest/primitives.ts";
import { orgOne, orgTwo, secondsIn } from "../../make.ts";
import { openConfig } from "./rig.ts";

const wanted = "+18005550100";

async function openRig() {
  const { clock, database, snapshot, store } = await openConfig();
  const service = createResourceService({
    ...{ database, clock, definitions, settled: snapshot.settled, onTrouble: expect.fail },
    outbox: { drain: async () => undefined },
  });
  const actorOf = (orgId: OrgId) => ({
    caller: { orgId, admin: false, actor: { type: "api_key", id: "key", name: "test" } } as const,
    ...{ requestId: null, sourceIp: null },
  });
  return {
    ...{ clock, snapshot, store },
    holders: () => snapshot.holdersOf(wanted),
    /** Adds a number a second later than whatever was before; returns its id. */
    async add(orgId: OrgId, input: object = {}) {
      clock.advance(1000);
      return String((await service.create(number, actorOf(orgId), { number: wanted, ...input }))["id"]);
    },
    patch(orgId: OrgId, id: string, input: Record<string, unknown>) {
      clock.advance(1000);
      return service.patch(number, actorOf(orgId), { id, input });
    },
  };
}

describe("a number that two organizations claim", () => {
  it("is of the one that had it first, whoever adds it later", async () => {
    const rig = await openRig();
    await rig.add(orgTwo);
    await rig.add(orgOne);
    expect(rig.holders()).toEqual([orgTwo, orgOne]);
  });

  it("is not taken over by a row that was there before and is turned to it", async () => {
    const rig = await openRig();
    const old = await rig.add(orgOne, { number: "+18005550199" });
    await rig.add(orgTwo);
    await rig.patch(orgOne, old, { number: wanted });
    expect(rig.holders()).toEqual([orgTwo, orgOne]);
  });

  it("is not taken over by a row that was released and is taken up again", async () => {
    const rig = await openRig();
    const old = await rig.add(orgOne, { status: "released" });
    await rig.add(orgTwo);
    expect(rig.holders()).toEqual([orgTwo]);
    await rig.patch(orgOne, old, { status: "assigned" });
    expect(rig.holders()).toEqual([orgTwo, orgOne]);
  });

  it("is not lost by other changes, and cannot be claimed for an earlier time", async () => {
    const rig = await openRig();
    const id = await rig.add(orgTwo);
    const later = await rig.add(orgOne);
    await rig.patch(orgTwo, id, { number: wanted, status: "assigned", state: "NY" });
    await rig.patch(orgOne, later, { held_since: secondsIn(-60), created_at: secondsIn(-60), state: "NY" });
    expect(rig.holders()).toEqual([orgTwo, orgOne]);
  });

  it("was had from the first where nobody has kept since when", async () => {
    const rig = await openRig();
    await rig.add(orgOne);
    const doc = { id: "n", org_id: orgTwo, number: wanted, created_at: secondsIn(0), updated_at: secondsIn(0) };
    await rig.store.save(orgTwo, [{ type: "number", doc }]);
    await rig.snapshot.settled();
    expect(rig.holders()).toEqual([orgTwo, orgOne]);
  });
});
