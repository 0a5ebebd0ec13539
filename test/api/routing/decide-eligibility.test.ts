import { describe, expect, it } from "vitest";
import { createOrgConfig } from "../../../api/config/org-config.ts";
import type { PauseState } from "../../../api/config/pause.ts";
import type { ConfigDocument, ConfigInput } from "../../../api/config/registry.ts";
import { toDocument } from "../../../api/config/registry.ts";
import { decide } from "../../../api/routing/decide.ts";
import { orgOne, startOfTime } from "../../make.ts";
import { exampleConfig, trackingNumber } from "../../platform.ts";

/** What is changed of the example's documents, by the ends of their ids. */
type Changes = Readonly<Record<string, object>>;

function decideWith(changes: Changes, now = startOfTime) {
  const { config, put } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  for (const { type, doc } of exampleConfig("http://crm.example", [])) {
    const { pause, ...change } = { pause: undefined, ...changes[doc.id.replace(`${orgOne}-`, "")] };
    const input = { type, doc: { ...doc, ...change } } as ConfigInput;
    put({ type, doc: { ...toDocument(input.type, input.doc), ...(pause ? { pause } : {}) } } as ConfigDocument);
  }
  return decide(config, trackingNumber, now);
}

const until = (ms: number | null): PauseState => ({
  paused_at: new Date(startOfTime - 1000).toISOString(),
  paused_until: ms === null ? null : new Date(ms).toISOString(),
  paused_by: "api_key:1",
});
const paused = { pause: until(null) };
const off = { is_active: false };
const idOf = (name: string) => `${orgOne}-${name}`;
const item = (more: object) => ({ number_group_items: [{ ...itemOf, ...more }] });
const itemOf = { id: "n1", number_id: idOf("number"), publisher_id: idOf("publisher") };

describe("a call is refused for the first check that fails, in the order of the checks", () => {
  const inOrder: [reason: string, Changes][] = [
    ["campaign_inactive", { campaign: off }],
    ["number_inactive", { campaign: item({ is_active: false }) }],
    ["publisher_inactive", { publisher: off }],
    ["publisher_paused", { publisher: paused }],
    ["routing_plan_inactive", { plan: off }],
    ["publisher_not_allowed", { plan: { allowed_publishers: ["another"] } }],
    ["no_eligible_route", { buyer: paused }],
  ];

  it.each(inOrder)("%s", (reason, changes) => {
    expect(decideWith(changes)).toMatchObject({ reason, candidates: [] });
  });

  it("whichever others fail, too", () => {
    for (const [index, [reason]] of inOrder.entries()) {
      const all: Record<string, object> = {};
      for (const [, changes] of inOrder.slice(index)) {
        for (const [name, change] of Object.entries(changes)) all[name] = { ...change, ...all[name] };
      }
      // Of two changes to one flag the earlier check's is the one that counts.
      expect(decideWith(all).reason).toBe(reason);
    }
  });

  it("the pause of its number row, which the campaign's writes do not carry", () => {
    const { config, put } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
    for (const { type, doc } of exampleConfig("http://crm.example", []) as ConfigInput[]) {
      const whole = toDocument(type, doc) as ConfigDocument["doc"];
      const rows =
        type === "campaign" ? { number_group_items: [{ ...itemOf, type: "static", is_active: true, ...paused }] } : {};
      put({ type, doc: { ...whole, ...rows } } as ConfigDocument);
    }
    expect(decide(config, trackingNumber, startOfTime).reason).toBe("number_paused");
  });

  it("not for an allowed publisher", () => {
    expect(decideWith({ plan: { allowed_publishers: [idOf("publisher")] } }).reason).toBeNull();
    const nobody = { ...item({ publisher_id: undefined }) };
    const reason = decideWith({ campaign: nobody, plan: { allowed_publishers: [idOf("publisher")] } }).reason;
    expect(reason).toBe("publisher_not_allowed");
  });
});

describe("a route is skipped for the first check that fails", () => {
  it.each<[reason: string, Changes]>([
    ["destination_missing", { first: { number: undefined } }],
    ["inactive", { first: off }],
    ["inactive", { first: { ...off, ...paused }, buyer: off }],
    ["paused", { first: paused }],
    ["paused", { first: paused, buyer: off }],
    ["buyer_inactive", { buyer: off }],
    ["buyer_inactive", { buyer: { ...off, ...paused } }],
    ["buyer_paused", { buyer: paused }],
    ["buyer_paused", { buyer: paused, plan: { allowed_buyers: ["another"] } }],
    ["buyer_not_allowed", { plan: { allowed_buyers: ["another"] } }],
    ["unsupported_action", { plan: { routes: [{ id: "r1", action: "ring-a-bell", target_id: idOf("first") }] } }],
    ["destination_missing", { plan: { routes: [{ id: "r1", action: "route-to-target" }] } }],
  ])("%s", (reason, changes) => {
    expect(decideWith(changes).skipped).toContainEqual({ route_id: "r1", reason });
  });

  it("and the others are tried", () => {
    const { candidates, reason } = decideWith({ first: paused });
    expect([candidates.map(({ target }) => target.id), reason]).toEqual([[idOf("second")], null]);
  });

  it("not when its buyer is among the allowed ones, nor for an action spelled with underscores", () => {
    expect(decideWith({ plan: { allowed_buyers: [idOf("buyer")] } }).skipped).toEqual([]);
    const routes = [{ id: "r1", action: "route_to_target", target_id: idOf("first") }];
    expect(decideWith({ plan: { routes } }).candidates).toHaveLength(1);
  });

  it("until the very instant at which its pause ends", () => {
    const end = startOfTime + 60_000;
    const changes = { first: { pause: until(end) } };
    const first = (now: number) => decideWith(changes, now).candidates[0]?.target.id;
    expect([first(end - 1), first(end)]).toEqual([idOf("second"), idOf("first")]);
  });
});
