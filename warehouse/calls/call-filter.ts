import type { callStatuses } from "../../ingest/call.ts";
import type { Span } from "../history/slot-range.ts";
import { boolean, integer, raw, type SqlValue, type Statement, sql, text, time } from "../statement.ts";
import type { ReportDialect } from "./report-dialect.ts";

/** The filter of reports on calls; an empty one selects all calls. */
export interface CallFilter {
  /** The calls' arrival, half-open; missing bounds are open. */
  readonly span: Partial<Span>;
  readonly callId?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly publisherId?: string | undefined;
  readonly buyerId?: string | undefined;
  readonly targetId?: string | undefined;
  readonly rtbId?: string | undefined;
  readonly callerId?: string | undefined;
  readonly number?: string | undefined;
  readonly status?: (typeof callStatuses)[number] | undefined;
  readonly failureReason?: string | undefined;
  /** True for calls in progress, false for those that have ended. */
  readonly live?: boolean | undefined;
  readonly converted?: boolean | undefined;
  readonly duplicate?: boolean | undefined;
  /** Whole seconds, the menus included. */
  readonly minDuration?: number | undefined;
  /** Calls that have changed since. */
  readonly updatedSince?: Date | undefined;
  /** Tags that calls must have, with their values. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** All of the filter but its span. */
export const callConditions = (dialect: ReportDialect, filter: CallFilter): Statement[] => [
  ...when(filter.updatedSince, (since) => sql`updated_at >= ${time(since)}`),
  ...equal("call_id", filter.callId),
  ...equal("campaign_id", filter.campaignId),
  ...equal("publisher_id", filter.publisherId),
  ...equal("buyer_id", filter.buyerId),
  ...equal("target_id", filter.targetId),
  ...equal("rtb_id", filter.rtbId),
  ...equal("caller_id", filter.callerId),
  ...equal("number", filter.number),
  ...equal("status", filter.status),
  ...equal("failure_reason", filter.failureReason),
  ...when(filter.live, (live) => raw(live ? "ended_at IS NULL" : "ended_at IS NOT NULL")),
  ...when(filter.converted, (converted) => is("converted", boolean(converted))),
  ...when(filter.duplicate, (duplicate) => is("is_duplicate", boolean(duplicate))),
  ...when(filter.minDuration, (seconds) => sql`duration >= ${integer(seconds)}`),
  ...Object.entries(filter.tags ?? {}).map(([key, value]) => dialect.hasTag(key, value)),
];

const is = (column: string, value: SqlValue): Statement => sql`${raw(column)} = ${value}`;

const equal = (column: string, value: string | undefined): Statement[] =>
  when(value, (wanted) => is(column, text(wanted)));

const when = <T>(value: T | undefined, toCondition: (value: T) => Statement): Statement[] =>
  value === undefined ? [] : [toCondition(value)];
