import { v4 as uuidv4 } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import { parseInput, ValidationError } from "../../api/serve/errors.ts";
import { importSignals } from "../../ingest/import.ts";
import { notReserved } from "../../ingest/primitives.ts";
import { anIncoming } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { trackingNumberOf } from "../platform.ts";
import { aStep, foundCompany } from "./company.ts";
import { carrierOperations, operations, titleOf } from "./operation-table.ts";
import { done } from "./use-platform.ts";
import { eventually, newCaller, type Path, paths, useReceiver, type World } from "./webhooks/receive/over-http.ts";

const { rig, joinWithWebhooks, lastOf, completed } = useReceiver({});

/** As it comes over the wire: written as a literal, the name would set the prototype. */
const reserved: Record<string, string> = JSON.parse('{"__proto__":"x"}');
/** Names that every object has by inheritance: as tags they are like others. */
const inherited = { constructor: "a", prototype: "b", toString: "c" };

let world: World;
beforeAll(async () => {
  world = await joinWithWebhooks();
});

/** Where an answer says that it refuses the name. */
const placesIn = (body: { detail: readonly { loc: readonly string[]; msg: string }[] }) =>
  body.detail.filter(({ msg }) => msg === notReserved).map(({ loc }) => loc.join("."));

describe("the name __proto__, which would be lost on the way, is refused in words", () => {
  const withBody = [...operations, ...carrierOperations].filter(({ body }) => body !== undefined);

  it.each(withBody.map((operation) => [titleOf(operation), operation] as const))(
    "in the body of %s, at any depth",
    (_title, { body, example = {} }) => {
      for (const given of [
        { ...Object(example), ...reserved },
        { ...Object(example), any: [{ deep: reserved }] },
      ]) {
        const parsing = () => body && parseInput(body, given, "body");
        expect(parsing).toThrow(ValidationError);
        expect(parsing).toThrow(notReserved);
      }
    },
  );

  it("as a tag of a simulated call", async () => {
    const { status, body } = await world.member.post("/telephony/simulator/calls", {
      from: newCaller(),
      to: trackingNumberOf(world.member.id),
      tags: reserved,
    });
    expect([status, placesIn(body)]).toEqual([422, ["body.tags.__proto__"]]);
  });

  it.each<[Path, object]>([
    ["call-data", reserved],
    ["call-data", { custom_data: reserved }],
    ["update-tags", { add: reserved }],
    ["update-tags", { tags: reserved }],
    ["update-tags", { remove: ["__proto__"] }],
    ["update-fields", { fields: reserved }],
    ["update-revenue", { revenue: 1, ...reserved }],
  ])("by /%s, of %j", async (path, given) => {
    const { status, body } = await world.send(path, { caller_id: newCaller(), ...given });
    expect([status, placesIn(body)]).toEqual([422, [expect.stringMatching(/^body\..*(__proto__|0)$/)]]);
  });

  it.each(paths)("by /%s, of a form", async (path) => {
    const headers = { "Content-Type": "application/x-www-form-urlencoded" };
    for (const field of ["__proto__=x", "add[__proto__]=x"]) {
      const { status, body } = await world.send(path, `caller_id=%2B12125550123&${field}`, { headers });
      expect([status, placesIn(body)]).toEqual([422, [expect.stringContaining("__proto__")]]);
    }
  });

  it.each([
    ["GET", "?caller_id=2125550123&__proto__=x", undefined, "query.__proto__"],
    ["GET", "?caller_id=2125550123&%20__proto__%00=x", undefined, "query.__proto__"],
    ["POST", "", JSON.stringify(reserved), "body.__proto__"],
    ["POST", "", "caller_id=2125550123&__proto__=x", "body.__proto__"],
  ])("as a parameter of a ping, by %s %s %s", async (method, query, body, place) => {
    const { public_inbound_rtb } = await foundCompany(await rigMember());
    const type = body?.startsWith("{") ? "application/json" : "application/x-www-form-urlencoded";
    const response = await fetch(`${rig().url}/inbound_rtb/${public_inbound_rtb}${query}`, {
      method,
      headers: { "Content-Type": type },
      ...(body === undefined ? {} : { body }),
    });
    expect([response.status, placesIn((await response.json()) as never)]).toEqual([422, [place]]);
  });

  it.each(["response_field_mappings.0.tagName", "selected_keys.0.key"])(
    "as what a buyer's answer gives a call, by a formula's %s",
    async (place) => {
      const { member } = world;
      const { id: buyer_id } = await done(member.post("/api/v1/buyers", { name: `Buyer ${uuidv4()}` }));
      const kept = place.startsWith("selected")
        ? { selected_keys: [{ key: "__proto__", path: "a" }] }
        : { response_field_mappings: [{ fieldPath: "a", stepIndex: 0, tagName: " __proto__ " }] };
      const given = { rtb_name: "Bids", buyer_id, steps: [{ ...aStep, ...kept }] };
      const { status, body } = await member.post("/api/v1/rtbs", given);
      expect([status, placesIn(body)]).toEqual([422, [`body.steps.0.${place}`]]);
    },
  );

  it("as a tag of an imported signal, whose line becomes a dead letter", async () => {
    const line = JSON.stringify({ ...anIncoming(), tags: { a: "1", ...reserved } });
    const errors: string[] = [];
    const counts = await importSignals({
      log: { publish: async () => [] },
      clock: createManualClock(0),
      source: "calls.ndjson",
      input: (async function* () {
        yield Buffer.from(line);
      })(),
      onRefused: ({ error }) => errors.push(error),
    });
    expect(counts).toMatchObject({ published: 0, refused: 1 });
    expect(errors).toEqual([`tags.__proto__: ${notReserved}`]);
  });
});
const rigMember = async () => (await joinWithWebhooks()).member;

describe("names that every object has are tags like others", () => {
  it("from the switch, through incoming webhooks, to the call's log", async () => {
    const { member, send } = world;
    const from = newCaller();
    const arriving = { from, to: trackingNumberOf(member.id), tags: inherited };
    const { call_id } = await done(member.post("/telephony/simulator/calls", arriving));
    await done(member.post(`/telephony/simulator/calls/${call_id}/events`, { type: "hangup" }));
    await completed(call_id);
    expect((await lastOf(call_id)).tags).toEqual(inherited);
    const found = async () =>
      expect((await done(member.get(`/api/v1/reports/calls/${call_id}`))).tags).toEqual(inherited);
    await eventually(found);
    const { body } = await send("update-tags", {
      call_id,
      add: { constructor: "z", valueOf: "v" },
      remove: ["prototype"],
    });
    expect(body).toMatchObject({ matched: true });
    expect(body.before).toEqual({ prototype: "b", constructor: "a", valueOf: null });
    expect(body.after).toEqual({ prototype: null, constructor: "z", valueOf: "v" });
  });
});
