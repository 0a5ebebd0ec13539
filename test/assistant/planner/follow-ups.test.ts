import { describe, expect, it } from "vitest";
import { planChain, toLine } from "./plan-line.ts";

const byCampaign = "revenue by campaign last month";
const texan = [byCampaign, "only Texas"] as const;

const patched: readonly (readonly [...string[], string])[] = [
  [
    "p95 talk time by campaign",
    "only count calls that converted",
    "calls: p95_connect_duration by campaign | converted is true",
  ],
  ["revenue from Texas", "compare that with Florida", "calls: revenue by state | state is TX/FL"],
  ["revenue from Texas", "how does it compare to Florida", "calls: revenue by state | state is TX/FL"],
  ["calls by duration in buckets of 30 seconds", "in buckets of 10 instead", "calls: calls by bin:duration:10"],
  ["calls by duration in buckets of 30 seconds", "make it 2 minute buckets", "calls: calls by bin:duration:120"],
  ["distribution of revenue per call", "in steps of $5", "calls: calls by bin:revenue:5"],
  ["revenue by campaign by day last 30 days", "make it weekly", "calls: revenue by week+campaign | last 30 days"],
  [byCampaign, "same but this month", "calls: revenue by campaign | this month"],
  [byCampaign, "and the month before?", "calls: revenue by campaign | the month before last month"],
  [byCampaign, "compare to the month before", "calls: revenue by campaign | last month | against the period before"],
  [byCampaign, "with epc", "calls: revenue+epc by campaign | last month"],
  [byCampaign, "but only converted calls", "calls: revenue by campaign | converted is true | last month"],
  [byCampaign, "just the total", "calls: revenue | last month"],
  [byCampaign, "remove the breakdown", "calls: revenue | last month"],
  ["revenue by campaign and publisher last month", "without publisher", "calls: revenue by campaign | last month"],
  ["revenue and profit by campaign last month", "drop profit", "calls: revenue by campaign | last month"],
  [...texan, "without the state filter", "calls: revenue by campaign | last month"],
  [...texan, "all states again", "calls: revenue by campaign | last month"],
  [...texan, "drop all filters", "calls: revenue by campaign | last month"],
  [...texan, "forget Texas", "calls: revenue by campaign | last month"],
  [...texan, "everyone but Texas", "calls: revenue by campaign | state is_not TX | last month"],
  ["average revenue by state", "show the median instead", "calls: median_revenue by state"],
  ["revenue last month", "and how much was that in September", "calls: revenue | September 2026"],
  [
    ...texan,
    "how does it look on weekends",
    "calls: revenue by campaign | state is TX | day_of_week is Saturday/Sunday | last month",
  ],
  [
    ...texan,
    "and how did the same campaigns do in September",
    "calls: revenue by campaign | state is TX | September 2026",
  ],
  ["calls in September", "how does October compare with that", "calls: calls | October 2026 | against September 2026"],
  [
    "refused incoming requests this month",
    "show me the last five of those",
    "incoming_webhook_requests: list | failed is true | this month | 5",
  ],
  [
    "failed calls last month",
    "please give me the ten most recent ones",
    "calls: list | failed is true | last month | 10",
  ],
  [
    "failed calls last month",
    "which campaign was responsible for most of them",
    "calls: failed_calls by campaign | last month | failed_calls desc 1",
  ],
  [
    "revenue by day last 2 weeks",
    "I only care about calls from Texas",
    "calls: revenue by day | state is TX | last 2 weeks",
  ],
  // The records that were counted.
  [
    "payable calls from Acme Media last month",
    "list the ones under 90 seconds",
    "calls: list | publisher is Acme Media | payable is true | duration less_than 90 | last month | 100",
  ],
  [
    "payable calls last month",
    "how many were shorter than 2 min",
    "calls: calls | payable is true | duration less_than 120 | last month",
  ],
  ["failed calls last month", "how many from Texas", "calls: calls | failed is true | state is TX | last month"],
  ["adjusted calls by publisher", "whats the payout on them", "calls: payout by publisher | adjusted is true"],
  ["won bids by rtb", "average bid on those", "outbound_rtb_requests: avg_bid by rtb | won is true"],
  ["outbound pings last week", "what share of them got a bid", "outbound_rtb_requests: bid_rate | last week"],
  ["failed webhooks yesterday", "which one", "outgoing_webhook_requests: failed_deliveries by webhook | yesterday"],
  [
    "changes by actor last month",
    "only the ones where something was paused",
    "audit_logs: changes by actor | action is pause | last month",
  ],
  ["list calls over 10 minutes", "sort by revenue", "calls: list | duration more_than 600 | revenue desc 100"],
  ["list calls over 10 minutes", "lowest payout first", "calls: list | duration more_than 600 | payout asc 100"],
  ["calls on Mondays last month", "and tuesday", "calls: calls | day_of_week is Tuesday | last month"],
  ["calls by campaign this month", "last month too", "calls: calls by campaign | last month"],
  [byCampaign, "now with the payout", "calls: revenue+payout by campaign | last month"],
  [
    "calls and revenue last month",
    "compare both to September",
    "calls: calls+revenue | last month | against September 2026",
  ],
  [
    "calls over 5 minutes by state",
    "only states with more than 10",
    "calls: calls by state | duration more_than 300 | calls more_than 10",
  ],
  ["calls by state", "only states with more than 10", "no minimum", "calls: calls by state"],
  [
    "the last 10 calls from Acme Media",
    "the 5 latest converted ones instead",
    "calls: list | publisher is Acme Media | converted is true | 5",
  ],
  [byCampaign, "bottom 3 publishers by calls in that period", "calls: calls by publisher | last month | calls asc 3"],
  ["calls by hour of day", "split by day of week as well", "calls: calls by hour_of_day+day_of_week"],
  ["average bid by week", "highest bid", "outbound_rtb_requests: highest_bid by week"],
  [byCampaign, "and how much did they bring in", "calls: revenue by campaign | last month"],
  ["changes by action last month", "show me those entries", "audit_logs: list | last month | 100"],
  // What is pointed at is of the answer before, not of all data.
  [
    "failed deliveries yesterday",
    "what status codes did they return",
    "outgoing_webhook_requests: failed_deliveries by status_code | yesterday",
  ],
  ["failed deliveries yesterday", "which hooks", "outgoing_webhook_requests: failed_deliveries by webhook | yesterday"],
  ["failed calls by campaign last month", "why?", "calls: failed_calls by failure_reason | last month"],
  [
    "revenue by campaign last month",
    "which campaign made the most",
    "calls: revenue by campaign | last month | revenue desc 1",
  ],
  ["calls by publisher this month", "what percent converted", "calls: conversion_rate by publisher | this month"],
  [
    "calls by publisher this month",
    "what percent of them were from Texas",
    "calls: calls by publisher | of those state is TX | this month",
  ],
  [
    "incoming requests by webhook last month",
    "how many of them were refused, per webhook",
    "incoming_webhook_requests: requests by webhook | failed is true | last month",
  ],
  // Replaced, added, taken away.
  ["calls last month", "what about revenue by campaign", "calls: revenue by campaign | last month"],
  ["calls by campaign last month", "swap campaign for publisher", "calls: calls by publisher | last month"],
  ["calls by campaign last month", "replace calls with revenue", "calls: revenue by campaign | last month"],
  [
    "top 6 states by profit last month",
    "by revenue instead of profit",
    "calls: revenue by state | last month | revenue desc 6",
  ],
  ["calls from Texas last month", "and from Florida too", "calls: calls | state is TX/FL | last month"],
  ["calls from Texas and Florida last month", "without Texas", "calls: calls | state is FL | last month"],
  [
    "calls by campaign last month",
    "now without calls from Florida",
    "calls: calls by campaign | state is_not FL | last month",
  ],
  [
    "revenue by campaign last month",
    "just Acme Media and without duplicates",
    "calls: revenue by campaign | publisher is Acme Media | duplicate is false | last month",
  ],
  // Bounds of the figures before.
  [
    "calls by publisher last month",
    "drop everyone under 20 calls",
    "calls: calls by publisher | calls at_least 20 | last month",
  ],
  [
    "margin by campaign last month",
    "which ones are under 30%",
    "calls: margin by campaign | margin less_than 30 | last month",
  ],
  [
    "unique callers last month",
    "by publisher, over 50 only",
    "calls: unique_callers by publisher | unique_callers more_than 50 | last month",
  ],
  // Another time.
  [
    "revenue by day last week",
    "compare it to the week before",
    "calls: revenue by day | last week | against the period before",
  ],
  [
    "calls by publisher this month",
    "same but for last month and only Texas",
    "calls: calls by publisher | state is TX | last month",
  ],
  // A figure by itself is of the same records and the same time.
  ["calls from Texas last month", "conversions?", "calls: converted_calls | state is TX | last month"],
  ["calls from Texas last month", "what was the payout", "calls: payout | state is TX | last month"],
  [
    "inbound pings from Acme Media last month",
    "fill rate",
    "inbound_rtb_requests: fill_rate | publisher is Acme Media | last month",
  ],
  [
    "list the failed calls from Texas yesterday",
    "how much revenue was that?",
    "calls: revenue | failed is true | state is TX | yesterday",
  ],
  ["median bid response time by buyer", "p99 as well", "outbound_rtb_requests: median_time+p99_time by buyer"],
  // "They" are the records that were counted.
  ["duplicate calls last month", "what did they bring in?", "calls: revenue | duplicate is true | last month"],
  ["converted calls last week", "and what did we pay for them", "calls: payout | converted is true | last week"],
  [
    "payout by publisher this month",
    "what did they bring in over the same time?",
    "calls: revenue by publisher | this month",
  ],
  ["margin last month", "week by week within that month", "calls: margin by week | last month"],
  [
    "connect rate by target last week",
    "only where its below 80%",
    "calls: connect_rate by target | connect_rate less_than 80 | last week",
  ],
  [
    "margin by buyer last month",
    "which of them are below 25%?",
    "calls: margin by buyer | margin less_than 25 | last month",
  ],
  [
    "payout by publisher last month",
    "sort it from the highest, top 5 only",
    "calls: payout by publisher | last month | payout desc 5",
  ],
  ["payout by publisher last month", "order from the lowest", "calls: payout by publisher | last month | payout asc"],
  [
    "payout by publisher last month",
    "sort it from low to high",
    "calls: payout by publisher | last month | payout asc",
  ],
  ["margin by buyer last month", "and which is it for this month?", "calls: margin by buyer | this month"],
  // Of those, as a part of them, and what they leave out.
  [
    "inbound pings from Acme Media last month",
    "and how many were filled?",
    "inbound_rtb_requests: filled_pings | publisher is Acme Media | last month",
  ],
  [
    "incoming webhook requests last week",
    "how many got refused",
    "incoming_webhook_requests: refused_requests | last week",
  ],
  [
    "how many calls over 2 minutes did Acme Media send last month",
    "what share of their calls is that",
    "calls: calls | publisher is Acme Media | of those duration more_than 120 | last month",
  ],
  [
    "calls from Texas last month",
    "what percentage of all calls is that?",
    "calls: calls | of those state is TX | last month",
  ],
  [
    "duplicate calls by publisher last month",
    "as a percentage of their calls?",
    "calls: duplicate_rate by publisher | last month",
  ],
  [
    "average payout by campaign for calls longer than 5 minutes",
    "and for the shorter ones?",
    "calls: payout_per_call by campaign | duration at_most 300",
  ],
  [
    "revenue of Acme Media last month",
    "same for everyone else",
    "calls: revenue | publisher is_not Acme Media | last month",
  ],
  [
    "calls on weekends last month",
    "and on the other days?",
    "calls: calls | day_of_week is_not Saturday/Sunday | last month",
  ],
  ["converted calls last month", "and those that did not?", "calls: calls | converted is false | last month"],
  [
    "unfilled pings by publisher last month",
    "as a percentage of their pings",
    "inbound_rtb_requests: pings by publisher | of those filled is false | last month",
  ],
  [
    "outbound rtb requests last week",
    "and how many won",
    "and lost",
    "outbound_rtb_requests: outbound_pings | lost is true | last week",
  ],
  ["repeat calls last week", "and from new callers?", "calls: calls | repeat is false | last week"],
  [
    "calls in business hours last week",
    "and outside of it?",
    "calls: calls | day_of_week is Saturday/Sunday or hour_of_day less_than 9 or hour_of_day at_least 17 | last week",
  ],
  // The next of a ranking, and those that moved the other way.
  [
    "which publisher sent the most calls last month",
    "and the second most?",
    "and third?",
    "calls: calls by publisher | last month | calls desc 1 | behind 2",
  ],
  ["margin by buyer last month", "who's second?", "calls: margin by buyer | last month | margin desc 1 | behind 1"],
  [
    "top 5 states by calls last month",
    "and the next 5",
    "calls: calls by state | last month | calls desc 5 | behind 5",
  ],
  [
    "which campaigns have seen their profit fall this week against last week",
    "and which have seen it rise?",
    "calls: profit by campaign | this week | against last week, same part | profit desc | those alone",
  ],
  [
    "profit by campaign last month",
    "which of them made less than in September",
    "calls: profit by campaign | last month | against September 2026 | profit asc | those alone",
  ],
  // Other times.
  ["calls by hour on Friday", "and the Friday before", "calls: calls by hour | Friday 2026-11-13"],
  ["revenue today", "and at the same time yesterday", "calls: revenue | today a day earlier"],
  ["revenue today", "vs yesterday same time", "calls: revenue | today | against today a day earlier"],
  ["revenue last month", "and the same month last year", "calls: revenue | last month a year earlier"],
  // The records.
  ["changes this week", "list the deletions", "audit_logs: list | action is delete | this week | 100"],
  [
    "unfilled inbound pings yesterday",
    "list those from Texas",
    "inbound_rtb_requests: list | filled is false | state is TX | yesterday | 100",
  ],
  // Whatever a question may say of groups, of the rows that are shown.
  [
    "roi by publisher last month",
    "just the ones with negative profit",
    "calls: roi+profit by publisher | profit less_than 0 | last month",
  ],
  [
    "calls by publisher last month",
    "the ones that brought in over $500",
    "calls: calls+revenue by publisher | revenue more_than 500 | last month",
  ],
  [byCampaign, "remove rows under 20 calls", "calls: revenue+calls by campaign | calls at_least 20 | last month"],
  [
    byCampaign,
    "drop the ones with less than 10 calls",
    "calls: revenue+calls by campaign | calls at_least 10 | last month",
  ],
  [
    byCampaign,
    "which of them fell",
    "calls: revenue by campaign | last month | against the period before | revenue asc | those alone",
  ],
  [
    "epc by buyer in October vs September",
    "show only the buyers where it went down",
    "calls: epc by buyer | October 2026 | against September 2026 | epc asc | those alone",
  ],
  // Another number of the bound before, in its unit.
  ["calls over 10 minutes last week", "over 20?", "calls: calls | duration more_than 1200 | last week"],
  ["calls over 30 seconds last week", "and over 60?", "calls: calls | duration more_than 60 | last week"],
  ["calls with revenue above $50 by buyer", "what about above $75?", "calls: calls by buyer | revenue more_than 75"],
  // The figure before, in another way, wherever a figure may stand.
  [byCampaign, "per call instead", "calls: rpc by campaign | last month"],
  ["talk time by target", "on average per call instead", "calls: acl by target"],
  [
    "slowest webhook by p95 response time",
    "and by average?",
    "outgoing_webhook_requests: p95_response_time+avg_response_time by webhook | avg_response_time desc 1",
  ],
  [
    "revenue of Acme Media last month",
    "what share of all revenue is that?",
    "calls: revenue | of those publisher is Acme Media | last month",
  ],
  [
    "what percent of calls last month came from Acme Media",
    "and of the revenue?",
    "calls: revenue | of those publisher is Acme Media | last month",
  ],
  [
    "median talk time by state last month",
    "for calls that converted",
    "calls: median_connect_duration by state | converted is true | last month",
  ],
  // The ends of a ranking.
  [
    "median call length by campaign",
    "what's the longest one?",
    "calls: median_duration by campaign | median_duration desc 1",
  ],
  [
    "which target has the longest average wait time",
    "and the shortest?",
    "calls: avg_wait_time by target | avg_wait_time asc 1",
  ],
  // The reasons of the others.
  [
    "filled pings by publisher last week",
    "why not the others",
    "inbound_rtb_requests: pings by reason | filled is false | last week",
  ],
  [
    "failed deliveries last 7 days",
    "show me the last 10",
    "outgoing_webhook_requests: list | failed is true | last 7 days | 10",
  ],
  // A question of its own that says no time is asked of that before.
  [byCampaign, "now show me calls and revenue for every publisher", "calls: calls+revenue by publisher | last month"],
  [
    "repeat callers last week",
    "which campaigns did they call",
    "calls: calls by campaign | repeat is true | last week",
  ],
  ["revenue from Texas last month", "and calls by campaign", "calls: calls by campaign | state is TX | last month"],
  ["who made changes this week", "what did they change", "audit_logs: changes by entity | this week"],
  ["top 5 states by calls last month", "all of them", "calls: calls by state | last month | calls desc"],
  ["top 5 states by calls last month", "the rest", "calls: calls by state | last month | calls desc 100 | behind 5"],
  [byCampaign, "change October to September", "calls: revenue by campaign | September 2026"],
  // A question that says all that it needs is one of its own.
  [byCampaign, "top 5 publishers by profit this quarter", "calls: profit by publisher | this quarter | profit desc 5"],
  [
    ...texan,
    "publishers with more than 50 calls last week",
    "calls: calls by publisher | calls more_than 50 | last week",
  ],
];

describe("a follow-up", () => {
  it.each(patched.map((turns) => [turns.slice(0, -1), turns.at(-1) ?? ""] as const))("patches: %j", (turns, line) => {
    expect(toLine(planChain(...turns))).toBe(line);
  });
  it("says what it keeps of the answer before where it could be asked by itself", () => {
    expect(planChain(...texan, "show me calls by publisher")).toMatchObject({
      notes: ["I kept last month and state is TX from the answer before."],
    });
  });
  it("does not turn to other records that it does not name", () => {
    expect(planChain(byCampaign, "and who made the least")).toMatchObject({ kind: "refused" });
  });
  it("shows shares", () => {
    expect(planChain(byCampaign, "in percent")).toMatchObject({ plan: { share: true } });
    expect(planChain("calls by campaign", "as a share", "conversion rate")).toMatchObject({ plan: { share: false } });
    expect(planChain("calls last month", "per day on average")).toMatchObject({ plan: { average_per: "day" } });
  });
  it("shows plain numbers again", () => {
    expect(planChain(byCampaign, "as a share")).toMatchObject({ plan: { share: true } });
    expect(planChain(byCampaign, "as a share", "as numbers")).toMatchObject({ plan: { share: false } });
  });
  it("changes the condition of the part that a percentage is asked of", () => {
    expect(planChain("percent of calls from New York", "what about NJ")).toMatchObject({
      plan: { filters: [], portion: [{ field: "state", op: "is", values: ["NJ"] }] },
    });
  });
  it.each([
    ["percent of calls that converted by publisher last month", "connect_rate by publisher"],
    ["conversion rate by publisher last month", "connect_rate by publisher"],
    ["revenue by publisher last month", "revenue by publisher | connected is true"],
  ])("turns from the fact of a percentage to another: %s, what about connected", (first, figure) => {
    expect(toLine(planChain(first, "what about connected"))).toBe(`calls: ${figure} | last month`);
  });
  it("turns from the fact of a part to another, and narrows where it says so", () => {
    expect(planChain("what percent of calls from Texas converted last month", "what about recorded")).toMatchObject({
      plan: { filters: [{ field: "state" }], portion: [{ field: "recorded", values: [true] }] },
    });
    expect(planChain("conversion rate last month", "what about recorded")).toMatchObject({
      plan: { measures: ["calls"], filters: [], portion: [{ field: "recorded", values: [true] }] },
    });
    expect(toLine(planChain("conversion rate by publisher last month", "only connected ones"))).toBe(
      "calls: conversion_rate by publisher | connected is true | last month",
    );
  });
  it("goes back by the whole unit that has only begun", () => {
    expect(planChain("revenue by campaign this month", "the month before")).toMatchObject({
      plan: { period: { from: "2026-10-01T04:00:00.000Z", to: "2026-11-01T04:00:00.000Z" } },
    });
  });
  it.each([
    [byCampaign, "the week before", /Last month is no week/],
    // Of the duplicates, or of all calls?
    ["duplicate calls last month", "and how many converted", /goes on from/],
    // Of the adjusted calls, or of the publishers that have some? The last 20, or the 20 of the most?
    ["adjusted calls by publisher last month", "payout for those", /of all calls, or of adjusted calls alone/],
    ["list the last 20 calls", "sort by revenue", /What should I rank/],
    ["failed calls last month", "which ones", /which ones/],
    ["calls from Texas to Acme last month", "and everyone else?", /rest|else/],
    [byCampaign, "and the next 5", /“next 5”/],
    ["calls by day", "by month as well", /one unit of time at a time/],
    ["revenue by campaign", "highest bid", /Over which time/],
    ["average wait time by target last month", "over 20 sec only", /of each group, or of each of the calls/],
    ["changes last month", "show me the api keys", /secrets are out of my reach/],
    [byCampaign, "overall", /all groups together, or all time/],
    [byCampaign, "in buckets of 10", /did not understand "in buckets of", "10"|one unit of time/],
    ["calls by duration in buckets of 30 seconds", "in buckets of $10", /did not understand|one unit of time/],
  ])("is handed back where it fits nothing: %s, %s", (first, second, reason) => {
    expect(toLine(planChain(first, second))).toMatch(reason);
  });
});

it("does not pass for understood what changes nothing", () =>
  expect(toLine(planChain("failed calls by reason last week", "by reason last week"))).toMatch(
    /^refused: The answer before/,
  ));

describe("the same of another group and figure", () => {
  it("keeps the time of the answer before", () =>
    expect(toLine(planChain("revenue by publisher last month", "same for buyers and payout"))).toBe(
      "calls: payout by buyer | last month",
    ));
});
