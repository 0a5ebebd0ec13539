import type { CallEvent } from "../../ingest/event.ts";

/** Returns the value of a placeholder by its name; undefined if it has none. */
export type Placeholders = (name: string) => string | undefined;

const numeric = "_NUMERIC";

type Value = string | number | boolean | null;

/**
 * Returns the placeholder values of an event. Names that the specification's table does not tie to the call itself,
 * attribution (`UTM_SOURCE`, `GCLID`, …) and custom tags, are the call's tags in capitals. `X_NUMERIC` is the value of
 * `X`.
 */
export function placeholdersOf(event: CallEvent): Placeholders {
  let tags: ReadonlyMap<string, string> | undefined;
  return (name) => {
    const plain = name.endsWith(numeric) ? name.slice(0, -numeric.length) : name;
    const read = ofCall.get(name) ?? ofCall.get(plain);
    // A tag must not override a value of the call that has the same name.
    if (read === undefined) {
      tags ??= new Map(Object.entries(event.tags).map(([key, value]) => [key.toUpperCase(), value]));
      return tags.get(name) ?? tags.get(plain);
    }
    const value = read(event);
    return value === null ? undefined : String(value);
  };
}

/** Returns true for names of the platform's own placeholders, which custom tags may not use. */
export const isSystemTag = (name: string): boolean => {
  const plain = name.replace(/_NUMERIC$/, "");
  return ofCall.has(name) || ofCall.has(plain) || attribution.has(name) || attribution.has(plain);
};

/** Returns all names of the table except attribution; amounts have a `_NUMERIC` form. */
export const callPlaceholders = (): string[] =>
  [...ofCall.keys()].flatMap((name) => (amounts.has(name) ? [name, `${name}_NUMERIC`] : [name]));

const amounts: ReadonlySet<string> = new Set([
  "PAYOUT",
  "CONFIGURED_PUBLISHER_PAYOUT",
  "CONFIGURED_BUYER_REVENUE",
  "OVERWRITTEN_BUYER_REVENUE",
]);

/** Placeholders of calls through dynamic number insertion. */
export const attribution: ReadonlySet<string> = new Set([
  "GCLID",
  "FBCLID",
  "UTM_SOURCE",
  "UTM_MEDIUM",
  "UTM_CAMPAIGN",
  "UTM_CONTENT",
  "UTM_TERM",
  "KEYWORD",
  "VISITOR_ID",
  "LANDING_PAGE",
  "LANDING_PAGE_DOMAIN",
  "LANDING_PAGE_PATH",
  "REFERRER",
  "VISITOR_CITY",
  "VISITOR_STATE",
  "VISITOR_ZIP",
  "VISITOR_COUNTRY",
  "VISITOR_IP",
  "VISITOR_BROWSER",
]);

const callerId = (call: CallEvent): Value => call.caller_id;
const zip = (call: CallEvent): Value => call.caller_zip;
const state = (call: CallEvent): Value => call.caller_state;
const payout = (call: CallEvent): Value => call.payout;
const revenue = (call: CallEvent): Value => call.revenue;
const overwritten = (call: CallEvent): Value => (call.revenue_overridden ? call.revenue : null);

/** Placeholders by group, as `api/webhooks/README.md` lists them. */
const ofCall: ReadonlyMap<string, (call: CallEvent) => Value> = new Map([
  ["CALL_ID", (call) => call.call_id],
  ["CALL_SID", (call) => call.call_sid],
  ["INBOUND_CALL_ID", (call) => call.call_sid ?? call.call_id],
  ["ORG_ID", (call) => call.org_id],
  ["FROM", callerId],
  ["TO", (call) => call.number],
  ["CALLER_ID", callerId],
  ["CALLER_ID_NO_PLUS", (call) => call.caller_id?.replace(/^\+/, "") ?? null],
  ["CALLER_ID_NUMERIC", (call) => call.caller_id?.replace(/\D/g, "") || null],
  ["CALLER_ZIP", zip],
  ["ZIP_CODE", zip],
  ["ORIGINAL_ZIP_CODE", zip],
  ["CALLER_STATE", state],
  ["STATE", state],
  ["ORIGINAL_STATE", state],
  ["CAMPAIGN_ID", (call) => call.campaign_id],
  ["CAMPAIGN_NAME", (call) => call.campaign_name],
  ["PUBLISHER_ID", (call) => call.publisher_id],
  ["PUBLISHER_NAME", (call) => call.publisher_name],
  ["PUBLISHER_NUMBER", (call) => call.number],
  ["PAYOUT", payout],
  ["PUBLISHER_PAYOUT", payout],
  ["PUBLISHER_PAID_OUT", payout],
  ["TARGET_ID", (call) => call.target_id],
  ["TARGET_NAME", (call) => call.target_name],
  ["TARGET_TYPE", (call) => call.target_type],
  ["BUYER_ID", (call) => call.buyer_id],
  ["BUYER_NAME", (call) => call.buyer_name],
  ["TARGET_PAYOUT", revenue],
  ["REVENUE_PAID_OUT", revenue],
  // Unknown until the call is settled, and `false` would be wrong.
  ["CONVERTED", (call) => (call.revenue === null ? null : call.converted)],
  ["CALL_CONVERTED_AT", (call) => call.converted_at],
  ["DURATION", (call) => call.duration],
  ["INBOUND_DURATION", (call) => call.duration],
  ["OUTBOUND_DURATION", (call) => call.connect_duration],
  ["CALL_TERMINATION_BY", (call) => call.termination_by],
  ["EVENT_TIMESTAMP", (call) => call.occurred_at],
  ["CONFIGURED_PUBLISHER_PAYOUT", (call) => call.configured_payout],
  ["CONFIGURED_BUYER_REVENUE", (call) => call.configured_revenue],
  ["OVERWRITTEN_BUYER_REVENUE", overwritten],
]);
