import { z } from "zod";
import { callSchema } from "../../ingest/call.ts";
import { type CallEventName, callEventSchema, markEvent, markSeconds } from "../../ingest/event.ts";
import { isConverted, judgeConversion } from "../../ingest/lifecycle/settle.ts";
import { timestamp } from "../../ingest/primitives.ts";
import { type CallStory, readCallStory } from "../../warehouse/calls/call-timeline.ts";
import type { Row, Warehouse } from "../../warehouse/warehouse.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";

export interface TimelineDeps {
  readonly warehouse: Pick<Warehouse, "query">;
}

export const timelineRow = z
  .object({
    /** Counts from 1. */
    seq: z.int(),
    at: timestamp,
    /** Since the call came in; below 0 for an event that another clock dates before it. */
    offset_ms: z.int(),
    event: z.string(),
    source: z.enum(["call", "routing", "outgoing_webhook", "incoming_webhook"]),
    detail: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "TimelineEntry" });
type TimelineRow = z.infer<typeof timelineRow>;

/** The timeline of one call. */
export const timelineOperation = ({ warehouse }: TimelineDeps): Operation =>
  defineOperation({
    method: "get",
    path: "/api/v1/reports/calls/{call_id}/timeline",
    tag: "Reports",
    name: "getCallTimeline",
    summary: "What happened to a call, in order",
    access: "api_key",
    limit: "api",
    params: z.object({ call_id: z.string().min(1).max(255) }),
    status: 200,
    answer: z.object({ call_id: z.string(), data: z.array(timelineRow), truncated: z.boolean() }),
    errors: [404, 503],
    async handle({ caller, params: { call_id } }) {
      const story = await readCallStory(warehouse, caller.orgId, call_id);
      if (story === null) throw notFound(`The call ${call_id}`);
      return { call_id, data: toTimeline(story), truncated: story.truncated };
    },
  });

/** A row without its place. Of rows in the same millisecond, the lower rank comes first. */
interface Entry extends Pick<TimelineRow, "at" | "event" | "source" | "detail"> {
  readonly rank: number;
}

/**
 * Returns the events of a call from its first ring to the last webhook, in order of time. Events of the
 * same millisecond are in this order: the caller, received data, routing, the connection and its end, the money, sent
 * webhooks.
 */
export function toTimeline(story: CallStory): TimelineRow[] {
  const began = Date.parse(String(story.call.started_at));
  const entries = [
    ...fromEvents(story),
    ...fromConversion(story),
    ...story.traces.map(fromTrace),
    ...story.outgoing.map(fromOutgoing),
    ...story.incoming.map(fromIncoming),
  ];
  return entries
    .toSorted((one, other) => compareText(one.at, other.at) || one.rank - other.rank)
    .map(({ at, event, source, detail }, index) => ({
      seq: index + 1,
      at,
      offset_ms: Date.parse(at) - began,
      event,
      source,
      detail,
    }));
}

/** ISO times of one form compare as text. */
const compareText = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const ranks: Readonly<Record<CallEventName, number>> = {
  "call.incoming": 0,
  "call.connected": 3,
  "call.on_5_secs_mark": 4,
  "call.on_15_secs_mark": 4,
  "call.on_30_secs_mark": 4,
  "call.on_45_secs_mark": 4,
  "call.on_60_secs_mark": 4,
  "call.hangup": 5,
  "call.failure": 5,
  "call.converted": 7,
  "call.completed": 8,
  "call.updated": 9,
};
const rankOf = { received: 1, trace: 2, evaluated: 6, sent: 10 } as const;

function fromEvents({ call, events }: CallStory): Entry[] {
  return events.map((event, index) => {
    const name = String(event.event) as CallEventName;
    const changed = name === "call.updated" ? changedMoney(events[index - 1], event) : null;
    return {
      at: String(event.occurred_at),
      event: changed === null ? name : "payout.adjusted",
      source: "call",
      detail: { ...(changed ?? detailOf(name, event, call)), ...causeOf(event) },
      rank: ranks[name] ?? rankOf.trace,
    };
  });
}

const money = ["revenue", "payout", "converted"] as const;

/** Returns the money before and after a later correction; null when it changed something else. */
function changedMoney(before: Row | undefined, after: Row): TimelineRow["detail"] | null {
  const names = money.filter((name) => before?.[name] !== after[name]);
  if (before === undefined || names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]));
}

/** Returns the source and the reason of an update; nothing when it came from within, or the event is older than the column. */
function causeOf({ cause }: Row): TimelineRow["detail"] {
  const parsed = callEventSchema.shape.cause.safeParse(cause ?? undefined);
  return parsed.data === undefined ? {} : { by: parsed.data.source, reason: parsed.data.reason };
}

function detailOf(name: CallEventName, event: Row, { number, caller_id }: Row): TimelineRow["detail"] {
  const { status, campaign_id, publisher_id, target_id, buyer_id, attempts, revenue, payout, converted } = event;
  switch (name) {
    case "call.incoming":
      return { caller_id, number, campaign_id, publisher_id };
    case "call.connected":
      return { target_id, buyer_id, attempts };
    case "call.hangup":
      return { by: event.termination_by };
    case "call.failure":
      return { reason: event.failure_reason, attempts };
    case "call.converted":
      return { revenue, payout };
    case "call.completed":
    case "call.updated":
      return { status, revenue, payout, converted };
    default:
      return { seconds: markSeconds.find((seconds) => markEvent(seconds) === name) ?? null };
  }
}

/** The conversion of a connected call, which is evaluated after hangup, with the rule of each side. */
function fromConversion({ call, events }: CallStory): Entry[] {
  const over = events.find(({ event }) => event === "call.hangup");
  const settled = events.some(({ event }) => event === "call.completed");
  if (over === undefined || !settled || call.connected_at === null) return [];
  const rule = rulesOf(call);
  // A later correction replaces the call's own fields, and not how it was judged.
  const payable = rule === null ? call.payable : isConverted(rule.payable);
  const receivable = rule === null ? call.receivable : isConverted(rule.receivable);
  const converted = rule === null ? call.converted : payable === true || receivable === true;
  const detail = { payable, receivable, converted, rule };
  return [
    { at: String(over.occurred_at), event: "conversion.evaluated", source: "call", detail, rank: rankOf.evaluated },
  ];
}

const evaluated = callSchema.pick({
  started_at: true,
  connected_at: true,
  ended_at: true,
  failure_reason: true,
  terms: true,
});

/** Returns the rule of each side; null for calls that are older than the column of their terms. */
export function rulesOf(call: Row) {
  const parsed = evaluated.safeParse(call);
  return parsed.success ? judgeConversion(parsed.data) : null;
}

const fromTrace = ({ occurred_at, event, detail }: Row): Entry => ({
  at: String(occurred_at),
  event: String(event),
  source: "routing",
  detail: isObject(detail) ? detail : {},
  rank: rankOf.trace,
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fromOutgoing = (row: Row): Entry => ({
  at: String(row.created_at),
  event: "webhook.sent",
  source: "outgoing_webhook",
  detail: {
    id: row.id,
    status: row.response_status_code,
    webhook_id: row.outgoing_webhook_config_id,
    event: row.event_type_id,
    attempt: row.attempt,
    outcome: row.outcome,
    next_attempt_at: row.next_attempt_at ?? null,
  },
  rank: rankOf.sent,
});

const fromIncoming = (row: Row): Entry => ({
  at: String(row.created_at),
  event: "data.received",
  source: "incoming_webhook",
  detail: {
    id: row.id,
    status: row.response_status_code,
    webhook_id: row.incoming_webhook_config_id,
    type: row.webhook_config_type,
    transaction_id: row.transaction_id,
  },
  rank: rankOf.received,
});
