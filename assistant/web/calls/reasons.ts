/** A reason's code in plain words, and what can be done about it; null where there is nothing to do. */
export type Reason = { readonly words: string; readonly advice: string | null };

const of = (words: string, advice: string | null = null): Reason => ({ words, advice });

/** Why a call was not connected, or a destination did not take it. */
const reasons: Readonly<Record<string, Reason>> = {
  // Before any route is judged.
  number_not_found: of("the number belongs to no campaign", "Put the number into a campaign."),
  campaign_inactive: of("the campaign is switched off", "Activate the campaign."),
  inbound_rtb_inactive: of("the RTB endpoint is switched off", "Activate the inbound RTB endpoint."),
  number_inactive: of("the number is switched off in its campaign", "Activate the number in its campaign."),
  number_paused: of("the number is paused", "Resume the number."),
  publisher_inactive: of("the publisher is switched off", "Activate the publisher."),
  publisher_paused: of("the publisher is paused", "Resume the publisher."),
  rate_limited: of("too many requests came in a short time"),
  caller_id_invalid: of("the caller's number is not a valid one"),
  caller_blocked: of("the caller is on your block list", "Take the caller off the block list if that is a mistake."),
  tcpa_blocked: of("the caller is on the do-not-call list that the campaign checks"),
  tcpa_unavailable: of("the do-not-call list could not be asked", "Check the campaign's TCPA settings."),
  campaign_capped: of("the campaign had reached a cap", "Raise the campaign's cap, or wait until it starts anew."),
  campaign_concurrency: of("the campaign had as many calls at once as it may", "Raise the campaign's concurrency."),
  publisher_capped: of("the publisher had reached a cap", "Raise the publisher's cap, or wait until it starts anew."),
  publisher_concurrency: of("the publisher had as many calls at once as it may", "Raise the publisher's concurrency."),
  no_routing_plan: of("the campaign has no routing plan", "Give the campaign a routing plan."),
  routing_plan_inactive: of("the routing plan is switched off", "Activate the routing plan."),
  publisher_not_allowed: of("the routing plan does not admit this publisher", "Add the publisher to the routing plan."),
  no_call_flow: of("the campaign has no call flow", "Give the campaign a call flow."),
  call_flow_inactive: of("the call flow is switched off", "Activate the call flow."),
  allocation_expired: of("the number's allocation to a publisher's ping had run out"),
  caller_mismatch: of("the number was allocated to a ping with another caller"),
  // Reasons of a route.
  destination_missing: of("the destination was deleted or has no number", "Point the route at a destination."),
  inactive: of("it is switched off", "Activate it."),
  paused: of("it was paused", "Resume it."),
  buyer_inactive: of("its buyer is switched off", "Activate the buyer."),
  buyer_paused: of("its buyer was paused", "Resume the buyer."),
  buyer_not_allowed: of("its buyer is not admitted here", "Add the buyer to the allowed ones."),
  closed: of("it was closed at that time", "Check its hours of operation."),
  filter_mismatch: of("the call does not match its filters", "Check its filters."),
  cap_reached: of("a cap was reached", "Raise the cap, or wait until it starts anew."),
  concurrency_reached: of("it had as many calls at once as it may", "Raise the concurrency."),
  duplicate: of("the caller had called it before", "Check its rules on duplicates."),
  underperforming: of("others of the plan earn more by its predictive rules"),
  unsupported_action: of("the route's action is not supported", "Change the route's action."),
  // Reasons of a bid.
  ping_backoff: of("it is not asked for a while after repeated failures", "Ask the buyer about their endpoint."),
  ping_rate_limited: of("it was asked as often as its rate allows", "Raise its rate limit."),
  ping_inflight_limited: of("as many of its requests were open as may be", "Raise its in-flight limit."),
  ping_timeout: of("the buyer did not answer in time", "Ask the buyer about their endpoint, or allow more time."),
  ping_unreachable: of("the buyer could not be reached", "Check the address of the RTB formula."),
  ping_http_error: of("the buyer answered with an error", "Ask the buyer about their endpoint."),
  ping_parse_error: of("the buyer's answer could not be read", "Check how the RTB formula reads answers."),
  no_bid: of("the buyer did not bid"),
  not_accepted: of("the buyer's answer does not meet the formula's criteria"),
  bid_below_minimum: of("the bid was below the minimum"),
  bid_above_maximum: of("the bid was above the maximum"),
  bid_expired: of("the bid had expired when its turn came"),
  no_destination_number: of("the bid came without a number to dial", "Check the RTB formula's number."),
  lost_auction: of("another bid won"),
  win_step_failed: of("the buyer did not confirm the win", "Ask the buyer about their endpoint."),
  call_ended: of("the call had ended meanwhile"),
  // Reasons of a dial, or of the call.
  busy: of("the line was busy"),
  no_answer: of("nobody answered"),
  failed: of("the dial failed", "Check the destination's number or SIP address."),
  connection_timeout: of("the connection timed out"),
  canceled: of("the dial was canceled"),
  caller_hangup: of("the caller hung up before anybody answered"),
  no_eligible_route: of("no destination could take the call"),
  flow_ended: of("the call flow ended without a destination"),
  menu_no_input: of("the caller chose nothing in the menu"),
  menu_invalid_input: of("the caller's choice was not in the menu"),
  lost: of("the switch never reported the end of the call", "Check the callbacks of the switch."),
  platform_unavailable: of("the platform could not answer the switch in time"),
};

/** A code that a newer server has, or a switch's own, is shown as it is written. */
export const reasonOf = (code: string): Reason => reasons[code] ?? of(code.replaceAll("_", " "));

/** The words at the beginning of a line, or alone. */
export const sentenceCase = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

const holders: Readonly<Record<string, string>> = {
  target: "of the target",
  rtb_formula: "of the RTB formula",
  buyer: "of its buyer",
  campaign: "of the campaign",
  publisher: "of the publisher",
  filters_too_costly: "which took too long to check",
};

/** The reason of a route with what its detail says: whose cap it was, for example. */
export const reasonWords = (code: string, detail: string | null = null): string => {
  const { words } = reasonOf(code);
  const whose = detail === null ? undefined : holders[detail];
  return whose === undefined ? words : `${words} (${whose})`;
};
