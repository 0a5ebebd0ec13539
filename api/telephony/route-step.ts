import { isoTime } from "../../ingest/clock.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Queryable } from "../database/database.ts";
import type { Offer } from "../routing/call/offer.ts";
import type { Next } from "../routing/call/run-dial-plan.ts";
import { addTags, newTags } from "../routing/call/tags.ts";
import { release, reserve } from "../routing/call-stats/reservations.ts";
import type { RecordedTrace } from "../routing/decision-trace.ts";
import { triedKey } from "../routing/quotes/quote-context.ts";
import type { CallStep } from "./call-step.ts";
import type { OpenCall } from "./open-call.ts";
import { toMessages } from "./outbox.ts";

export interface Routed {
  readonly call: OpenCall;
  readonly next: Next;
  readonly trace: RecordedTrace;
  readonly db: Queryable;
  readonly now: number;
  readonly config: OrgConfig;
}

/** Menus may lead to each other: a call that is asked so often has no caller who listens. */
const maxTurns = 25;

/**
 * The step that carries out a decision: the call is dialed, asked by a menu, or over; or it stays to be routed, where the
 * destination has no concurrency left, the menu is gone, or buyers are to be asked.
 */
export async function routeStep(routed: Routed): Promise<CallStep> {
  const { call, next } = routed;
  const { outcome } = next;
  const round = call.round + 1;
  if (outcome.kind === "over") return end(routed, call.failure_reason ?? outcome.reason);
  if (outcome.kind === "bids") return routeOn(routed);
  if (outcome.kind === "menu") {
    return call.turns >= maxTurns
      ? end(routed, "menu_limit")
      : gather({ ...routed, call: { ...call, round } }, outcome.ivr_id);
  }
  return dial({ ...routed, call: { ...call, round } }, outcome.offer);
}

const about = ({ call, now }: Routed) => ({
  org_id: call.org_id,
  call_id: call.call_id,
  at: isoTime(now + (call.skew_ms ?? 0)),
});

async function end(routed: Routed, reason: string): Promise<CallStep> {
  const { call, next, trace, db } = routed;
  await release(db, call.call_id);
  const signals: SignalInput[] = [...newTagSignals(routed), { kind: "failed", ...about(routed), reason }];
  // A call that was not answered yet is rejected, not hung up.
  const isAnswered = call.heard || call.dials > 0 || next.say.length > 0;
  return {
    call: {
      ...call,
      state: "ended",
      lease: null,
      dial_plan: [],
      tags: { ...next.tags },
      instruction: { action: isAnswered ? "hangup" : "reject", say: [...next.say], reason },
    },
    messages: toMessages(call, trace, signals),
  };
}

/** Leaves the call to be routed on; what the caller was to hear and what buyers answered is kept. */
function routeOn(routed: Routed): CallStep {
  const { call, next, trace } = routed;
  const say = next.say.map((text) => ({ kind: "say", text }) as const);
  return {
    call: { ...call, dial_plan: [...say, ...next.dial_plan], tags: { ...next.tags } },
    messages: toMessages(call, trace, newTagSignals(routed)),
  };
}

/** A signal with the tags of buyers' answers, where no dial carries them. */
function newTagSignals(routed: Routed): SignalInput[] {
  const tags = newTags(routed.next.tags, routed.call.tags);
  return Object.keys(tags).length === 0 ? [] : [{ kind: "tagged", ...about(routed), tags: { ...tags } }];
}

function gather(routed: Routed, ivrId: string): CallStep {
  const { call, next, trace, config } = routed;
  const menu = config.get("ivr", ivrId);
  // Deleted between the decision and now: the dial plan goes on.
  if (menu === undefined) return routeOn(routed);
  const times = (call.menu?.ivr_id === ivrId ? call.menu.times : 0) + 1;
  const turns = call.turns + 1;
  trace.note("menu.entered", { id: ivrId, name: menu.name, times });
  return {
    call: {
      ...call,
      state: "menu",
      lease: null,
      heard: true,
      menu: { ivr_id: ivrId, times },
      turns,
      dial_plan: [...next.dial_plan],
      tags: { ...next.tags },
      instruction: {
        action: "gather",
        say: [...next.say, menu.greeting],
        turn: turns,
        timeout_seconds: menu.timeout_seconds,
      },
    },
    messages: toMessages(call, trace, newTagSignals(routed)),
  };
}

async function dial(routed: Routed, { quote, destination, dialing, holds, record }: Offer): Promise<CallStep> {
  const { call, next, trace, db, now } = routed;
  const { route_id, kind, id } = quote;
  const reserved = await reserve(db, { orgId: call.org_id, callId: call.call_id, now }, holds);
  if (!reserved.ok) {
    const detail = reserved.full.kind;
    trace.note("route.skipped", { route_id, kind, id, reason: "concurrency_reached", detail });
    if (quote.request_id !== null) {
      trace.amendPing(quote.request_id, (request) => ({ ...request, won: false, reason: "concurrency_reached" }));
    }
    return routeOn(routed);
  }
  const dials = call.dials + 1;
  const tags = addTags(next.tags, dialing.tags);
  const { buyer_terms, publisher_terms } = dialing;
  const { occurred_at: at } = trace.note("dial.started", {
    dial: dials,
    route_id,
    kind,
    id,
    revenue: buyer_terms.revenue,
  });
  const signal: SignalInput = {
    kind: "dialing",
    ...about(routed),
    at,
    ...dialing,
    after_menu: call.turns > 0,
    tags: { ...newTags(tags, call.tags) },
  };
  return {
    call: {
      ...call,
      dial_plan: [...next.dial_plan],
      state: "dialing",
      lease: null,
      heard: call.heard || next.say.length > 0,
      dials,
      dial_heard_at: at,
      tried: [...call.tried, triedKey(quote)],
      tags: { ...tags },
      instruction: {
        action: "dial",
        say: [...next.say],
        dial: dials,
        destination,
        record,
        terms: { buyer_terms, publisher_terms },
      },
    },
    messages: toMessages(call, trace, [signal]),
    holders: holds,
    noted: {
      org_id: call.org_id,
      call_id: call.call_id,
      started_at: call.started_at,
      caller_id: call.caller,
      campaign_id: call.campaign_id,
      publisher_id: call.publisher?.id ?? null,
      target_id: dialing.target?.id ?? null,
      rtb_id: dialing.rtb_id,
      buyer_id: dialing.buyer?.id ?? null,
    },
  };
}
