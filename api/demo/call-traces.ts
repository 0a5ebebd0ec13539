import { isoTime } from "../../ingest/clock.ts";
import type { Signal } from "../../ingest/signal.ts";
import type { TraceLine } from "../../ingest/trace.ts";
import type { Campaign } from "./organization.ts";

/** A phone rings a second after it was dialed; one that is busy or broken does not. */
const ringsAfterMs = 1000;
const silent = ["busy", "failed"];

/** Returns the lines that routing writes of a call on its way, from the signals that it led to. */
export function traceLinesOf(campaign: Campaign, signals: readonly Signal[]): TraceLine[] {
  let dial = 0;
  return signals.flatMap((signal, index): TraceLine[] => {
    switch (signal.kind) {
      case "incoming":
        return entryLines(campaign, signal, signals[1]);
      case "dialing": {
        dial += 1;
        return dialLines(campaign, { signal, dial, next: signals[index + 1] });
      }
      case "dial_failed":
        return [{ occurred_at: signal.at, event: "dial.failed", detail: { dial, status: signal.reason } }];
      case "failed":
        return signal.reason === "no_eligible_route" ? closedLines(campaign, signal.at) : [];
      default:
        return [];
    }
  });
}

function entryLines(
  { planId, name }: Campaign,
  { at, inbound_request_id }: Signal & { kind: "incoming" },
  next: Signal | undefined,
): TraceLine[] {
  const matched: TraceLine[] =
    inbound_request_id === null || inbound_request_id === undefined
      ? []
      : [{ occurred_at: at, event: "allocation.matched", detail: { inbound_request_id } }];
  if (next?.kind === "failed" && next.reason === "tcpa_blocked")
    return [...matched, { occurred_at: next.at, event: "tcpa.checked", detail: { result: next.reason } }];
  return [...matched, { occurred_at: at, event: "plan.selected", detail: { id: planId, name: `${name} plan` } }];
}

interface Dial {
  readonly signal: Signal & { kind: "dialing" };
  readonly dial: number;
  readonly next: Signal | undefined;
}

function dialLines({ routes }: Campaign, { signal, dial, next }: Dial): TraceLine[] {
  const { at, target, rtb_id, buyer_terms } = signal;
  const bid = rtb_id ?? null;
  const id = bid ?? target?.id ?? null;
  const route_id = bid === null ? (routes.find((route) => route.target.id === id)?.id ?? null) : null;
  const kind = bid === null ? "target" : "rtb_formula";
  const { revenue } = buyer_terms;
  const started: TraceLine = { occurred_at: at, event: "dial.started", detail: { dial, route_id, kind, id, revenue } };
  const ringsAt = Date.parse(at) + ringsAfterMs;
  const isHeard = next !== undefined && Date.parse(next.at) > ringsAt;
  const rings = isHeard && !(next.kind === "dial_failed" && silent.includes(next.reason));
  return rings ? [started, { occurred_at: isoTime(ringsAt), event: "dial.ringing", detail: { dial } }] : [started];
}

/** At night the desks are closed, so every route is left out. */
const closedLines = ({ routes }: Campaign, at: string): TraceLine[] =>
  routes.map(({ id: route_id, target: { id } }) => ({
    occurred_at: at,
    event: "route.skipped",
    detail: { route_id, kind: "target", id, reason: "closed", detail: null, bid: null },
  }));
