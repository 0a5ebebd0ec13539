import type { OutboundRtbRequest } from "../../ingest/rtb.ts";
import type { Caller } from "./callers.ts";
import { between, chance, logNormal, pick, pickWeighted, type Random } from "./random.ts";
import type { Scene, SceneCampaign, SceneFormula, SceneItem } from "./scene.ts";

/** A publisher's question before it sends a call; `callId` is the call that came of it. */
export interface Question {
  readonly at: number;
  readonly id: string;
  readonly scene: Scene;
  readonly campaign: SceneCampaign;
  readonly item: SceneItem;
  readonly caller: Caller;
  readonly callId: string | null;
}

/** How long formulas are waited for, in ms. */
const pingTimeoutMs = 1000;
/** Each formula is eligible (hours, caps, filters) for so many of the pings. */
const eligibleShare = 0.9;

export interface Execution {
  readonly formula: SceneFormula;
  readonly id: string;
  readonly outcome: OutboundRtbRequest["outcome"];
  readonly reason: string | null;
  /** 0 without a bid. */
  readonly bid: number;
  readonly seconds: number;
  readonly ms: number;
}

/** `interest` scales how often buyers bid: 0 when nobody wants the call. */
export function askBuyers(random: Random, { id, campaign }: Question, interest: number): Execution[] {
  const asked = campaign.formulas.filter(() => chance(random, eligibleShare));
  return asked.map((formula, index) => {
    const { revenue, condition_seconds } = formula.target.terms;
    const kind = pickWeighted(random, outcomes, ({ weight, outcome }) =>
      outcome === "bid" ? formula.traits.bids * 100 * interest : weight,
    );
    const { outcome, reasons } = kind ?? outcomes[1];
    const ms = logNormal(random, formula.traits.answerMs, 0.45);
    return {
      formula,
      id: `${id}-${index + 1}`,
      outcome,
      reason: pick(random, reasons),
      bid: outcome === "bid" ? Math.round(revenue * between(random, 0.75, 1.3) * 4) / 4 : 0,
      seconds: condition_seconds,
      ms: timeOf(outcome, Math.min(ms, pingTimeoutMs - 5), between(random, 0, 12)),
    };
  });
}

const outcomes = [
  { outcome: "bid", weight: 0, reasons: [null] as Reasons },
  { outcome: "no_bid", weight: 26, reasons: ["no_bid", "no_bid", "not_accepted"] as Reasons },
  { outcome: "timeout", weight: 8, reasons: ["ping_timeout"] as Reasons },
  { outcome: "http_error", weight: 5, reasons: ["ping_http_error", "ping_http_error", "ping_unreachable"] as Reasons },
  { outcome: "parse_error", weight: 2, reasons: ["ping_parse_error"] as Reasons },
  { outcome: "skipped", weight: 2, reasons: ["ping_backoff", "ping_rate_limited"] as Reasons },
] as const;

function timeOf(outcome: Execution["outcome"], answerMs: number, extraMs: number): number {
  if (outcome === "skipped") return 0;
  return toTenths(outcome === "timeout" ? pingTimeoutMs + extraMs : answerMs);
}

/** One of the reasons is drawn; null for none. */
export type Reasons = readonly [string | null, ...(string | null)[]];

export const toTenths = (ms: number): number => Math.round(ms * 10) / 10;
