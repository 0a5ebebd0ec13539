import { isoTime } from "../../ingest/clock.ts";
import type { CallId } from "../../ingest/primitives.ts";
import type { Signal } from "../../ingest/signal.ts";
import type { Arrival } from "./arrivals.ts";
import type { Caller } from "./callers.ts";
import type { WonBid } from "./inbound-pings.ts";
import type { NumberItem, Route } from "./organization.ts";
import { between, chance, exponential, logNormal, pickWeighted, type Random } from "./random.ts";

/** All that is settled about a call before it is routed. */
export interface CallOpening extends Arrival {
  readonly callId: CallId;
  readonly item: NumberItem;
  readonly caller: Caller;
  readonly repeat: boolean;
  readonly duplicateOf: string | null;
  readonly tags: Record<string, string>;
  readonly inboundRequestId: string | null;
  readonly won: WonBid | null;
  /** The call has ended by then, in ms. */
  readonly endBefore: number;
}

/** The signals of a call so far, and the time of the next one, in ms. */
interface Recording {
  readonly opening: CallOpening;
  readonly signals: Signal[];
  at: number;
}

const maxAttempts = 3;
/** Connection timeout of the demo's targets, in ms. */
const ringTimeoutMs = 25_000;
const menuAbandonShare = 0.05;
const ringAbandonShare = 0.035;
const longestTalkSeconds = 5400;

/** All signals that a switch sends for one call, in order; the last one ends it. */
export function signalsOfCall(random: Random, opening: CallOpening): Signal[] {
  const recording: Recording = { opening, signals: [incoming(opening)], at: opening.at };
  const { menuSeconds } = opening.campaign.traffic;
  if (chance(random, 0.004)) return fail(recording, between(random, 120, 600), "tcpa_blocked");
  if (menuSeconds > 0 && chance(random, menuAbandonShare)) {
    return hangUp(recording, between(random, 0.2, 1) * menuSeconds * 1000, "caller");
  }
  recording.at += menuSeconds * between(random, 700, 1400) + between(random, 200, 800);
  if (chance(random, closedShare(opening))) return fail(recording, between(random, 20, 80), "no_eligible_route");
  return dialInTurn(random, recording);
}

/** At night the desks of campaigns with office hours are mostly closed. */
function closedShare({ campaign, localHour }: CallOpening): number {
  if (campaign.traffic.rhythm === "always") return 0.008;
  return localHour < 8 || localHour >= 21 ? 0.35 : 0.012;
}

function dialInTurn(random: Random, recording: Recording): Signal[] {
  let reason = "no_answer";
  for (const [index, route] of orderRoutes(random, recording.opening).slice(0, maxAttempts).entries()) {
    record(recording, dialing(recording, route, index === 0));
    const answerMs = 1500 + Math.min(exponential(random, 5500), ringTimeoutMs - 2000);
    if (chance(random, ringAbandonShare)) return hangUp(recording, answerMs * between(random, 0.4, 1.6), "caller");
    // A rush or bad lines that keep one desk from answering keep the next one from it, too.
    if (chance(random, route.target.answers * (index === 0 ? 0.94 : 0.7))) return talk(random, recording, answerMs);
    const failure = pickWeighted(random, dialFailures, ({ weight }) => weight) ?? dialFailures[0];
    reason = failure.reason;
    recording.at += failure.reason === "no_answer" ? ringTimeoutMs : between(random, 300, 2200);
    record(recording, { kind: "dial_failed", ...about(recording), reason });
    recording.at += between(random, 60, 250);
  }
  return fail(recording, 0, reason);
}

const dialFailures = [
  { reason: "no_answer", weight: 50 },
  { reason: "busy", weight: 32 },
  { reason: "failed", weight: 18 },
] as const;

function talk(random: Random, recording: Recording, answerMs: number): Signal[] {
  recording.at += answerMs;
  record(recording, { kind: "answered", ...about(recording) });
  const { campaign, item, repeat, endBefore } = recording.opening;
  const quality = item.publisher.quality * (repeat ? 0.7 : 1);
  // Wrong numbers and second thoughts end within seconds; poorer advertising brings more of them.
  const serious = !chance(random, Math.min(0.21 / quality, 0.5));
  const seconds = serious
    ? logNormal(random, campaign.traffic.talkSeconds * quality ** 0.6, 0.8)
    : 2 + exponential(random, 13);
  const left = endBefore - recording.at;
  const talkMs = Math.min(Math.min(seconds, longestTalkSeconds) * 1000, left);
  return hangUp(recording, talkMs, chance(random, 0.64) ? "caller" : "target");
}

/** The destination of a won bid first; then priority, and by weight within one priority. */
function orderRoutes(random: Random, { campaign, won }: CallOpening): Route[] {
  const rest = campaign.routes.filter(({ target }) => target !== won?.formula.target);
  const ordered: Route[] = won === null ? [] : [{ id: null, priority: 0, weight: 1, target: won.formula.target }];
  while (rest.length > 0) {
    const priority = Math.min(...rest.map((route) => route.priority));
    const next = pickWeighted(random, rest, (route) => (route.priority === priority ? route.weight : 0));
    if (next === undefined) break;
    ordered.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
  return ordered;
}

function incoming(opening: CallOpening): Signal {
  const { campaign, item, caller } = opening;
  return {
    kind: "incoming",
    v: 1,
    org_id: opening.organization.org_id,
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
function dialing(recording: Recording, { target }: Route, first: boolean): Signal {
  const won = first ? recording.opening.won : null;
  return {
    kind: "dialing",
    ...about(recording),
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

function fail(recording: Recording, afterMs: number, reason: string): Signal[] {
  recording.at += afterMs;
  record(recording, { kind: "failed", ...about(recording), reason });
  return recording.signals;
}

function hangUp(recording: Recording, afterMs: number, by: "caller" | "target"): Signal[] {
  recording.at += afterMs;
  record(recording, { kind: "hung_up", ...about(recording), by });
  return recording.signals;
}

const record = ({ signals }: Recording, signal: Signal): number => signals.push(signal);

const about = ({ opening, at }: Recording) => ({
  v: 1 as const,
  org_id: opening.organization.org_id,
  call_id: opening.callId,
  at: isoTime(Math.floor(at)),
});
