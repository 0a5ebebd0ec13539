import type { Clock } from "../../../ingest/clock.ts";
import type { SignalOf } from "../../../ingest/signal.ts";
import type { BuyerTerms, PublisherTerms } from "../../../ingest/terms.ts";
import type { CampaignNumber } from "../../config/org-config-indexes.ts";
import type { Resource } from "../../config/registry.ts";
import type { Hold } from "../call-stats/reservations.ts";
import { concurrencyLimit } from "../caps.ts";
import { type Destination, destinationOf, destinationOfBid } from "../destination.ts";
import type { DuplicateVerdict } from "../duplicates.ts";
import { bidTerms, type PaidDestination, type PayoutSources, publisherTerms } from "../payout.ts";
import { compiledPlanOf } from "../quotes/compiled-plan.ts";
import type { Quote } from "../quotes/quote.ts";
import type { QuoteContext } from "../quotes/quote-context.ts";
import { toPingContext } from "../quotes/quote-context.ts";
import type { ResolvedRoute } from "../route.ts";
import { executeWin, type WinExecution } from "../rtb/execute-win.ts";
import { boundSteps } from "../rtb/ping-record.ts";
import type { PingSender } from "../rtb/pinger.ts";

type Dialing = Omit<SignalOf<"dialing">, "kind" | "v" | "org_id" | "call_id" | "at" | "after_menu">;

/** A destination that is ready to be dialed, on the terms that the call will be settled on. */
export interface Offer {
  readonly quote: Quote;
  readonly destination: Destination;
  readonly dialing: Dialing;
  /** Concurrency that the call takes up. */
  readonly holds: readonly Hold[];
  readonly record: boolean;
}

export interface OfferDeps {
  readonly sender: PingSender;
  readonly clock: Clock;
}

export interface Offering {
  readonly context: QuoteContext;
  readonly item: CampaignNumber["item"];
  /** Aborts when the call is over: then no winner's steps are run. */
  readonly overtaken: AbortSignal;
}

/** Turns a quote into an offer: it must still hold, and the winner's steps of a formula must confirm it. */
export async function offerOf(
  deps: OfferDeps,
  quote: Quote,
  { context, item, overtaken }: Offering,
): Promise<Offer | null> {
  const skip = (reason: string, detail: string | null = null): null => {
    const { route_id, kind, id } = quote;
    context.trace.note("route.skipped", { route_id, kind, id, reason, detail, bid: quote.won?.bid ?? null });
    if (quote.request_id !== null) {
      context.trace.amendPing(quote.request_id, (request) => ({ ...request, won: false, reason }));
    }
    return null;
  };
  const { route, quoteRefusal, duplicateVerdict } = compiledPlanOf(context).destination(quote.kind, quote.id);
  const refusal = quoteRefusal(context);
  if (refusal !== null) return skip(refusal.reason, refusal.detail);
  if (route === null) return skip("destination_missing");
  if (quote.usable_until !== null && deps.clock.now() > quote.usable_until) return skip("bid_expired");
  if (overtaken.aborted) return skip("call_ended");
  const sold = await sell(deps, { quote, route, context });
  if (typeof sold === "string") return skip(sold);
  return { quote, ...toOffer({ quote, route, context, item, verdict: duplicateVerdict(context) }, sold) };
}

export interface Sold {
  readonly destination: Destination;
  readonly buyer_terms: BuyerTerms;
  readonly tags: Readonly<Record<string, string>>;
}
interface Selling {
  readonly quote: Quote;
  readonly route: ResolvedRoute;
  readonly context: QuoteContext;
}

/** Returns the destination and its terms, or the reason why there is none after the winner's steps. */
async function sell(deps: OfferDeps, { quote, route, context }: Selling): Promise<Sold | string> {
  const { destination } = route;
  if (destination.kind === "target") {
    const line = destinationOf(destination.doc);
    return line === null ? "destination_missing" : { destination: line, buyer_terms: quote.buyer_terms, tags: {} };
  }
  if (quote.won === null) return "no_bid";
  const formula = destination.doc;
  const win = await executeWin(formula, toPingContext(context), {
    won: quote.won,
    minimumBid: quote.minimum_bid,
    ...deps,
  });
  tellWin(win, quote, context);
  if (win.kind === "refused") return win.reason;
  return {
    destination: destinationOfBid(formula.id, win.phone_number),
    buyer_terms: bidTerms(win.bid, win.duration),
    tags: { ...quote.won.tags, ...win.tags },
  };
}

/** Adds a win to the timeline, and to the record of the bid where it has not been published yet. */
function tellWin(win: WinExecution, { id, request_id }: Quote, { trace }: QuoteContext): void {
  const won = win.kind === "won";
  if (request_id !== null) {
    trace.amendPing(request_id, (request) => ({
      ...request,
      won,
      effective_bid: won ? win.bid : null,
      reason: won ? null : win.reason,
      steps: boundSteps([...request.steps, ...win.steps]),
      steps_count: request.steps_count + win.steps.length,
    }));
  }
  if (win.steps.length === 0) return;
  const about = { rtb_id: id, request_id, total_ms: win.total_ms, steps: win.steps.length };
  if (won) trace.note("win.confirmed", { ...about, bid: win.bid });
  else trace.note("win.refused", { ...about, reason: win.reason, error: win.steps.at(-1)?.error ?? null });
}

interface Selected extends Selling {
  readonly verdict: DuplicateVerdict;
  readonly item: CampaignNumber["item"];
}

/** The offer of a quote as it was sold: to whom, on which terms, and what it takes up. */
export function toOffer(
  { quote, route, context, item, verdict }: Selected,
  { destination, buyer_terms, tags }: Sold,
): Omit<Offer, "quote"> {
  const { destination: to, buyer } = route;
  const { campaign, config, call } = context;
  const publisher = config.get("publisher", call.publisher?.id);
  const paid =
    to.kind === "target"
      ? to.doc
      : { payout_condition: buyer_terms.condition, payout_condition_duration: buyer_terms.condition_seconds };
  const subject = { ...call, tags: { ...call.tags, ...tags }, timezone: route.timezone };
  return {
    destination,
    record: isRecorded(campaign, to.doc),
    dialing: {
      target: to.kind === "target" ? { id: to.doc.id, name: to.doc.name, type: to.doc.type } : null,
      buyer: { id: buyer.id, name: buyer.name },
      rtb_id: to.kind === "rtb_formula" ? to.doc.id : null,
      rtb_group_id: quote.rtb_group_id,
      buyer_terms,
      publisher_terms: publisherTermsOf(
        { campaign, item },
        { paid, quoted: quote.publisher_terms ?? undefined, subject, publisher },
      ),
      payable: verdict.payable,
      receivable: verdict.receivable,
      duplicate_of: verdict.duplicate_of,
      tags: { ...tags },
      webhook_ids: to.doc.outgoing_webhooks,
      recording_access: to.doc.access_to_call_recordings,
    },
    holds: [
      { kind: to.kind, id: to.doc.id, limit: concurrencyLimit(to.doc) },
      { kind: "buyer", id: buyer.id, limit: concurrencyLimit(buyer) },
      ...entryHolds(campaign, publisher),
    ],
  };
}

/**
 * Sent with every dial where there is a publisher, as it replaces the terms of an earlier dial: where nobody names an amount
 * for this one, it is none.
 */
function publisherTermsOf(
  owner: CampaignNumber,
  { paid, ...sources }: PayoutSources & { readonly paid: PaidDestination },
): PublisherTerms | null {
  const terms = publisherTerms(owner, paid, sources);
  if (terms !== null || owner.item.publisher_id === undefined) return terms;
  return { payout: 0, percentage: null, condition: "call_successfully_connected", condition_seconds: 0 };
}

/** Concurrency that a call takes up from its beginning. */
export const entryHolds = (
  campaign: Resource<"campaign">,
  publisher: Resource<"publisher"> | undefined,
): readonly Hold[] => [
  { kind: "campaign", id: campaign.id, limit: concurrencyLimit(campaign) },
  ...(publisher ? [{ kind: "publisher", id: publisher.id, limit: concurrencyLimit(publisher) } as const] : []),
];

type Recordings = Pick<Resource<"target">, "disable_recordings">;

/**
 * Returns true if a call of the campaign to a target or an RTB formula is recorded: neither may have it disabled. Who
 * may see the recording is another question: signals carry `access_to_call_recordings` with the call, and
 * `shownRecordingUrl` answers it.
 */
export const isRecorded = (campaign: Recordings, destination: Recordings): boolean =>
  !campaign.disable_recordings && !destination.disable_recordings;
