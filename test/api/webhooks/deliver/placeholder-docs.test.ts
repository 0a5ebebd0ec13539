import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { attribution, placeholdersOf } from "../../../../api/outbound/webhook-placeholders.ts";
import { exampleEvent } from "../../../../api/webhooks/deliver/example-event.ts";
import { fill } from "../../../../api/webhooks/deliver/template.ts";
import { type CallEventName, callEventNames, callEventSchema } from "../../../../ingest/event.ts";
import { orgOne, startOfTime } from "../../../make.ts";
import { placeholderRows, placeholderTable } from "./placeholder-docs.ts";

const marks = callEventNames.filter((name) => name.endsWith("_secs_mark"));
const settled: readonly CallEventName[] = ["call.converted", "call.completed", "call.updated"];
const ended: readonly CallEventName[] = ["call.hangup", "call.failure", ...settled];
const routed: readonly CallEventName[] = ["call.connected", ...marks, ...ended];

/** The specification's table, group by group, with the events at which each placeholder is populated. */
const populatedAt: readonly (readonly [events: readonly CallEventName[], names: string])[] = [
  [callEventNames, "CALL_ID CALL_SID INBOUND_CALL_ID ORG_ID FROM TO CALLER_ID CALLER_ID_NO_PLUS CALLER_ID_NUMERIC"],
  [callEventNames, "CALLER_ZIP CALLER_STATE STATE ZIP_CODE ORIGINAL_STATE ORIGINAL_ZIP_CODE"],
  [callEventNames, "CAMPAIGN_ID CAMPAIGN_NAME PUBLISHER_ID PUBLISHER_NAME PUBLISHER_NUMBER EVENT_TIMESTAMP"],
  [callEventNames, "CONFIGURED_PUBLISHER_PAYOUT CONFIGURED_PUBLISHER_PAYOUT_NUMERIC"],
  [settled, "PAYOUT PAYOUT_NUMERIC TARGET_PAYOUT PUBLISHER_PAYOUT REVENUE_PAID_OUT PUBLISHER_PAID_OUT"],
  [settled, "CONVERTED CALL_CONVERTED_AT"],
  [routed, "TARGET_ID TARGET_NAME TARGET_TYPE BUYER_ID BUYER_NAME"],
  [routed, "CONFIGURED_BUYER_REVENUE CONFIGURED_BUYER_REVENUE_NUMERIC"],
  [ended, "DURATION INBOUND_DURATION OUTBOUND_DURATION CALL_TERMINATION_BY"],
  [["call.updated"], "OVERWRITTEN_BUYER_REVENUE OVERWRITTEN_BUYER_REVENUE_NUMERIC"],
];
const cases = populatedAt.flatMap(([events, names]) => names.split(" ").map((name) => [name, events] as const));

describe("each placeholder at each event", () => {
  it.each(cases)("%s is filled where the table says so, and literal elsewhere", (name, populated) => {
    for (const event of callEventNames) {
      const filled = fill(`[${name}]`, placeholdersOf(exampleEvent(orgOne, event, startOfTime)));
      expect(filled !== `[${name}]`, event).toBe(populated.includes(event));
    }
  });

  it("is in the table, and no other is", () => {
    const names = placeholderRows().flatMap((row) => row.names);
    expect(names.toSorted()).toEqual(cases.map(([name]) => name).toSorted());
    expect(new Set(names).size).toBe(names.length);
  });

  it("of the attribution is filled where the call has it, at every event", () => {
    expect(attribution.size).toBe(19);
    for (const name of attribution) {
      for (const event of callEventNames) {
        const example = exampleEvent(orgOne, event, startOfTime);
        const having = { ...example, tags: { [name.toLowerCase()]: "value" } };
        expect(fill(`[${name}]`, placeholdersOf(having))).toBe("value");
        expect(fill(`[${name}]`, placeholdersOf({ ...example, tags: {} }))).toBe(`[${name}]`);
      }
    }
  });
});

describe("the example call", () => {
  it.each(callEventNames)("has a %s as the platform tells it", (name) => {
    const event = exampleEvent(orgOne, name, startOfTime);
    expect(callEventSchema.parse(event)).toEqual(event);
    expect([event.event, event.org_id]).toEqual([name, orgOne]);
    expect(Date.parse(event.occurred_at)).toBeLessThanOrEqual(startOfTime);
  });
});

describe("the guide", () => {
  it("has the table of placeholders as the program makes it", () => {
    const guide = readFileSync(new URL("../../../../api/webhooks/README.md", import.meta.url), "utf8");
    const [, table] = guide.split(/<!-- \/?placeholders -->/);
    expect(table?.trim()).toBe(placeholderTable());
  });
});
