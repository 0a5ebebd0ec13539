import type { Resource } from "../../config/registry.ts";
import type { FormulaLink } from "../../config/resources/rtb-group.ts";
import { eligibleRoutes } from "../eligibility.ts";
import { measure, measuredSince, type PredictiveRules } from "../predictive.ts";
import { holderOf, type RouteCandidate } from "../route.ts";
import { type AskDeps, askFormula, type FormulaAnswer } from "./ask-formula.ts";
import { type Asked, type Asking, triedKey } from "./asking.ts";
import { type Bidder, boundsOf, rank, type Scored } from "./auction.ts";
import type { Quote, Unquoted } from "./quote.ts";
import { predictiveRules, toCandidate } from "./subject.ts";

export interface GroupQuestion {
  readonly routeId: string | null;
  readonly group: Resource<"rtb_group">;
}

interface Member extends RouteCandidate {
  readonly link: FormulaLink;
}
interface Bidding extends Bidder {
  readonly quote: Quote;
}

/**
 * An auction among the group's formulas: all that may be asked are asked at once, each by its own deadline, and what is
 * in by then is ranked. The winner comes first; the others follow for when it does not take the call (semantics 8.8).
 */
export async function askGroup(deps: AskDeps, { group, routeId }: GroupQuestion, asking: Asking): Promise<Asked> {
  const predictive = rulesOf(group, asking);
  const isTried = (id: string) => asking.tried?.includes(triedKey({ kind: "rtb_formula", id })) === true;
  const links = group.rtb_formulas.filter(({ rtb_formula_id }) => !isTried(rtb_formula_id));
  const members = links.map((link): Member => {
    return { link, ...toCandidate({ kind: "rtb_formula", id: link.rtb_formula_id }, asking, predictive) };
  });
  const { eligible, refused } = eligibleRoutes(members, asking.stats);
  const asked = await Promise.all(
    eligible.flatMap((member) => {
      const { destination, buyer, link } = member;
      if (destination?.kind !== "rtb_formula" || buyer === undefined) return [];
      const question = { routeId, groupId: group.id, formula: destination.doc, buyer, bounds: boundsOf(group, link) };
      const limits = limitsOf(group, link, asking);
      return [askFormula(deps, { ...question, limits }, asking).then((answer) => ({ answer, member }))];
    }),
  );
  const bidders = asked.flatMap(({ answer, member }): Bidding[] => {
    if (answer.outcome.kind === "unquoted") return [];
    const { quote } = answer.outcome;
    return [{ quote, link: member.link, bid: quote.won?.bid ?? 0, measured: measuredOf(member, asking) }];
  });
  const ranking = rank(bidders);
  tell(ranking, { group, asking, answers: asked.map(({ answer }) => answer) });
  const notAsked = refused.map(({ route, refusal }): Unquoted => {
    return { route_id: routeId, kind: "rtb_formula", id: route.link.rtb_formula_id, ...refusal, bid: null };
  });
  const lost = asked.flatMap(({ answer: { outcome } }) => (outcome.kind === "unquoted" ? [outcome.unquoted] : []));
  return {
    quotes: ranking.map(({ quote, score }) => ({ ...quote, score })),
    unquoted: [...notAsked, ...lost],
    // A winner's tags go with its bid; what losers answered is no part of the call.
    tags: {},
  };
}

/** By its own rules, or by those of the plan that it names, which switches prediction on by itself. */
const rulesOf = (group: Resource<"rtb_group">, asking: Asking): PredictiveRules | undefined =>
  predictiveRules(asking, group.predictive_routing_plan_id) ?? (group.predictive_routing_enabled ? group : undefined);

const limitsOf = (group: Resource<"rtb_group">, link: FormulaLink, { deadlineAt }: Asking) => ({
  groupTimeoutMs: group.ping_timeout,
  linkTimeoutMs: link.ping_timeout_per_target,
  callerDeadlineAt: deadlineAt,
});

function measuredOf({ destination, predictive, call }: Member, { stats }: Asking): Bidder["measured"] {
  if (predictive === undefined || destination === undefined) return undefined;
  return measure(stats.performance(holderOf(destination), measuredSince(predictive, call.now)), predictive);
}

interface Told {
  readonly group: Resource<"rtb_group">;
  readonly asking: Asking;
  readonly answers: readonly FormulaAnswer[];
}

/** Records every buyer that was asked; in a ping nobody has won before the call comes. */
function tell(ranking: readonly Scored<Bidding>[], { group, asking, answers }: Told): void {
  const [winner] = ranking;
  const scores = new Map(ranking.map(({ quote, score }) => [quote.request_id, score]));
  for (const { request } of answers) {
    const isFirst = request.id === winner?.quote.request_id;
    const score = scores.get(request.id) ?? null;
    const isLost = score !== null && !isFirst;
    asking.trace.addPing({
      ...request,
      score,
      won: isFirst && asking.callId !== null,
      reason: isLost ? "lost_auction" : request.reason,
    });
  }
  if (winner === undefined) return;
  const { bid, score, quote } = winner;
  asking.trace.note("auction.won", { rtb_group_id: group.id, rtb_id: quote.id, bid, score, bids: ranking.length });
}
