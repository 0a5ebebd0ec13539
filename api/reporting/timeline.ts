import { callSchema } from "../../ingest/call.ts";
import { type CallEventName, callEventSchema, markEvent, markSeconds } from "../../ingest/event.ts";
import { judgeConversion } from "../../ingest/lifecycle/settle.ts";
import type { CallStory } from "../../warehouse/calls/call-story.ts";
import type { Row } from "../../warehouse/warehouse.ts";

export const timelineSources = ["call", "routing", "outgoing_webhook", "incoming_webhook"] as const;

export interface TimelineRow {
  /** From 1. */
  readonly seq: number;
  readonly at: string;
  /** Since the call came in; below 0 for what another clock says happened before it. */
  readonly offset_ms: number;
  readonly event: string;
  readonly source: (typeof timelineSources)[number];
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Without its place. Of one millisecond, the lower rank comes first. */
interface Happened extends Pick<TimelineRow, "at" | "event" | "source" | "detail"> {
  readonly rank: number;
}

/**
 * A call's way from its first ring to the last webhook, in order of time (semantics 7.6). What bears the same millisecond
 * comes in the order of its meaning: the caller, what was heard of him, the way to a destination, the talk and its end,
 * the money, and whom we told.
 */
export function toTimeline(story: CallStory): TimelineRow[] {
  const began = Date.parse(String(story.call.started_at));
  const happened = [
    ...fromEvents(story),
    ...fromConversion(story),
    ...story.traces.map(fromTrace),
    ...story.outgoing.map(fromOutgoing),
    ...story.incoming.map(fromIncoming),
  ];
  return happened
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

function fromEvents({ call, events }: CallStory): Happened[] {
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

/** What a later correction made of the money, beside what it was; null where it changed something else. */
function changedMoney(before: Row | undefined, after: Row): TimelineRow["detail"] | null {
  const names = money.filter((name) => before?.[name] !== after[name]);
  if (before === undefined || names.length === 0) return null;
  return Object.fromEntries(names.map((name) => [name, { before: before[name] ?? null, after: after[name] ?? null }]));
}

/** Who has caused an update, and why; nothing where nobody outside has, or the event is older than what is kept of it. */
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

/** A connected call is judged once it is over: by which rule of each side, and how. */
function fromConversion({ call, events }: CallStory): Happened[] {
  const over = events.find(({ event }) => event === "call.hangup");
  const settled = events.some(({ event }) => event === "call.completed");
  if (over === undefined || !settled || call.connected_at === null) return [];
  const { payable, receivable, converted } = call;
  const detail = { payable, receivable, converted, rule: rulesOf(call) };
  return [
    { at: String(over.occurred_at), event: "conversion.evaluated", source: "call", detail, rank: rankOf.evaluated },
  ];
}

const judged = callSchema.pick({
  started_at: true,
  connected_at: true,
  ended_at: true,
  failure_reason: true,
  terms: true,
});

/** Null for calls that are older than what is kept of their terms. */
function rulesOf(call: Row) {
  const parsed = judged.safeParse(call);
  return parsed.success ? judgeConversion(parsed.data) : null;
}

const fromTrace = ({ occurred_at, event, detail }: Row): Happened => ({
  at: String(occurred_at),
  event: String(event),
  source: "routing",
  detail: isObject(detail) ? detail : {},
  rank: rankOf.trace,
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fromOutgoing = (row: Row): Happened => ({
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

const fromIncoming = (row: Row): Happened => ({
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
