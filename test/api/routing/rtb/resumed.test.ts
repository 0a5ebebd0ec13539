import { expect, it } from "vitest";
import { definitionOf, definitions } from "../../../../api/config/registry.ts";
import { createResourceService } from "../../../../api/config/service.ts";
import { createPingControls } from "../../../../api/routing/rtb/controls.ts";
import { allRights } from "../../../../api/serve/rights.ts";
import { orgOne } from "../../../make.ts";
import { openConfig } from "../../config/rig.ts";
import { aFormula } from "./formula.ts";

const actor = {
  caller: { orgId: orgOne, admin: false, rights: allRights, actor: { type: "api_key", id: "key", name: "test" } },
  requestId: "request",
  sourceIp: null,
} as const;

/** A formula in config, and the controls of two processes that have left its buyer alone. */
async function openRig() {
  const { clock, database, store, snapshot } = await openConfig();
  const buyer = { id: "buy-1", org_id: orgOne, created_at: aFormula().created_at, updated_at: aFormula().updated_at };
  const formula = aFormula({ outbound_ping_backoff_enabled: true });
  await store.save(orgOne, [
    { type: "buyer", doc: { ...buyer, name: "Sunny" } },
    { type: "rtb_formula", doc: formula },
  ]);
  const service = createResourceService({
    database,
    clock,
    definitions,
    settled: snapshot.settled,
    configOf: snapshot.config,
    outbox: { drain: async () => undefined },
    onTrouble: expect.fail,
  });
  const processes = [createPingControls({ clock }), createPingControls({ clock })];
  const enter = () =>
    processes.map((controls) => {
      const known = snapshot.config(orgOne)?.get("rtb_formula", "rtb-1");
      return known === undefined ? expect.fail("no formula") : controls.enter(known);
    });
  await snapshot.settled();
  function failAll(): void {
    for (let failures = 0; failures < 3; failures += 1) {
      for (const entry of enter()) if (entry.kind === "entered") entry.leave({ kind: "failing", retryAfter: null });
    }
  }
  failAll();
  return { service, clock, failAll, kinds: () => enter().map(({ kind }) => kind) };
}

it("a formula that is resumed is asked again at once in every process, one that is patched is not", async () => {
  const { service, clock, kinds } = await openRig();
  const definition = definitionOf("rtb_formula");
  expect(kinds()).toEqual(["refused", "refused"]);
  await service.resume(definition, actor, "rtb-1");
  expect(kinds()).toEqual(["refused", "refused"]);
  await service.pause(definition, actor, { id: "rtb-1", request: {} });
  clock.advance(1);
  const view = await service.resume(definition, actor, "rtb-1");
  expect(kinds()).toEqual(["entered", "entered"]);
  expect(view).not.toHaveProperty("resumed_at");
});

it("a PATCH, before and after, closes no backoff that has opened since the formula was resumed", async () => {
  const { service, failAll, kinds } = await openRig();
  const definition = definitionOf("rtb_formula");
  const rename = (rtb_name: string) => service.patch(definition, actor, { id: "rtb-1", input: { rtb_name } });
  await rename("Before");
  expect(kinds()).toEqual(["refused", "refused"]);
  await service.pause(definition, actor, { id: "rtb-1", request: {} });
  await rename("Meanwhile");
  await service.resume(definition, actor, "rtb-1");
  failAll();
  await rename("After");
  expect(kinds()).toEqual(["refused", "refused"]);
});
