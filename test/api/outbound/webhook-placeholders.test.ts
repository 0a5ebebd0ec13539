import { describe, expect, it } from "vitest";
import { placeholdersOf } from "../../../api/outbound/webhook-placeholders.ts";
import type { CallEvent, CallEventName } from "../../../ingest/event.ts";
import type { Signal } from "../../../ingest/signal.ts";
import {
  aDialFailed,
  aDialing,
  aFailed,
  aHungUp,
  anAnswered,
  anEvent,
  anIncoming,
  secondsIn,
  signalsOfCall,
} from "../../make.ts";

const lifeEvents = [
  "call.incoming",
  "call.connected",
  "call.on_5_secs_mark",
  "call.on_15_secs_mark",
  "call.hangup",
  "call.converted",
  "call.completed",
] as const satisfies CallEventName[];

/** Whatever a switch and a router can know of a call is known here, so what is missing is the event's own lack. */
const fullCall: readonly Signal[] = [
  anIncoming({
    call_sid: "CA1",
    caller_state: "NY",
    caller_zip: "10001",
    tags: { utm_source: "google", gclid: "g-1", lead_type: "hot", lead_score: "7" },
  }),
  aDialing(),
  anAnswered(),
  aHungUp({ at: secondsIn(16) }),
];

/** From which event on a placeholder of the specification's table is populated, and by what. */
const table: [name: string, since: (typeof lifeEvents)[number], value: string][] = [
  ["CALL_ID", "call.incoming", "call-1"],
  ["CALL_SID", "call.incoming", "CA1"],
  ["INBOUND_CALL_ID", "call.incoming", "CA1"],
  ["ORG_ID", "call.incoming", "org_one"],
  ["FROM", "call.incoming", "+12125550123"],
  ["TO", "call.incoming", "+18005550100"],
  ["CALLER_ID", "call.incoming", "+12125550123"],
  ["CALLER_ID_NO_PLUS", "call.incoming", "12125550123"],
  ["CALLER_ID_NUMERIC", "call.incoming", "12125550123"],
  ["CALLER_ZIP", "call.incoming", "10001"],
  ["CALLER_STATE", "call.incoming", "NY"],
  ["STATE", "call.incoming", "NY"],
  ["ZIP_CODE", "call.incoming", "10001"],
  ["ORIGINAL_STATE", "call.incoming", "NY"],
  ["ORIGINAL_ZIP_CODE", "call.incoming", "10001"],
  ["CAMPAIGN_ID", "call.incoming", "cmp-1"],
  ["CAMPAIGN_NAME", "call.incoming", "Solar East"],
  ["PUBLISHER_ID", "call.incoming", "pub-1"],
  ["PUBLISHER_NAME", "call.incoming", "Blue Lake Media"],
  ["PUBLISHER_NUMBER", "call.incoming", "+18005550100"],
  ["EVENT_TIMESTAMP", "call.incoming", secondsIn(0)],
  ["CONFIGURED_PUBLISHER_PAYOUT", "call.incoming", "20"],
  ["CONFIGURED_PUBLISHER_PAYOUT_NUMERIC", "call.incoming", "20"],
  ["UTM_SOURCE", "call.incoming", "google"],
  ["GCLID", "call.incoming", "g-1"],
  ["LEAD_TYPE", "call.incoming", "hot"],
  ["LEAD_SCORE_NUMERIC", "call.incoming", "7"],
  ["TARGET_ID", "call.connected", "tgt-1"],
  ["TARGET_NAME", "call.connected", "Sunny Roofs"],
  ["TARGET_TYPE", "call.connected", "number"],
  ["BUYER_ID", "call.connected", "buy-1"],
  ["BUYER_NAME", "call.connected", "Sunny Group"],
  ["CONFIGURED_BUYER_REVENUE", "call.connected", "30"],
  ["CONFIGURED_BUYER_REVENUE_NUMERIC", "call.connected", "30"],
  ["DURATION", "call.hangup", "16"],
  ["INBOUND_DURATION", "call.hangup", "16"],
  ["OUTBOUND_DURATION", "call.hangup", "16"],
  ["CALL_TERMINATION_BY", "call.hangup", "caller"],
  ["CONVERTED", "call.converted", "true"],
  ["CALL_CONVERTED_AT", "call.converted", secondsIn(16)],
  ["PAYOUT", "call.converted", "20"],
  ["PAYOUT_NUMERIC", "call.converted", "20"],
  ["PUBLISHER_PAYOUT", "call.converted", "20"],
  ["PUBLISHER_PAID_OUT", "call.converted", "20"],
  ["TARGET_PAYOUT", "call.converted", "30"],
  ["REVENUE_PAID_OUT", "call.converted", "30"],
];

const valueAt = (event: CallEvent, name: string) => placeholdersOf(event)(name);

describe("a placeholder of the specification's table", () => {
  it.each(table)("%s is populated from %s on, and not before", (name, since, value) => {
    for (const [index, event] of lifeEvents.entries()) {
      const found = valueAt(anEvent(event, fullCall), name);
      if (index < lifeEvents.indexOf(since)) expect(found, event).toBeUndefined();
      else if (name !== "EVENT_TIMESTAMP") expect(found, event).toBe(value);
    }
    expect(valueAt(anEvent(since, fullCall), name)).toBe(value);
  });

  it("EVENT_TIMESTAMP is the time of the event itself, for a mark the time at which it was reached", () => {
    expect(valueAt(anEvent("call.on_5_secs_mark", fullCall), "EVENT_TIMESTAMP")).toBe(secondsIn(5));
    expect(valueAt(anEvent("call.hangup", fullCall), "EVENT_TIMESTAMP")).toBe(secondsIn(16));
  });

  it("of money is 0 and CONVERTED is false once a call that nobody pays for is completed", () => {
    const completed = anEvent("call.completed", signalsOfCall(5));
    expect(["PAYOUT", "REVENUE_PAID_OUT", "CONVERTED"].map((name) => valueAt(completed, name))).toEqual([
      "0",
      "0",
      "false",
    ]);
    expect(valueAt(completed, "CALL_CONVERTED_AT")).toBeUndefined();
  });

  it("of a failed call tells its durations and who ended it, and nothing of money", () => {
    const failure = anEvent("call.failure", [anIncoming(), aDialing(), aDialFailed(), aFailed({ at: secondsIn(3) })]);
    expect(["DURATION", "OUTBOUND_DURATION", "CALL_TERMINATION_BY"].map((name) => valueAt(failure, name))).toEqual([
      "3",
      "0",
      "system",
    ]);
    expect(valueAt(failure, "REVENUE_PAID_OUT")).toBeUndefined();
  });

  it.each(["OVERWRITTEN_BUYER_REVENUE", "OVERWRITTEN_BUYER_REVENUE_NUMERIC"])(
    "%s is populated only when the revenue was overwritten",
    (name) => {
      const completed = anEvent("call.completed", fullCall);
      expect(valueAt(completed, name)).toBeUndefined();
      expect(valueAt({ ...completed, revenue: 12.5, revenue_overridden: true }, name)).toBe("12.5");
    },
  );

  it("is not populated when the call came from nobody known", () => {
    const anonymous = anEvent("call.incoming", [anIncoming({ from: "anonymous", caller_zip: null })]);
    expect(valueAt(anonymous, "CALLER_ID")).toBe("anonymous");
    expect(valueAt(anonymous, "CALLER_ID_NUMERIC")).toBeUndefined();
    expect(valueAt(anonymous, "CALLER_ZIP")).toBeUndefined();
    expect(valueAt(anonymous, "INBOUND_CALL_ID")).toBe("call-1");
  });
});

describe("a tag", () => {
  it("cannot stand in for a figure of the call, nor for its _NUMERIC form", () => {
    const names = table.map(([name]) => name).filter((name) => !/^(UTM_|GCLID|LEAD_)/.test(name));
    const plain = [...names.map((name) => name.replace(/_NUMERIC$/, "")), "OVERWRITTEN_BUYER_REVENUE"];
    const all = plain.flatMap((name) => [name, `${name}_NUMERIC`]);
    const tags = Object.fromEntries(all.map((name) => [name.toLowerCase(), "forged"]));
    const event = { ...anEvent("call.incoming", [anIncoming()]), tags };
    for (const name of all) expect(valueAt(event, name), name).not.toBe("forged");
  });

  it("is found by its key in capitals, whatever its case", () => {
    const event = anEvent("call.incoming", [anIncoming({ tags: { Lead_Type: "warm" } })]);
    expect(valueAt(event, "LEAD_TYPE")).toBe("warm");
  });

  it("that the call does not carry is not populated, not even by what every object has", () => {
    const event = anEvent("call.incoming", [anIncoming()]);
    for (const name of ["UTM_SOURCE", "CONSTRUCTOR", "NO_SUCH_TAG"]) expect(valueAt(event, name)).toBeUndefined();
  });
});
