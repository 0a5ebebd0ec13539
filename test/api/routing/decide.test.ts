import { describe, expect, it } from "vitest";
import { createOrgConfig } from "../../../api/config/org-config.ts";
import type { ConfigDocument, ConfigInput } from "../../../api/config/registry.ts";
import { toDocument } from "../../../api/config/registry.ts";
import { decide } from "../../../api/routing/decide.ts";
import { destinationOf } from "../../../api/routing/destination.ts";
import { orgOne, startOfTime } from "../../make.ts";
import { exampleConfig, lineOf, trackingNumber } from "../../platform.ts";

/** What is changed of the example's documents, by the ends of their ids; null leaves the document out. */
type Changes = Readonly<Record<string, object | null>>;

function decideWith(changes: Changes = {}, to = trackingNumber) {
  const { config, put } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  for (const { type, doc } of exampleConfig("http://crm.example", ["call.completed"])) {
    const change = changes[doc.id.replace(`${orgOne}-`, "")];
    if (change === null) continue;
    const input = { type, doc: { ...doc, ...change } } as ConfigInput;
    put({ type, doc: toDocument(input.type, input.doc) } as ConfigDocument);
  }
  return decide(config, to, startOfTime);
}

const targetsOf = (changes: Changes) =>
  decideWith(changes).candidates.map(({ target }) => target.id.replace(`${orgOne}-`, ""));
const item = (more: object = {}) => ({
  id: "n1",
  number_id: `${orgOne}-number`,
  publisher_id: `${orgOne}-publisher`,
  ...more,
});
const route = (id: string, target: string, priority: number) => ({
  ...{ id, action: "route-to-target", target_id: `${orgOne}-${target}`, priority },
});

describe("a call is refused", () => {
  it.each<[reason: string, why: string, Changes]>([
    ["number_not_found", "when nobody has the number", { number: null }],
    ["number_not_found", "when no campaign has the number", { campaign: null }],
    ["campaign_inactive", "when the campaign is off", { campaign: { is_active: false } }],
    [
      "number_inactive",
      "when the number is off there",
      { campaign: { number_group_items: [item({ is_active: false })] } },
    ],
    ["publisher_inactive", "when the publisher is off", { publisher: { is_active: false } }],
    ["no_routing_plan", "when the campaign has no plan", { campaign: { routing_plan_id: undefined } }],
    ["no_routing_plan", "when the plan is gone", { plan: null }],
    ["routing_plan_inactive", "when the plan is off", { plan: { is_active: false } }],
    ["no_eligible_route", "when the plan is empty", { plan: { routes: [] } }],
    ["no_eligible_route", "when all targets are off", { first: { is_active: false }, second: { is_active: false } }],
    ["no_eligible_route", "when the buyer is off", { buyer: { is_active: false } }],
    ["no_eligible_route", "when the buyer is gone", { buyer: null }],
    ["no_eligible_route", "when no target has a line", { first: { number: undefined }, second: { number: undefined } }],
  ])("as %s %s", (reason, _why, changes) => {
    expect(decideWith(changes)).toMatchObject({ reason, candidates: [] });
  });

  it.each<[first: string, Changes]>([
    ["campaign_inactive", { campaign: { is_active: false }, publisher: { is_active: false }, plan: null }],
    ["publisher_inactive", { publisher: { is_active: false }, plan: null }],
    ["routing_plan_inactive", { plan: { is_active: false, routes: [] } }],
  ])("for the first reason in the order of the checks: %s", (reason, changes) => {
    expect(decideWith(changes).reason).toBe(reason);
  });

  it("with what is known of it: campaign, publisher and webhooks, as soon as the number has told them", () => {
    expect(decideWith({}, "+18005550199").terms).toEqual({
      ...{ number_id: null, campaign: null, publisher: null, publisher_terms: null, webhook_ids: [] },
    });
    expect(decideWith({ plan: null }).terms).toMatchObject({
      ...{ number_id: "org_one-number", campaign: { id: "org_one-campaign", name: "Solar East" } },
      ...{ publisher: { id: "org_one-publisher", name: "Blue Lake Media" }, webhook_ids: ["org_one-call.completed"] },
    });
  });
});

describe("a call is routed", () => {
  it("to the plan's targets, the lowest priority number first, on their terms", () => {
    const { candidates, reason } = decideWith();
    expect([reason, candidates.map(({ target }) => target.number)]).toEqual([
      null,
      [lineOf("first"), lineOf("second")],
    ]);
    expect(candidates[0]?.dialing).toEqual({
      target: { id: "org_one-first", name: "first target", type: "number" },
      buyer: { id: "org_one-buyer", name: "Sunny Group" },
      buyer_terms: { revenue: 30, condition: "call_length_connected", condition_seconds: 10 },
      publisher_terms: { payout: 20, percentage: null, condition: "call_length_connected", condition_seconds: 10 },
      webhook_ids: [],
    });
  });

  it.each<[string[], Changes]>([
    [["second"], { first: { is_active: false } }],
    [["first"], { second: { number: "" } }],
    [["second", "first"], { plan: { routes: [route("a", "first", 5), route("b", "second", 0)] } }],
    [["first"], { plan: { routes: [route("a", "first", 0), { id: "b", action: "route-to-ivr", ivr_id: "x" }] } }],
    [["second"], { plan: { routes: [route("a", "nowhere", 0), route("b", "second", 1)] } }],
  ])("to %j alone with %j", (targets, changes) => {
    expect(targetsOf(changes)).toEqual(targets);
  });
});

describe("the publisher earns", () => {
  const termsWith = (own: object, target: object, campaign: object) =>
    decideWith({ campaign: { number_group_items: [item(own)], ...campaign }, first: target }).candidates[0]?.dialing
      .publisher_terms;
  const ofTarget = { condition: "call_length_connected", condition_seconds: 10 };

  it.each([
    ["the campaign's payout", {}, {}, { payout: 20 }, { payout: 20, percentage: null, ...ofTarget }],
    [
      "the target's before the campaign's",
      {},
      { payout: 15 },
      { payout: 20 },
      { payout: 15, percentage: null, ...ofTarget },
    ],
    [
      "nothing where the target says 0",
      {},
      { payout: 0 },
      { payout: 20 },
      { payout: 0, percentage: null, ...ofTarget },
    ],
    ["the number's before both", { payout: 12 }, { payout: 15 }, {}, { payout: 12, percentage: null, ...ofTarget }],
    [
      "the number's percentage before any amount of others",
      { payout_percentage: 70 },
      { payout: 15 },
      {},
      { payout: 0, percentage: 70, ...ofTarget },
    ],
    [
      "on the number's own condition",
      { payout_condition: "call_length_incoming", payout_condition_duration: 90 },
      {},
      {},
      { payout: 20, percentage: null, condition: "call_length_incoming", condition_seconds: 90 },
    ],
  ])("%s", (_what, own, target, campaign, terms) => {
    expect(termsWith(own, target, campaign)).toEqual(terms);
  });

  it("nothing that is known before a target is, but the number's or the campaign's payout", () => {
    expect(decideWith({ first: { payout: 15 } }).terms.publisher_terms).toMatchObject({ payout: 20 });
  });

  it("nothing where the number was handed to nobody, or nobody has named an amount", () => {
    const nobody = { number_group_items: [item({ publisher_id: undefined })] };
    expect(decideWith({ campaign: nobody }).candidates[0]?.dialing.publisher_terms).toBeNull();
    expect(termsWith({}, {}, { payout: undefined })).toBeNull();
  });
});

describe("what a switch dials", () => {
  const target = (given: object) => {
    const about = { org_id: orgOne, created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };
    return toDocument("target", { ...about, id: "t", name: "Target", buyer_id: "b", type: "number", ...given });
  };

  it.each(["number", "phone"])("is the number of a target of type %s", (type) => {
    expect(destinationOf(target({ type, number: "+18885550101", connection_timeout: 12 }))).toEqual({
      ...{ type: "number", number: "+18885550101", target_id: "t", timeout_seconds: 12 },
    });
  });

  it.each(["sip", "sip_target", "sip-target"])("is the endpoint of a target of type %s, for 30 seconds", (type) => {
    const sip = { type, sip_endpoint: "sip:a@b.example", sip_username: "u", sip_headers: { "X-A": "1" } };
    expect(destinationOf(target(sip))).toEqual({
      ...{ type: "sip", sip_endpoint: "sip:a@b.example", sip_username: "u", sip_headers: { "X-A": "1" } },
      ...{ target_id: "t", timeout_seconds: 30 },
    });
  });

  it("is nothing where the target lacks the address that its type calls for", () => {
    expect(destinationOf(target({ type: "number", sip_endpoint: "sip:a@b.example" }))).toBeNull();
    expect(destinationOf(target({ type: "sip", number: "+18885550101" }))).toBeNull();
  });
});
