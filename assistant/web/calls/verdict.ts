import { writeFigure } from "../../phrasing/write-figure.ts";
import { formatCount } from "../format.ts";
import { type Details, destinationOf, type Route, type Rule } from "./call.ts";
import { reasonOf, reasonWords } from "./reasons.ts";

/** A statement on a call, and what can be done where something went wrong. */
export type Verdict = { readonly words: string; readonly advice: string | null };

const say = (words: string, advice: string | null = null): Verdict => ({ words, advice });

const seconds = (value: number | null): string => (value === null ? "an unknown time" : writeFigure.seconds(value));
const byWhom = { caller: "the caller hung up", target: "the destination hung up", system: "the platform ended it" };

const unknownReason = "for an unknown reason";
/** Destinations that are told by name. */
const mostNamed = 3;

/** "2 × it was closed at that time; …": the reasons of those that did not take the call, the most frequent first. */
const refusals = (routes: readonly Route[], ofCall: string | null): string => {
  const counted = formatCount(routes.length, "destination");
  if (routes.every(({ reason }) => reason !== null && reason === ofCall))
    return `${counted} tried, all with this result.`;
  if (routes.length <= mostNamed) {
    const named = routes.map(
      (route) => `${route.destination_name ?? "a deleted destination"}: ${routeReason(route) || unknownReason}`,
    );
    return `${named.join("; ")}.`;
  }
  const counts = new Map<string, number>();
  for (const { reason } of routes) {
    const words = reason === null ? unknownReason : reasonOf(reason).words;
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, one], [, other]) => other - one);
  const words = sorted.map(([reason, count]) => `${count} × ${reason}`);
  return `${counted} considered: ${words.join("; ")}.`;
};

const whyUnrouted = ({ routes, call }: Details): string => {
  const ofCall = routes.filter(({ considered_by }) => considered_by === "call");
  if (ofCall.length === 0) return "Which destinations were considered is not on record.";
  const failed = ofCall.filter(({ outcome }) => outcome !== "connected");
  return failed.length === 1 && failed[0]?.reason === call.failure_reason ? "" : refusals(failed, call.failure_reason);
};

/** The route that is being dialed: the call itself has it once somebody answers. */
const dialingOf = ({ routes }: Details): Route | undefined => routes.findLast(({ outcome }) => outcome === "dialing");

/** Dials begun so far. */
export const dialsOf = ({ call, routes }: Details): number =>
  Math.max(call.attempts, ...routes.map(({ dial }) => dial ?? 0));

/** Says whether the call was connected, to whom, and why not. */
export const outcomeOf = (details: Details): Verdict => {
  const { call } = details;
  const to = destinationOf(call) ?? "a destination";
  const whom = call.buyer_name === null ? to : `${to} (${call.buyer_name})`;
  if (call.status === "failed") {
    const { words, advice } =
      call.failure_reason === null ? { words: "why is not known", advice: null } : reasonOf(call.failure_reason);
    const isRouting = call.failure_reason === "no_eligible_route" || call.attempts > 0;
    const why = isRouting ? whyUnrouted(details) : "";
    return say(`The caller was not connected: ${words}. ${why}`.trim(), advice);
  }
  if (call.ended_at === null) {
    if (call.connected_at !== null) return say(`The caller is talking to ${whom}.`);
    const dialing = dialingOf(details)?.destination_name ?? (call.attempts > 0 ? whom : null);
    return say(dialing === null ? "The call is being routed." : `The call is being put through to ${dialing}.`);
  }
  const end = byWhom[call.termination_by as keyof typeof byWhom];
  const lost = call.failure_reason === null ? "" : ` ${sentence(reasonOf(call.failure_reason).words)}`;
  return say(
    `Connected to ${whom} for ${seconds(call.connect_duration)}${end === undefined ? "" : `; ${end}`}.${lost}`,
  );
};

const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

/** When a side pays, behind "pays": "for calls connected 1 min 30 s or longer". */
export const conditionWords = ({
  condition,
  condition_seconds,
}: {
  condition: string;
  condition_seconds: number;
}): string => {
  const long = `${writeFigure.seconds(condition_seconds)} or longer`;
  switch (condition) {
    case "call_successfully_connected":
      return "for every connected call";
    case "call_length_connected":
      return `for calls connected ${long}`;
    case "call_length_incoming":
      return `for calls ${long} from their arrival`;
    case "call_converted":
      return "for calls that the buyer pays";
    default:
      return `by the condition ${condition.replaceAll("_", " ")}`;
  }
};

const lastedWords = ({ call }: Details, { condition }: { condition: string }): string => {
  if (condition === "call_length_connected") return `it was connected ${seconds(call.connect_duration)}`;
  if (condition === "call_length_incoming") return `it lasted ${seconds(call.duration)}`;
  return condition === "call_converted" ? "the buyer does not pay this one" : "this one was not";
};

/** One side of the money: what was agreed, how it was judged, what it came to. */
export type Side = {
  readonly name: "Revenue" | "Payout";
  /** In dollars; null while it is not settled. */
  readonly amount: number | null;
  readonly agreed: string;
  /** Why it is what it is; empty where nothing is to be said. */
  readonly why: string;
};

const unknownTerms = "not on record";

/** True for a side that a correction on record names, and for both where no correction is on record any more. */
const isCorrected = ({ call, timeline }: Details, side: "revenue" | "payout"): boolean => {
  const corrections = timeline.filter(({ event }) => event === "payout.adjusted");
  return call.revenue_overridden && (corrections.length === 0 || corrections.some(({ detail }) => side in detail));
};

const sideWhy = (details: Details, side: "revenue" | "payout", rule: Rule, agreedAmount: number | null): string => {
  const { call } = details;
  if (call.ended_at === null) return "Not settled yet: the call is in progress.";
  if (isCorrected(details, side)) return "Corrected after the call.";
  if (call.status === "failed") return "Nothing is due: the caller was not connected.";
  if (details.rules === null) return "";
  if (rule === null) return "Nobody has named an amount for this side.";
  if (!rule.met) return `The condition was not met: ${lastedWords(details, rule)}.`;
  if (!rule.allowed) return "Waived: an earlier call of the same caller counts.";
  return agreedAmount === 0 ? "The condition was met; the amount agreed is $0.00." : "The condition was met.";
};

/** The revenue and the payout of a call. */
export const sidesOf = (details: Details): readonly [Side, Side] => {
  const { call, terms, rules } = details;
  const { buyer = null, publisher = null } = terms ?? {};
  const nobody =
    terms === null ? unknownTerms : call.ended_at === null ? "not known yet" : "nothing, as the call got to no buyer";
  const payout =
    publisher === null
      ? terms === null
        ? unknownTerms
        : "nothing"
      : `${publisher.percentage === null ? writeFigure.money(publisher.payout) : `${writeFigure.percent(publisher.percentage)} of the revenue`} ${conditionWords(publisher)}`;
  return [
    {
      name: "Revenue",
      amount: call.revenue,
      agreed: buyer === null ? nobody : `${writeFigure.money(buyer.revenue)} ${conditionWords(buyer)}`,
      why: sideWhy(details, "revenue", rules?.receivable ?? null, buyer?.revenue ?? null),
    },
    {
      name: "Payout",
      amount: call.payout,
      agreed: payout,
      why: sideWhy(details, "payout", rules?.payable ?? null, publisher?.percentage === null ? publisher.payout : null),
    },
  ];
};

/** Says what the call earned, and why where that is nothing. */
export const earningsOf = (details: Details): Verdict => {
  const { call } = details;
  const [revenue, payout] = sidesOf(details);
  if (call.ended_at === null || call.revenue === null) return say("What it earns is settled when it is over.");
  const amounts = `Revenue ${writeFigure.money(call.revenue)}, payout ${call.payout === null ? "unknown" : writeFigure.money(call.payout)}.`;
  if (call.revenue_overridden) return say(`${amounts} Corrected after the call: see below.`);
  if (call.revenue > 0 || call.status === "failed") return say(amounts);
  const why =
    revenue.why === ""
      ? ""
      : `${revenue.agreed === unknownTerms ? "" : `The buyer pays ${revenue.agreed}. `}${revenue.why}`;
  return say(`${amounts} ${why} ${payout.amount === 0 ? "" : `The publisher is paid ${payout.agreed}.`}`.trim());
};

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** Says how many of the call's webhooks were delivered. */
export const hearingOf = ({ webhooks }: Details): Verdict => {
  const sent = webhooks.filter(({ attempts }) => attempts.length > 0);
  const count = (state: string): number => webhooks.filter((webhook) => webhook.state === state).length;
  if (webhooks.length === 0) return say("No webhook is attached to its campaign or destination.");
  if (sent.length === 0) return say("No webhook was sent.");
  const parts = [
    count("delivered") > 0 && `${plural(count("delivered"), "webhook", "webhooks")} delivered`,
    count("retrying") > 0 && `${count("retrying")} to be tried again`,
    count("failed") > 0 && `${count("failed")} failed`,
  ].filter((part) => part !== false);
  return say(`${parts.join(", ")}.`, count("failed") > 0 ? "Look at what failed below, and send it again." : null);
};

/** "busy (of the target)" for a route's line; empty where it has no reason. */
const routeReason = ({ reason, detail }: Pick<Route, "reason" | "detail">): string =>
  reason === null ? "" : reasonWords(reason, detail);
