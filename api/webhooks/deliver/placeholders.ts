import type { CallEvent } from "../../../ingest/event.ts";

/** Values by placeholder name, as text; a name that is missing is not populated yet. */
export type Placeholders = ReadonlyMap<string, string>;

type Figure = string | number | boolean | null;

/**
 * What the specification's table of placeholders stands for at this event. Attribution (`UTM_SOURCE`, `GCLID`, …) and
 * custom tags are the call's own tags in capitals.
 */
export function placeholdersOf(event: CallEvent): Placeholders {
  const values = new Map<string, string>();
  for (const [key, value] of Object.entries(event.tags)) values.set(key.toUpperCase(), value);
  // The table comes second: a tag of the same name must not stand in for the call's own figures.
  for (const [name, value] of Object.entries(system(event))) {
    if (value === null) values.delete(name);
    else values.set(name, String(value));
  }
  return values;
}

function system(call: CallEvent): Record<string, Figure> {
  const digits = call.caller_id?.replace(/\D/g, "") || null;
  const settled = call.revenue !== null;
  return {
    ...{ CALL_ID: call.call_id, CALL_SID: call.call_sid, INBOUND_CALL_ID: call.call_sid ?? call.call_id },
    ...{ ORG_ID: call.org_id, FROM: call.caller_id, TO: call.number, CALLER_ID: call.caller_id },
    ...{ CALLER_ID_NO_PLUS: call.caller_id?.replace(/^\+/, "") ?? null, CALLER_ID_NUMERIC: digits },
    ...{ CALLER_ZIP: call.caller_zip, ZIP_CODE: call.caller_zip, ORIGINAL_ZIP_CODE: call.caller_zip },
    ...{ CALLER_STATE: call.caller_state, STATE: call.caller_state, ORIGINAL_STATE: call.caller_state },
    ...{ CAMPAIGN_ID: call.campaign_id, CAMPAIGN_NAME: call.campaign_name },
    ...{ PUBLISHER_ID: call.publisher_id, PUBLISHER_NAME: call.publisher_name, PUBLISHER_NUMBER: call.number },
    ...{ PAYOUT: call.payout, PAYOUT_NUMERIC: call.payout, PUBLISHER_PAYOUT: call.payout },
    ...{ TARGET_ID: call.target_id, TARGET_NAME: call.target_name, TARGET_TYPE: call.target_type },
    ...{ BUYER_ID: call.buyer_id, BUYER_NAME: call.buyer_name, TARGET_PAYOUT: call.revenue },
    ...{ CONVERTED: settled ? call.converted : null, CALL_CONVERTED_AT: call.converted_at },
    ...{ REVENUE_PAID_OUT: call.revenue, PUBLISHER_PAID_OUT: call.payout },
    ...{ DURATION: call.duration, INBOUND_DURATION: call.duration, OUTBOUND_DURATION: call.connect_duration },
    ...{ CALL_TERMINATION_BY: call.termination_by, EVENT_TIMESTAMP: call.occurred_at },
    ...both("CONFIGURED_PUBLISHER_PAYOUT", call.configured_payout),
    ...both("CONFIGURED_BUYER_REVENUE", call.configured_revenue),
    ...both("OVERWRITTEN_BUYER_REVENUE", call.revenue_overridden ? call.revenue : null),
  };
}

const both = (name: string, value: Figure): Record<string, Figure> => ({ [name]: value, [`${name}_NUMERIC`]: value });
