import type { CallEventName } from "../../ingest/event.ts";

/** How a publisher finds callers; decides which attribution tags its calls bear. */
export type Channel = "search" | "social" | "email" | "display" | "offline" | "broker";

/** When a campaign's callers call. */
export type Rhythm = "office" | "evening" | "always";

export interface DemoPublisher {
  readonly name: string;
  readonly channel: Channel;
  /** Factor on how long its callers stay; 1 is usual. */
  readonly quality: number;
}

export interface DemoTarget {
  readonly name: string;
  readonly buyer: string;
  /** Dollars for a call that is connected for at least `seconds`; 0 seconds: for any connected call. */
  readonly revenue: number;
  readonly seconds: number;
  /** Share of dials that are answered. */
  readonly answers: number;
  readonly sip?: true;
}

export interface DemoCampaign {
  readonly name: string;
  /** Share of the organization's calls, relative to its other campaigns. */
  readonly volume: number;
  /** Growth over the history: 0.5 ends half as large again as it began. */
  readonly growth: number;
  readonly rhythm: Rhythm;
  /** Half of the serious calls last longer. */
  readonly talkSeconds: number;
  /** Seconds in a voice menu before the first dial; 0 without a menu. */
  readonly menuSeconds: number;
  /** States that it is meant for; none: the whole country. */
  readonly states: readonly string[];
  /** What the publisher earns, and after how many connected seconds. */
  readonly payout: number;
  readonly payoutSeconds: number;
  readonly publishers: readonly DemoPlacement[];
  readonly routes: readonly (readonly [target: string, priority: number, weight: number])[];
  /** Names of outgoing webhooks attached to it. */
  readonly webhooks: readonly string[];
  readonly tags: CampaignTags;
}

/** A publisher on a campaign, with the tracking number that it was given. */
export interface DemoPlacement {
  readonly publisher: string;
  readonly share: number;
  readonly areaCode: string;
  /** Paid this share of the revenue instead of the campaign's payout. */
  readonly percentage?: number;
  /** Asks by real-time bidding before it sends a call. */
  readonly asksFirst?: true;
}

export interface CampaignTags {
  readonly keywords: readonly [string, ...string[]];
  readonly leadTypes: readonly [string, ...string[]];
  readonly languages: readonly [string, ...string[]];
  readonly ageBands: readonly [string, ...string[]];
}

/** A buyer's bidding address, for one of its targets. */
export interface DemoFormula {
  readonly name: string;
  readonly target: string;
  readonly campaigns: readonly string[];
  /** Share of its answers that are bids, and the usual time to answer. */
  readonly bids: number;
  readonly answerMs: number;
}

export interface DemoWebhook {
  readonly name: string;
  readonly event: CallEventName;
  /** Path at the receiver. */
  readonly path: string;
  readonly method?: "GET" | "PUT";
}

/** An invented organization as it behaves; `world.ts` makes its config of it. */
export interface Company {
  readonly name: string;
  readonly timezone: string;
  /** Share of all calls, relative to the other companies. */
  readonly size: number;
  readonly publishers: readonly DemoPublisher[];
  readonly buyers: readonly string[];
  readonly targets: readonly DemoTarget[];
  readonly campaigns: readonly DemoCampaign[];
  readonly formulas: readonly DemoFormula[];
  readonly webhooks: readonly DemoWebhook[];
}
