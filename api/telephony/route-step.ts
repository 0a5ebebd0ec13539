import { isoTime } from "../../ingest/clock.ts";
import type { SignalInput } from "../../ingest/signal.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Queryable } from "../database/database.ts";
import type { Next } from "../routing/call/next.ts";
import type { Offer } from "../routing/call/offer.ts";
import { addTags, newTags } from "../routing/call/tags.ts";
import type { Holder } from "../routing/facts.ts";
import type { NotedCall } from "../routing/figures/call-figures.ts";
import { release, reserve } from "../routing/figures/reservations.ts";
import type { KeptJournal } from "../routing/journal.ts";
import { triedKey } from "../routing/quotes/asking.ts";
import type { CallStep } from "./call-steps.ts";
import type { OpenCall } from "./open-call.ts";
import { toTold } from "./told.ts";

export interface Routed {
  readonly call: OpenCall;
  readonly next: Next;
  readonly journal: KeptJournal;
  readonly db: Queryable;
  readonly now: number;
  readonly config: OrgConfig;
}
export interface RouteStep extends CallStep {
  readonly holders?: readonly Holder[];
  readonly noted?: NotedCall;
}

/** Menus may lead to each other; whoever is asked so often is talking to no caller. */
const maxTurns = 25;

/** The call as a decision leaves it: dialing, asked by a menu, over, or where its place was taken, to be routed on. */
export async function routeStep(routed: Routed): Promise<RouteStep> {
  const { call, next } = routed;
  const { outcome } = next;
  const round = call.round + 1;
  if (outcome.kind === "over") return end(routed, call.failure_reason ?? outcome.reason);
  if (outcome.kind === "menu") {
    return call.turns >= maxTurns
      ? end(routed, "menu_limit")
      : ask({ ...routed, call: { ...call, round } }, outcome.ivr_id);
  }
  return dial({ ...routed, call: { ...call, round } }, outcome.offer);
}

const about = ({ call, now }: Routed) => ({
  org_id: call.org_id,
  call_id: call.call_id,
  at: isoTime(now + (call.skew_ms ?? 0)),
});

async function end(routed: Routed, reason: string): Promise<RouteStep> {
  const { call, next, journal, db } = routed;
  await release(db, call.call_id);
  const signals: SignalInput[] = [...gained(routed), { kind: "failed", ...about(routed), reason }];
  // A caller who has heard nothing of ours yet is not hung up but turned away.
  const isAnswered = call.heard || call.dials > 0 || next.say.length > 0;
  return {
    call: {
      ...call,
      state: "ended",
      lease: null,
      agenda: [],
      tags: { ...next.tags },
      instruction: { action: isAnswered ? "hangup" : "reject", say: [...next.say], reason },
    },
    tell: toTold(call, journal, signals),
  };
}

/** Where the decision comes to nothing after all: what the caller was to hear and what buyers told is kept. */
function goOn(routed: Routed): RouteStep {
  const { call, next, journal } = routed;
  const say = next.say.map((text) => ({ kind: "say", text }) as const);
  return {
    call: { ...call, agenda: [...say, ...next.agenda], tags: { ...next.tags } },
    tell: toTold(call, journal, gained(routed)),
  };
}

/** Tags that buyers' answers have brought, told by themselves where no dial tells them. */
function gained(routed: Routed): SignalInput[] {
  const tags = newTags(routed.next.tags, routed.call.tags);
  return Object.keys(tags).length === 0 ? [] : [{ kind: "tagged", ...about(routed), tags: { ...tags } }];
}

function ask(routed: Routed, ivrId: string): RouteStep {
  const { call, next, journal, config } = routed;
  const menu = config.get("ivr", ivrId);
  // Deleted between the decision and now: the agenda goes on.
  if (menu === undefined) return goOn(routed);
  const times = (call.menu?.ivr_id === ivrId ? call.menu.times : 0) + 1;
  const turns = call.turns + 1;
  journal.note("menu.entered", { id: ivrId, name: menu.name, times });
  return {
    call: {
      ...call,
      state: "menu",
      lease: null,
      heard: true,
      menu: { ivr_id: ivrId, times },
      turns,
      agenda: [...next.agenda],
      tags: { ...next.tags },
      instruction: {
        action: "gather",
        say: [...next.say, menu.greeting],
        turn: turns,
        timeout_seconds: menu.timeout_seconds,
      },
    },
    tell: toTold(call, journal, gained(routed)),
  };
}

async function dial(routed: Routed, { quote, destination, dialing, holds, record }: Offer): Promise<RouteStep> {
  const { call, next, journal, db, now } = routed;
  const { route_id, kind, id } = quote;
  const reserved = await reserve(db, { orgId: call.org_id, callId: call.call_id, now }, holds);
  if (!reserved.ok) {
    const detail = reserved.full.kind;
    journal.note("route.skipped", { route_id, kind, id, reason: "concurrency_reached", detail });
    if (quote.request_id !== null) {
      journal.amend(quote.request_id, (request) => ({ ...request, won: false, reason: "concurrency_reached" }));
    }
    return goOn(routed);
  }
  const dials = call.dials + 1;
  const tags = addTags(next.tags, dialing.tags);
  const { buyer_terms, publisher_terms } = dialing;
  const { occurred_at: at } = journal.note("dial.started", {
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
      agenda: [...next.agenda],
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
    tell: toTold(call, journal, [signal]),
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
