import { z } from "zod";
import { callStatuses } from "../../ingest/call.ts";
import { toE164 } from "../../ingest/phone-number.ts";
import { timestamp } from "../../ingest/primitives.ts";
import type { CallFilter } from "../../warehouse/calls/call-filter.ts";
import type { Span } from "../../warehouse/history/slot-range.ts";
import { ValidationError } from "../serve/errors.ts";
import { timeQuery, toTimeRange } from "../serve/time-range.ts";

const id = z.string().min(1).max(255).optional();
/** A `+` that was not written as %2B arrives as a space. Other text stays as it is: it may be a caller's name. */
const phone = z
  .string()
  .min(1)
  .max(255)
  .transform((text) => toE164(text.trim()) ?? text)
  .optional();
const flag = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .optional();
const tagPrefix = "tag.";
const mostTags = 10;

/** Filters of the reports on calls. Tags are parameters of any name, so unknown parameters are not refused. */
export const callFilterShape = {
  ...timeQuery,
  call_id: id,
  campaign_id: id,
  publisher_id: id,
  buyer_id: id,
  target_id: id,
  rtb_id: id,
  caller_id: phone.describe("In any form; E.164 is sure."),
  number: phone.describe("The number that was called."),
  status: z.enum(callStatuses).optional(),
  failure_reason: id.describe("Why the call was not connected, such as no_eligible_route."),
  live: flag.describe("Calls in progress, or with false those that have ended."),
  converted: flag,
  duplicate: flag,
  min_duration: z
    .preprocess((text) => (typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text), z.int().min(0))
    .optional()
    .describe("Whole seconds, menus included."),
  "tag.<key>": z
    .string()
    .optional()
    .describe(`Calls with this value of the tag <key>, such as tag.utm_source=google; ${mostTags} tags at most.`),
};

export const updatedSince = timestamp
  .optional()
  .describe("Calls that have changed since, whenever they came in unless start_date is given: for syncing.");

const tagSchema = z.tuple([z.string().min(1).max(64), z.string().max(1024)]);

interface CallQuery extends Readonly<Record<string, unknown>> {
  readonly call_id?: string | undefined;
  readonly campaign_id?: string | undefined;
  readonly publisher_id?: string | undefined;
  readonly buyer_id?: string | undefined;
  readonly target_id?: string | undefined;
  readonly rtb_id?: string | undefined;
  readonly caller_id?: string | undefined;
  readonly number?: string | undefined;
  readonly status?: CallFilter["status"];
  readonly failure_reason?: string | undefined;
  readonly live?: boolean | undefined;
  readonly converted?: boolean | undefined;
  readonly duplicate?: boolean | undefined;
  readonly min_duration?: number | undefined;
  readonly updated_since?: string | undefined;
}

/** Builds the filter of a query; throws 422 for a tag that is given twice or has no key. */
export const toCallFilter = (query: CallQuery, span: CallFilter["span"]): CallFilter => ({
  span,
  callId: query.call_id,
  campaignId: query.campaign_id,
  publisherId: query.publisher_id,
  buyerId: query.buyer_id,
  targetId: query.target_id,
  rtbId: query.rtb_id,
  callerId: query.caller_id,
  number: query.number,
  status: query.status,
  failureReason: query.failure_reason,
  live: query.live,
  converted: query.converted,
  duplicate: query.duplicate,
  minDuration: query.min_duration,
  updatedSince: query.updated_since === undefined ? undefined : new Date(query.updated_since),
  tags: tagsOf(query),
});

function tagsOf(query: CallQuery): Record<string, string> {
  const given = Object.entries(query).filter(([name, value]) => name.startsWith(tagPrefix) && value !== undefined);
  if (given.length > mostTags) throw refuse(tagPrefix, `At most ${mostTags} tags.`);
  return Object.fromEntries(
    given.map(([name, value]) => {
      const tag = tagSchema.safeParse([name.slice(tagPrefix.length), value]);
      if (!tag.success) throw refuse(name, "must be one tag with one value, like tag.utm_source=google");
      return tag.data;
    }),
  );
}

const refuse = (field: string, msg: string) =>
  new ValidationError([{ loc: ["query", field], msg, type: "value_error" }]);

interface Times {
  readonly start_date?: string | undefined;
  readonly end_date?: string | undefined;
  readonly updated_since?: string | undefined;
}

/**
 * Returns the range of a report's calls: the last 24 hours unless given. With `updated_since` and no
 * `start_date` it has no start: it means changed calls of any age.
 */
export function toCallSpan(times: Times, now: number, limits: { readonly mostMs?: number } = {}): Partial<Span> {
  if (times.updated_since === undefined || times.start_date !== undefined) return toTimeRange(times, now, limits);
  return times.end_date === undefined ? {} : { to: new Date(times.end_date) };
}
