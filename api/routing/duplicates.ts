import type { Resource } from "../config/registry.ts";
import type { EarlierCall, Holder } from "./call-stats.ts";

/** The fields of a target or an RTB formula that say what a duplicate is, and what becomes of it. */
export type DuplicateRules = Pick<
  Resource<"target">,
  | "consider_duplicate"
  | "consider_duplicate_on"
  | "consider_duplicate_length"
  | "consider_duplicate_interval"
  | "conversion_scope"
  | "duplicate_conversion_action"
>;
export type CampaignDuplicateRules = Pick<
  Resource<"campaign">,
  | "conversion_scope"
  | "preconverted_caller"
  | "preconverted_destination"
  | "preconverted_publisher"
  | "preconverted_campaign"
>;

/** The call that is judged, on its way to one destination. */
export interface DuplicateQuestion {
  /** Id of the call, so that it is not taken for an earlier one; undefined for a ping. */
  readonly call_id?: string | undefined;
  readonly destination: Holder;
  readonly buyer_id: string | null;
  readonly publisher_id: string | null;
  readonly campaign_id: string | null;
  /** Calls of the same caller in any order; none for an anonymous one, who is never a duplicate. */
  readonly earlier: readonly EarlierCall[];
  readonly now: number;
}

/** Effect of an earlier call of the same caller on this one. */
export interface DuplicateVerdict {
  /** The destination takes no duplicates. */
  readonly declined: boolean;
  /** True if the publisher may be paid; true if the buyer may owe. */
  readonly payable: boolean;
  readonly receivable: boolean;
  /** The newest earlier call that made it a duplicate; null when it is none. */
  readonly duplicate_of: string | null;
}

/** Window of preconverted callers, and of duplicates in a campaign's scope. */
const defaultDays = 30;
const dayMs = 86_400_000;

/** Applies the rules of the destination and of the campaign, each of which may take away payout or revenue. */
export function judgeDuplicate(
  rules: DuplicateRules,
  campaign: CampaignDuplicateRules | undefined,
  question: DuplicateQuestion,
): DuplicateVerdict {
  const own = findDuplicate(rules, question);
  const unpaid = campaign ? [findInCampaign(campaign, question), findPreconverted(campaign, question)] : [];
  const action = own === null ? null : rules.duplicate_conversion_action;
  return {
    declined: action === "decline",
    payable: unpaid.every((call) => call === null) && action !== "route_no_pay" && action !== "route_no_revenue_no_pay",
    receivable: action !== "route_no_revenue" && action !== "route_no_revenue_no_pay",
    duplicate_of: newest([own, ...unpaid].filter((call) => call !== null))?.call_id ?? null,
  };
}

/** The newest earlier call that makes this one a duplicate for its destination. */
export function findDuplicate(rules: DuplicateRules, question: DuplicateQuestion): EarlierCall | null {
  if (!rules.consider_duplicate) return null;
  const scope = toShared(rules.conversion_scope);
  // The caller alone would be a duplicate wherever it had called: a destination's rules are about itself.
  const shared: readonly Shared[] = scope.length > 0 ? scope : ["destination"];
  const days = rules.consider_duplicate_interval;
  return findNewest(question, { shared, days, counts: (call) => isConsidered(rules, call) });
}

/**
 * A campaign's scope says that its publisher is paid once for a caller who got through; 0 switches it off. It has no
 * other duplicate fields, so their defaults hold.
 */
function findInCampaign({ conversion_scope }: CampaignDuplicateRules, question: DuplicateQuestion): EarlierCall | null {
  if (isOff(conversion_scope)) return null;
  return findNewest(question, { shared: toShared(conversion_scope), days: defaultDays, counts: hasConnected });
}

/** The newest call that converted and shares what any of the campaign's flags names; its caller it shares anyway. */
export function findPreconverted(campaign: CampaignDuplicateRules, question: DuplicateQuestion): EarlierCall | null {
  const shared: Shared[] = [];
  if (campaign.preconverted_destination) shared.push("destination");
  if (campaign.preconverted_publisher) shared.push("publisher");
  if (campaign.preconverted_campaign) shared.push("campaign");
  if (shared.length === 0 && !campaign.preconverted_caller) return null;
  return findNewest(question, { shared, days: defaultDays, counts: (call) => call.converted });
}

interface Wanted {
  readonly shared: readonly Shared[];
  readonly days: number;
  counts(call: EarlierCall): boolean;
}

/** Finds the newest earlier call from the beginning of the window, inclusive, up to this call. */
function findNewest(question: DuplicateQuestion, { shared, days, counts }: Wanted): EarlierCall | null {
  const from = question.now - days * dayMs;
  const isBefore = ({ at, call_id }: EarlierCall) => from <= at && at < question.now && call_id !== question.call_id;
  const sharesAll = (call: EarlierCall) => shared.every((each) => shares(each, call, question));
  return newest(question.earlier.filter((call) => isBefore(call) && counts(call) && sharesAll(call)));
}

const newest = (calls: readonly EarlierCall[]): EarlierCall | null =>
  calls.reduce<EarlierCall | null>((best, call) => (best === null || call.at > best.at ? call : best), null);

/** A field that is unknown in either call is not shared. */
function shares(what: Shared, call: EarlierCall, question: DuplicateQuestion): boolean {
  switch (what) {
    case "destination":
      return (question.destination.kind === "target" ? call.target_id : call.rtb_id) === question.destination.id;
    case "publisher":
      return call.publisher_id !== null && call.publisher_id === question.publisher_id;
    case "campaign":
      return call.campaign_id !== null && call.campaign_id === question.campaign_id;
    case "buyer":
      return call.buyer_id !== null && call.buyer_id === question.buyer_id;
  }
}

const isInProgress = ({ status }: EarlierCall): boolean => status === "incoming" || status === "connected";
const hasConnected = (call: EarlierCall): boolean => isInProgress(call) || call.status === "completed";

/** Returns true if an earlier call is of the kind that the rules consider; an unknown kind means connected calls. */
function isConsidered(rules: DuplicateRules, call: EarlierCall): boolean {
  const length = rules.consider_duplicate_length ?? 0;
  switch (rules.consider_duplicate_on?.trim().toLowerCase()) {
    case "incoming":
      return true;
    case "length":
    case "call_length_connected":
      return call.connected_seconds !== null && call.connected_seconds >= length;
    case "call_length_incoming":
      return call.whole_seconds !== null && call.whole_seconds >= length;
    case "converted":
    case "call_converted":
      return call.converted;
    default:
      return hasConnected(call);
  }
}

/**
 * Fields that an earlier call must share with this one, beside its caller, to make it a duplicate. The
 * specification says of `conversion_scope` no more than that it is an integer: here it is a sum of 1 for the caller,
 * which is always shared, 2 for the destination, 4 for the publisher, 8 for the campaign and 16 for the buyer. So 10 is
 * this destination in this campaign, and 24 any destination of this buyer in this campaign.
 */
const bits = { destination: 2, publisher: 4, campaign: 8, buyer: 16 } as const;
export type Shared = keyof typeof bits;

/** Bits from 32 on mean nothing yet, and are left out by the remainder; numbers may be too large for operators on bits. */
const meaningful = 32;

/** Fields that a scope asks to be shared; none where it names the caller alone, or nobody. */
export function toShared(scope: number): readonly Shared[] {
  const known = scope % meaningful;
  return (Object.keys(bits) as Shared[]).filter((shared) => (known & bits[shared]) !== 0);
}

/** Returns true for a scope without a known bit. */
export const isOff = (scope: number): boolean => scope % meaningful === 0;
