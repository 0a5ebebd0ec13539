import { integer, join, raw, type Statement, sql, text } from "../statement.ts";
import type { HistoryDialect } from "./dialect.ts";
import type { Span } from "./slot-range.ts";

/** The filter of a list of requests; an empty one selects the whole list. */
export interface HistoryFilter {
  readonly webhookId?: string | undefined;
  readonly callId?: string | undefined;
  /** Half-open range of status codes, or those that were not answered. */
  readonly status?: { readonly from: number; readonly to: number } | "none" | undefined;
  /** Half-open. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Somewhere in the address, a body, the name of the webhook, or the id of the call or the transaction, whatever the case of its letters. */
  readonly text?: string | undefined;
}
export interface OutgoingFilter extends HistoryFilter {
  readonly eventTypeId?: string | undefined;
  readonly outcome?: string | undefined;
}
export interface IncomingFilter extends HistoryFilter {
  readonly transactionId?: string | undefined;
  readonly type?: string | undefined;
}

interface Searched {
  readonly webhook: string;
  /** Columns that name the call. */
  readonly call: readonly string[];
  readonly texts: readonly string[];
}
const outgoingSearched: Searched = {
  webhook: "outgoing_webhook_config_id",
  call: ["call_id"],
  texts: ["url", "path", "body", "response_body", "call_id", "webhook_config_name"],
};
const incomingSearched: Searched = {
  webhook: "incoming_webhook_config_id",
  call: ["call_id", "call_log_id"],
  texts: [
    "path",
    "query_string",
    "body",
    "response_body",
    "call_id",
    "call_log_id",
    "transaction_id",
    "webhook_config_name",
  ],
};

/** Returns the time span of a filter. */
export const spanOfFilter = ({ from, to }: Pick<HistoryFilter, "from" | "to">): Partial<Span> => ({
  ...(from && { from }),
  ...(to && { to }),
});

/** Returns the conditions of a filter besides its time span. */
export const outgoingConditions = (dialect: HistoryDialect, filter: OutgoingFilter): Statement[] => [
  ...conditions(dialect, filter, outgoingSearched),
  ...equal("event_type_id", filter.eventTypeId),
  ...equal("outcome", filter.outcome),
];

export const incomingConditions = (dialect: HistoryDialect, filter: IncomingFilter): Statement[] => [
  ...conditions(dialect, filter, incomingSearched),
  ...equal("transaction_id", filter.transactionId),
  ...equal("webhook_config_type", filter.type),
];

const conditions = (
  dialect: HistoryDialect,
  filter: HistoryFilter,
  { webhook, call, texts }: Searched,
): Statement[] => [
  ...equal(webhook, filter.webhookId),
  ...(filter.callId === undefined ? [] : [anyOf(call.flatMap((column) => equal(column, filter.callId)))]),
  ...answeredWith(filter.status),
  ...(filter.text === undefined ? [] : [anyOf(texts.flatMap((column) => hasText(dialect, column, filter.text)))]),
];

const equal = (column: string, value: string | undefined): Statement[] =>
  value === undefined ? [] : [sql`${raw(column)} = ${text(value)}`];

const hasText = (dialect: HistoryDialect, column: string, wanted: string | undefined): Statement[] =>
  wanted === undefined ? [] : [dialect.hasText(raw(column), wanted)];

const anyOf = (alternatives: readonly Statement[]): Statement => sql`(${join(alternatives, " OR ")})`;

function answeredWith(status: HistoryFilter["status"]): Statement[] {
  if (status === undefined) return [];
  if (status === "none") return [raw("response_status_code IS NULL")];
  return [sql`response_status_code >= ${integer(status.from)}`, sql`response_status_code < ${integer(status.to)}`];
}
