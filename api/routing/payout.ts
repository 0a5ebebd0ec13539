import { type BuyerTerms, type PayoutCondition, type PublisherTerms, payoutConditions } from "../../ingest/terms.ts";
import { memoizeByObject } from "../conditions/memoize.ts";
import { createStepBudget } from "../conditions/step-budget.ts";
import type { CampaignNumber } from "../config/org-config-indexes.ts";
import type { Resource } from "../config/registry.ts";
import { ask, type Condition, compileGroups, createFacts, filterSteps, type Subject } from "./filters.ts";

type PayoutRule = Resource<"campaign">["ivr_payout_rules"][number];

/** Further sources of a payout. */
export interface PayoutSources {
  /** Terms quoted in the answer to an inbound ping: paid as quoted. */
  readonly quoted?: PublisherTerms | undefined;
  /** The call with the tags that voice menus gave it; without it no IVR payout rule is asked. */
  readonly subject?: Subject | undefined;
  /** The publisher's own defaults, for whom nothing else names an amount. */
  readonly publisher?: Pick<Resource<"publisher">, "payout" | "payout_percentage"> | undefined;
}

/** A target, or the conditions that a bid comes with: where nobody says otherwise, both sides are paid on the same. */
export interface PaidDestination {
  readonly payout?: number | undefined;
  readonly payout_condition?: PayoutCondition | undefined;
  readonly payout_condition_duration?: number | undefined;
}

type Amount = Pick<PublisherTerms, "payout" | "percentage">;

/**
 * Returns the publisher's terms, from the most specific source that names an amount: the quoted terms, the first IVR payout
 * rule that matches, the number's own, the target's, the campaign's, the publisher's. Null where the
 * number was handed to nobody, or nobody names one.
 */
export function publisherTerms(
  { campaign, item }: CampaignNumber,
  target: PaidDestination | undefined,
  { quoted, subject, publisher }: PayoutSources = {},
): PublisherTerms | null {
  if (quoted !== undefined) return quoted;
  if (item.publisher_id === undefined) return null;
  const sources = [ruleOf(campaign, subject), item, target, { payout: campaign.payout }, publisher];
  const amount = sources.map((source) => toAmount(source)).find((each) => each !== null);
  if (amount === undefined) return null;
  return {
    ...amount,
    condition:
      payoutConditions.find((each) => each === item.payout_condition) ??
      target?.payout_condition ??
      "call_successfully_connected",
    condition_seconds: item.payout_condition_duration ?? target?.payout_condition_duration ?? 0,
  };
}

interface AmountSource {
  readonly payout?: number | undefined;
  readonly payout_percentage?: number | undefined;
}
function toAmount({ payout, payout_percentage }: AmountSource = {}): Amount | null {
  if (payout === undefined && payout_percentage === undefined) return null;
  return { payout: payout ?? 0, percentage: payout_percentage ?? null };
}

/** The first rule that matches; a rule without filters matches nothing, or a new one would take every payout away. */
const ruleOf = ({ ivr_payout_rules }: Resource<"campaign">, subject: Subject | undefined): PayoutRule | undefined =>
  subject && findRule(ivr_payout_rules, subject);

/** All of a campaign within the bounds that the filters of one destination have: what is beyond them does not match. */
function findRule(rules: PayoutRules, subject: Subject): PayoutRule | undefined {
  if (rules.length === 0) return undefined;
  const budget = createStepBudget(filterSteps);
  const facts = createFacts(subject);
  const compiled = compileRules(rules);
  return rules.find((rule, index) => {
    const filters = compiled[index];
    return rule.filters.length > 0 && filters !== undefined && ask(filters, facts, budget) === "passes";
  });
}
type PayoutRules = Resource<"campaign">["ivr_payout_rules"];

/** Made ready once, for as long as the campaign stays as it is. */
export const compileRules = memoizeByObject((rules: PayoutRules) =>
  compileGroups(rules.map(({ filters, combinator }) => ({ conditions: filters.map(toCondition), combinator }))),
);

/** Reads the keys field, operator and value, or values, of a free-form row. */
function toCondition({ field, operator, value, values }: PayoutRule["filters"][number]): Condition {
  const all = [values ?? value ?? []].flat();
  const texts = all.flatMap((each) => (["string", "number", "boolean"].includes(typeof each) ? [String(each)] : []));
  // No operator has an empty name, so what is no condition never holds.
  if (typeof field !== "string" || typeof operator !== "string") return { field: "", operator: "" };
  return { field, operator, values: texts };
}

/** The buyer's terms for a call to a target. */
export const buyerTerms = (target: Resource<"target">): BuyerTerms => ({
  revenue: target.revenue ?? 0,
  condition: target.payout_condition,
  condition_seconds: target.payout_condition_duration ?? 0,
});

/** The buyer's terms for a call that its bid has won: the bid, from as many connected seconds on. */
export const bidTerms = (bid: number, requiredSeconds: number): BuyerTerms => ({
  revenue: bid,
  condition: "call_length_connected",
  condition_seconds: requiredSeconds,
});
