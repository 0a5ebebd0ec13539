import type { CallEvent } from "../../ingest/event.ts";

/** The text that stands for a placeholder's name; undefined while it is not populated. */
export type Placeholders = (name: string) => string | undefined;

type Figure = string | number | boolean | null;

/**
 * What the placeholders stand for at this event. Names that the specification's table does not tie to the call itself,
 * attribution (`UTM_SOURCE`, `GCLID`, …) and custom tags, are the call's own tags in capitals. `X_NUMERIC` is the value
 * of `X`.
 */
export function placeholdersOf(event: CallEvent): Placeholders {
  const tags = new Map(Object.entries(event.tags).map(([key, value]) => [key.toUpperCase(), value]));
  return (name) => {
    const plain = name.replace(/_NUMERIC$/, "");
    const read = ofCall.get(name) ?? ofCall.get(plain);
    // The call's own figures come first: a tag of the same name must not stand in for them.
    if (read === undefined) return tags.get(name) ?? tags.get(plain);
    const value = read(event);
    return value === null ? undefined : String(value);
  };
}

/** Names of the platform's own placeholders, which no custom tag may have. */
export const isSystemTag = (name: string): boolean => {
  const plain = name.replace(/_NUMERIC$/, "");
  return ofCall.has(name) || ofCall.has(plain) || attribution.has(name) || attribution.has(plain);
};

/** All that the specification's table names, without the attribution; amounts have a `_NUMERIC` form (Placeholder groups). */
export const callPlaceholders = (): string[] =>
  [...ofCall.keys()].flatMap((name) => (amounts.has(name) ? [name, `${name}_NUMERIC`] : [name]));

const amounts: ReadonlySet<string> = new Set([
  "PAYOUT",
  "CONFIGURED_PUBLISHER_PAYOUT",
  "CONFIGURED_BUYER_REVENUE",
  "OVERWRITTEN_BUYER_REVENUE",
]);

/** Of calls through dynamic number insertion (spec: Placeholder groups). */
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

const callerId = (call: CallEvent): Figure => call.caller_id;
const zip = (call: CallEvent): Figure => call.caller_zip;
const state = (call: CallEvent): Figure => call.caller_state;
const payout = (call: CallEvent): Figure => call.payout;
const revenue = (call: CallEvent): Figure => call.revenue;
const overwritten = (call: CallEvent): Figure => (call.revenue_overridden ? call.revenue : null);

/** The specification's table (Events: Placeholder groups). */
const ofCall: ReadonlyMap<string, (call: CallEvent) => Figure> = new Map([
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
  // Before the call is settled nobody knows, and `false` would be a lie.
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
