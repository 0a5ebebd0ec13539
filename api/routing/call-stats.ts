import type { Call } from "../../ingest/call.ts";

/** Kinds of resources that have limits and counters. */
export type HolderKind = "target" | "rtb_formula" | "buyer" | "campaign" | "publisher";
export interface Holder {
  readonly kind: HolderKind;
  readonly id: string;
}

/** Measures of caps: calls begun, connected or converted, and dollars. */
export const measures = ["calls", "connected", "converted", "revenue", "payout"] as const;
export type Measure = (typeof measures)[number];

/** A call of the same caller, as much of it as duplicates are judged by. */
export interface EarlierCall {
  readonly call_id: string;
  /** When it came in, milliseconds since 1970. */
  readonly at: number;
  readonly status: Call["status"];
  readonly campaign_id: string | null;
  readonly publisher_id: string | null;
  readonly target_id: string | null;
  readonly rtb_id: string | null;
  readonly buyer_id: string | null;
  /** Whole seconds, cut off; null while the call goes on, and `connected_seconds` where nobody answered, too. */
  readonly whole_seconds: number | null;
  readonly connected_seconds: number | null;
  readonly converted: boolean;
}

/** Performance of a destination: calls dialed there, those of them that the buyer owes for, and dollars. */
export interface Performance {
  readonly attempts: number;
  readonly conversions: number;
  readonly revenue: number;
}

/**
 * Counters of one organization's calls as routing decisions use them, in memory: a decision waits for no store. Times are
 * milliseconds since 1970; what began at `sinceMs` itself counts.
 */
export interface CallStats {
  /** Calls from dial start, for a campaign or publisher from the call's start, that have not ended. */
  inUse(holder: Holder): number;
  /** Calls that came in since then, or the dollars that these have made so far. */
  capUse(holder: Holder, measure: Measure, sinceMs: number): number;
  /** When the holder's totals were last set back; 0 when never. */
  totalsSince(holder: Holder): number;
  /** Newest first; the call that is being routed may be among them. */
  earlierCalls(caller: string): readonly EarlierCall[];
  /** Time (ms) since which `earlierCalls` returns every call; infinite while older calls cannot be read. */
  callsKnownSince(): number;
  /** Returns the performance of a target or an RTB formula. */
  performance(holder: Holder, sinceMs: number): Performance;
}

/** Nothing has happened yet: for the first call, and for tests of rules that look at no figures. */
export const noCallStats: CallStats = {
  inUse: () => 0,
  capUse: () => 0,
  totalsSince: () => 0,
  earlierCalls: () => [],
  callsKnownSince: () => Number.NEGATIVE_INFINITY,
  performance: () => ({ attempts: 0, conversions: 0, revenue: 0 }),
};
