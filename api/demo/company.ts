import type { CallEventName } from "../../ingest/event.ts";

/** The channel on which a publisher finds callers; it decides which attribution tags its calls have. */
export type Channel = "search" | "social" | "email" | "display" | "offline" | "broker";

/** The hours and days at which a campaign's callers call. */
export type Rhythm = "office" | "evening" | "always";

export interface CompanyPublisher {
  readonly name: string;
  readonly channel: Channel;
  /** Factor on how long its callers stay; 1 is usual. */
  readonly quality: number;
}

export interface CompanyTarget {
  readonly name: string;
  readonly buyer: string;
  /** Dollars for a call that is connected for at least `seconds`; 0 seconds: for any connected call. */
  readonly revenue: number;
  readonly seconds: number;
  /** Share of dials that are answered. */
  readonly answers: number;
  readonly sip?: true;
}

export interface CompanyCampaign {
  readonly name: string;
  readonly traffic: Traffic;
  /** States that it is meant for; none: the whole country. */
  readonly states: readonly string[];
  /** The publisher's payout, and the connected seconds that it takes. */
  readonly payout: { readonly dollars: number; readonly seconds: number };
  readonly publishers: readonly CompanyPlacement[];
  readonly routes: readonly (readonly [target: string, priority: number, weight: number])[];
  /** Names of the formulas that bid for its calls. */
  readonly bidders?: readonly string[];
  /** Names of outgoing webhooks attached to it. */
  readonly webhooks: readonly string[];
  readonly tags: CampaignTags;
}

export interface Traffic {
  /** Share of the organization's calls, relative to its other campaigns. */
  readonly volume: number;
  /** Growth over the history: 0.5 ends half as large again as it began. */
  readonly growth: number;
  readonly rhythm: Rhythm;
  /** Half of the serious calls last longer. */
  readonly talkSeconds: number;
  /** Seconds in a voice menu before the first dial; 0 without a menu. */
  readonly menuSeconds: number;
}

/** A publisher on a campaign, with the area code of its tracking number. */
export interface CompanyPlacement {
  readonly publisher: string;
  readonly share: number;
  readonly areaCode: string;
  /** Paid this share of the revenue instead of the campaign's payout. */
  readonly percentage?: number;
  /** Pings before it sends a call. */
  readonly asksFirst?: true;
}

export interface CampaignTags {
  readonly keywords: readonly [string, ...string[]];
  readonly leadTypes: readonly [string, ...string[]];
  readonly languages: readonly [string, ...string[]];
  readonly ageBands: readonly [string, ...string[]];
}

/** A buyer's bidding address, for one of its targets. */
export interface CompanyFormula {
  readonly name: string;
  readonly target: string;
  /** Share of its answers that are bids, and the usual time to answer. */
  readonly bids: number;
  readonly answerMs: number;
}

export interface CompanyWebhook {
  readonly name: string;
  readonly event: CallEventName;
  /** Path at the receiver. */
  readonly path: string;
  readonly method?: "GET" | "PUT";
}

/** The data of one invented company; things refer to each other by name. `organization.ts` makes an organization of it. */
export interface Company {
  readonly name: string;
  readonly timezone: string;
  /** Share of all calls, relative to the other companies. */
  readonly size: number;
  /** Area code of its targets' numbers; no other company has it. */
  readonly tollFreeCode: string;
  /** Place of its first number pool among the pools of all companies, of which it may have twelve. */
  readonly firstPool: number;
  readonly publishers: readonly CompanyPublisher[];
  readonly buyers: readonly string[];
  readonly targets: readonly CompanyTarget[];
  readonly campaigns: readonly CompanyCampaign[];
  readonly formulas: readonly CompanyFormula[];
  readonly webhooks: readonly CompanyWebhook[];
}
