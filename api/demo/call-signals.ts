import { isoTime } from "../../ingest/clock.ts";
import type { CallId } from "../../ingest/primitives.ts";
import type { Signal } from "../../ingest/signal.ts";
import type { Caller } from "./callers.ts";
import type { WonBid } from "./pings.ts";
import { between, chance, exponential, logNormal, pickWeighted, type Random } from "./random.ts";
import type { Start } from "./rhythm.ts";
import type { SceneItem, SceneRoute } from "./scene.ts";

/** All that is settled about a call before it is routed. */
export interface Opening extends Start {
  readonly callId: CallId;
  readonly item: SceneItem;
  readonly caller: Caller;
  readonly repeat: boolean;
  readonly duplicateOf: string | null;
  readonly tags: Record<string, string>;
  readonly inboundRequestId: string | null;
  readonly won: WonBid | null;
  /** The call has ended by then, in ms. */
  readonly endBefore: number;
}

/** What is written down, and the moment the next thing happens, in ms. */
interface Telling {
  readonly opening: Opening;
  readonly signals: Signal[];
  at: number;
}

const maxAttempts = 3;
/** Connection timeout of the demo's targets, in ms. */
const ringTimeoutMs = 25_000;
const menuAbandonShare = 0.05;
const ringAbandonShare = 0.035;
const longestTalkSeconds = 5400;

/** Everything a switch says about one call, in order; the last signal ends it. */
export function signalsOfCall(random: Random, opening: Opening): Signal[] {
  const telling: Telling = { opening, signals: [incoming(opening)], at: opening.at };
  const { menuSeconds } = opening.campaign.traits;
  if (chance(random, 0.004)) return fail(telling, between(random, 120, 600), "tcpa_blocked");
  if (menuSeconds > 0 && chance(random, menuAbandonShare)) {
    return hangUp(telling, between(random, 0.2, 1) * menuSeconds * 1000, "caller");
  }
  telling.at += menuSeconds * between(random, 700, 1400) + between(random, 200, 800);
  if (chance(random, closedShare(opening))) return fail(telling, between(random, 20, 80), "no_eligible_route");
  return dialInTurn(random, telling);
}

/** At night the desks of campaigns with office hours are mostly closed. */
function closedShare({ campaign, localHour }: Opening): number {
  if (campaign.traits.rhythm === "always") return 0.008;
  return localHour < 8 || localHour >= 21 ? 0.35 : 0.012;
}

function dialInTurn(random: Random, telling: Telling): Signal[] {
  let reason = "no_answer";
  for (const [index, route] of orderRoutes(random, telling.opening).slice(0, maxAttempts).entries()) {
    say(telling, dialing(telling, route, index === 0));
    const answerMs = 1500 + Math.min(exponential(random, 5500), ringTimeoutMs - 2000);
    if (chance(random, ringAbandonShare)) return hangUp(telling, answerMs * between(random, 0.4, 1.6), "caller");
    // What keeps one desk from answering, a rush or bad lines, keeps the next one from it too.
    if (chance(random, route.target.answers * (index === 0 ? 0.94 : 0.7))) return talk(random, telling, answerMs);
    const failure = pickWeighted(random, dialFailures, ({ weight }) => weight) ?? dialFailures[0];
    reason = failure.reason;
    telling.at += failure.reason === "no_answer" ? ringTimeoutMs : between(random, 300, 2200);
    say(telling, { kind: "dial_failed", ...about(telling), reason });
    telling.at += between(random, 60, 250);
  }
  return fail(telling, 0, reason);
}

const dialFailures = [
  { reason: "no_answer", weight: 50 },
  { reason: "busy", weight: 32 },
  { reason: "failed", weight: 18 },
] as const;

function talk(random: Random, telling: Telling, answerMs: number): Signal[] {
  telling.at += answerMs;
  say(telling, { kind: "answered", ...about(telling) });
  const { campaign, item, repeat, endBefore } = telling.opening;
  const quality = item.publisher.quality * (repeat ? 0.7 : 1);
  // Wrong numbers and second thoughts end within seconds; poorer advertising brings more of them.
  const serious = !chance(random, Math.min(0.21 / quality, 0.5));
  const seconds = serious
    ? logNormal(random, campaign.traits.talkSeconds * quality ** 0.6, 0.8)
    : 2 + exponential(random, 13);
  const left = endBefore - telling.at;
  const talkMs = Math.min(Math.min(seconds, longestTalkSeconds) * 1000, left);
  return hangUp(telling, talkMs, chance(random, 0.64) ? "caller" : "target");
}

/** The destination of a won bid first; then priority, and by weight within one priority (semantics 8.5). */
function orderRoutes(random: Random, { campaign, won }: Opening): SceneRoute[] {
  const rest = campaign.routes.filter(({ target }) => target !== won?.formula.target);
  const ordered: SceneRoute[] = won === null ? [] : [{ id: null, priority: 0, weight: 1, target: won.formula.target }];
  while (rest.length > 0) {
    const priority = Math.min(...rest.map((route) => route.priority));
    const next = pickWeighted(random, rest, (route) => (route.priority === priority ? route.weight : 0));
    if (next === undefined) break;
    ordered.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
  return ordered;
}

function incoming(opening: Opening): Signal {
  const { campaign, item, caller } = opening;
  return {
    kind: "incoming",
    v: 1,
    org_id: opening.scene.orgId,
    call_id: opening.callId,
    at: isoTime(opening.at),
    call_sid: `CA${opening.callId.replaceAll("-", "")}`,
    from: caller.number,
    to: item.number,
    number_id: item.numberId,
    campaign: { id: campaign.id, name: campaign.name },
    publisher: { id: item.publisher.id, name: item.publisher.name },
    publisher_terms: item.terms,
    caller_state: caller.state,
    caller_zip: caller.zip,
    inbound_request_id: opening.inboundRequestId,
    is_duplicate: opening.duplicateOf !== null,
    duplicate_of: opening.duplicateOf,
    repeat_caller: opening.repeat,
    tcpa_result: null,
    tags: opening.tags,
    webhook_ids: [],
    recording_access: true,
  };
}

/** A won bid is what the buyer pays; any other dial is made on the terms of the target's config. */
function dialing(telling: Telling, { target }: SceneRoute, first: boolean): Signal {
  const won = first ? telling.opening.won : null;
  return {
    kind: "dialing",
    ...about(telling),
    target: { id: target.id, name: target.name, type: target.type },
    buyer: target.buyer,
    rtb_id: won?.formula.id ?? null,
    rtb_group_id: null,
    buyer_terms:
      won === null
        ? target.terms
        : { revenue: won.bid, condition: "call_length_connected", condition_seconds: won.seconds },
    publisher_terms: null,
    payable: true,
    receivable: true,
    duplicate_of: null,
    tags: {},
    webhook_ids: [],
    after_menu: false,
    recording_access: true,
  };
}

function fail(telling: Telling, afterMs: number, reason: string): Signal[] {
  telling.at += afterMs;
  say(telling, { kind: "failed", ...about(telling), reason });
  return telling.signals;
}

function hangUp(telling: Telling, afterMs: number, by: "caller" | "target"): Signal[] {
  telling.at += afterMs;
  say(telling, { kind: "hung_up", ...about(telling), by });
  return telling.signals;
}

const say = ({ signals }: Telling, signal: Signal): number => signals.push(signal);

const about = ({ opening, at }: Telling) => ({
  v: 1 as const,
  org_id: opening.scene.orgId,
  call_id: opening.callId,
  at: isoTime(Math.floor(at)),
});
