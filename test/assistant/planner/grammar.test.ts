import { expect, it } from "vitest";
import { grammar } from "../../../assistant/planner/grammar/readings.ts";
import { plan, planChain, toLine } from "./plan-line.ts";

const questions: readonly (readonly [question: string, line: string])[] = [
  // One of several conditions is enough.
  [
    "how many calls failed or were shorter than 10 seconds last month",
    "calls: calls | failed is true or duration less_than 10 | last month",
  ],
  ["duplicate or failed calls by publisher", "calls: calls by publisher | duplicate is true or failed is true"],
  ["calls for Solar East or Acme Media", "calls: calls | campaign is Solar East or publisher is Acme Media"],
  ["calls from Texas or with no buyer", "calls: calls | state is TX or buyer empty "],
  [
    "how many changes were made on weekends or after 6pm",
    "audit_logs: changes | day_of_week is Saturday/Sunday or hour_of_day at_least 18",
  ],
  [
    "publishers with more than 100 calls or over $1000 in revenue",
    "calls: calls+revenue by publisher | calls more_than 100 or revenue more_than 1000",
  ],
  [
    "calls shorter than 10 seconds or longer than 10 minutes",
    "calls: calls | duration less_than 10 or duration more_than 600",
  ],
  // Each of several units is a series of them.
  ["calls in each of the last 4 weeks", "calls: calls by week | last 4 weeks"],
  ["revenue for each of the past 3 months by campaign", "calls: revenue by month+campaign | last 3 months"],
  // What is lost is an amount, where "how much did calls drop" is a change.
  [
    "how many calls had a negative profit last month and how much did we lose on them",
    "calls: calls+profit | profit less_than 0 | last month",
  ],
  ["how much did we lose in October", "calls: profit | October 2026"],
  // What the first few have together, where a list of them has the share of each.
  [
    "what percent of revenue came from the top 3 publishers last month",
    "calls: revenue by publisher | total+share of groups | last month | revenue desc 3",
  ],
  [
    "what share of calls do our two biggest buyers account for",
    "calls: calls by buyer | total+share of groups | calls desc 2",
  ],
  ["how many calls did the top 5 states send us combined", "calls: calls by state | total of groups | calls desc 5"],
  ["share of revenue by publisher, top 3", "calls: revenue by publisher | revenue desc 3"],
  // The records' own noun among several figures, and the part of each group.
  [
    "how did Solar East do last month in calls and in revenue",
    "calls: calls+revenue | campaign is Solar East | last month",
  ],
  [
    "what part of the pings from each publisher turned into a call last month",
    "inbound_rtb_requests: pings by publisher | of those called is true | last month",
  ],
  [
    "how many calls were abandoned last month, and what abandon rate does that make",
    "calls: abandoned_calls+abandon_rate | last month",
  ],
  [
    "how many incoming webhook requests came in last month and how many of them did we refuse",
    "incoming_webhook_requests: requests+refused_requests | last month",
  ],
  ["talk time distribution in one-minute steps", "calls: calls by bin:connect_duration:60"],
  [
    "delivery success rate of every webhook this month, with the number of attempts next to it",
    "outgoing_webhook_requests: delivery_rate+deliveries by webhook | this month",
  ],
  // All of an exclusion list is excluded, whatever its members are.
  [
    "calls last month excluding weekends and duplicates",
    "calls: calls | day_of_week is_not Saturday/Sunday | duplicate is false | last month",
  ],
  [
    "calls by campaign excluding repeat callers and Acme Media",
    "calls: calls by campaign | repeat is false | publisher is_not Acme Media",
  ],
  ["revenue without Texas or Florida", "calls: revenue | state is_not TX/FL"],
  // The part of a whole under a condition.
  ["what percentage of failed calls were busy", "calls: calls | failed is true | of those failure_reason is busy"],
  [
    "what percentage of converted calls were repeat callers",
    "calls: calls | converted is true | of those repeat is true",
  ],
  // What is asked of the top few.
  ["calls by state for the top publisher", "calls: calls by publisher+state | calls desc 1"],
  ["top 2 publishers per campaign by revenue", "calls: revenue by publisher+campaign | revenue desc 2"],
  // What grew or fell the most.
  [
    "which publisher grew the most in revenue last month",
    "calls: revenue by publisher | last month | against the period before | revenue desc 1",
  ],
  [
    "which campaign dropped the most in calls last month",
    "calls: calls by campaign | last month | against the period before | calls asc 1",
  ],
  ["who made the most changes last month", "audit_logs: changes by actor | last month | changes desc 1"],
  ["calls that converted but were duplicates", "calls: calls | converted is true | duplicate is true"],
  // One figure divided by another.
  ["ratio of payout to revenue by campaign", "calls: payout_per_revenue by campaign"],
  ["payout as a percentage of revenue", "calls: payout_percent_of_revenue"],
  // Steps of a number, extremes, statistics of some records.
  ["distribution of call duration in buckets of 60 seconds last month", "calls: calls by bin:duration:60 | last month"],
  ["talk time histogram, 2 minute buckets", "calls: calls by bin:connect_duration:120"],
  ["connected calls by talk time in 30 second steps", "calls: connected_calls by bin:connect_duration:30"],
  ["longest call by campaign", "calls: longest_duration by campaign"],
  ["average and highest bid per buyer", "outbound_rtb_requests: avg_bid+highest_bid by buyer"],
  ["median revenue per converted call by buyer", "calls: median_revenue by buyer | converted is true"],
  // How many, and how many of those.
  [
    "top 5 states for inbound pings and how many were filled",
    "inbound_rtb_requests: pings+filled_pings by state | pings desc 5",
  ],
  ["calls from Texas, count by campaign", "calls: calls by campaign | state is TX"],
  [
    "which buyers timed out this week and how often",
    "outbound_rtb_requests: outbound_pings by buyer | outcome is timeout | this week",
  ],
  [
    "calls sold by auction last month, count and revenue per buyer",
    "calls: calls+revenue by buyer | sold_by_auction is true | last month",
  ],
  // Parts, sides, losses, how often, and why.
  ["what percentage of calls last month came from Texas", "calls: calls | of those state is TX | last month"],
  [
    "what percentage of calls in October lasted over 2 minutes",
    "calls: calls | of those duration more_than 120 | October 2026",
  ],
  ["revenue on weekends vs weekdays", "calls: revenue by kind_of_day"],
  ["which campaigns lose money", "calls: profit by campaign | profit less_than 0 | profit asc"],
  ["calls where we lost money last month, by publisher", "calls: calls by publisher | profit less_than 0 | last month"],
  ["callers who called more than twice", "calls: calls by caller | calls more_than 2"],
  [
    "slowest 3 webhooks by average response time",
    "outgoing_webhook_requests: avg_response_time by webhook | avg_response_time desc 3",
  ],
  ["failure reasons by campaign", "calls: failed_calls by campaign+failure_reason"],
  ["why did calls fail last week", "calls: calls by failure_reason | failed is true | last week"],
  ["deliveries that needed more than 3 attempts", "outgoing_webhook_requests: messages | attempt more_than 3"],
  [
    "webhook deliveries with attempt number 4 or higher, by outcome",
    "outgoing_webhook_requests: deliveries by outcome | attempt at_least 4",
  ],
  ["bids above $40 by campaign", "outbound_rtb_requests: bids by campaign | bid more_than 40"],
  ["bids this month above $40", "outbound_rtb_requests: bids | bid more_than 40 | this month"],
  ["calls after 6pm and their revenue by campaign", "calls: calls+revenue by campaign | hour_of_day at_least 18"],
  ["top 10 calls by revenue last month", "calls: list | last month | revenue desc 10"],
  [
    "publishers with more than 100 calls but a conversion rate below 45%",
    "calls: calls+conversion_rate by publisher | calls more_than 100 | conversion_rate less_than 45",
  ],
  [
    "webhook deliveries answered with 429 or 503, by hour of day",
    "outgoing_webhook_requests: deliveries by hour_of_day | status_code is 429/503",
  ],
  ["who paused things last month and how often", "audit_logs: changes by actor | action is pause | last month"],
  // Groups told together: how many meet a condition, and the mean, least and most of a figure among buckets of time.
  [
    "how many publishers had a conversion rate below 45 percent last month",
    "calls: conversion_rate by publisher | count of groups | conversion_rate less_than 45 | last month",
  ],
  [
    "How many states with at least 20 inbound pings had a fill rate under 75 percent?",
    "inbound_rtb_requests: pings+fill_rate by state | count of groups | pings at_least 20 | fill_rate less_than 75",
  ],
  ["on how many days did revenue exceed 600", "calls: revenue by day | count of groups | revenue more_than 600"],
  [
    "how many webhooks had more than 10 failed deliveries last week",
    "outgoing_webhook_requests: failed_deliveries by webhook | count of groups | failed_deliveries more_than 10 | last week",
  ],
  [
    "average, least and most calls per day last month",
    "calls: calls by day | average+least+most of groups | last month",
  ],
  ["lowest and highest weekly revenue", "calls: revenue by week | least+most of groups"],
  // Several statistics of one number.
  ["median and p95 wait time by target", "calls: median_wait_time+p95_wait_time by target"],
  [
    "what were the lowest, the average and the highest bid of each buyer",
    "outbound_rtb_requests: lowest_bid+avg_bid+highest_bid by buyer",
  ],
  // What limits the question from outside, how many of those, and what a second half asks for.
  [
    "conversion rate per buyer for October, leaving out buyers with fewer than 40 calls",
    "calls: conversion_rate+calls by buyer | calls at_least 40 | October 2026",
  ],
  [
    "best buyer by EPC, counting only buyers with at least 100 connected calls",
    "calls: epc+connected_calls by buyer | connected_calls at_least 100 | epc desc 1",
  ],
  ["looking only at winning bids, highest bid by buyer", "outbound_rtb_requests: highest_bid by buyer | won is true"],
  [
    "If we only look at calls that lasted longer than three minutes, what is our margin by campaign?",
    "calls: margin by campaign | duration more_than 180",
  ],
  [
    "When I look only at weekends, how many deliveries failed by webhook?",
    "outgoing_webhook_requests: deliveries by webhook | day_of_week is Saturday/Sunday | failed is true",
  ],
  [
    "If we restrict ourselves to pings from Texas, what is the fill rate by publisher?",
    "inbound_rtb_requests: fill_rate by publisher | state is TX",
  ],
  [
    "Which hour brings the most calls, if we look at weekends only?",
    "calls: calls by hour_of_day | day_of_week is Saturday/Sunday | calls desc 1",
  ],
  ["When I leave out duplicates, what is the conversion rate?", "calls: conversion_rate | duplicate is false"],
  ["conversion rate by state when duplicates are left out", "calls: conversion_rate by state | duplicate is false"],
  [
    "Setting weekends aside, how many calls failed?",
    "calls: calls | day_of_week is_not Saturday/Sunday | failed is true",
  ],
  [
    "conversion rate by state, as long as the state had at least 40 calls",
    "calls: conversion_rate+calls by state | calls at_least 40",
  ],
  ["Which publisher is the best, judged by profit?", "calls: profit by publisher | profit desc 1"],
  [
    "If we judge by the share that converts, which buyer is the worst?",
    "calls: conversion_rate by buyer | conversion_rate asc 1",
  ],
  ["By win rate, which bidder is the best?", "outbound_rtb_requests: win_rate by buyer | win_rate desc 1"],
  [
    "how many calls came from a ping and how many of those converted",
    "calls: calls+converted_calls | from_ping is true",
  ],
  ["how many calls converted and how many failed", "calls: converted_calls+failed_calls"],
  [
    "how many campaign updates were made last month",
    "audit_logs: changes | entity_type is campaign | action is update | last month",
  ],
  ["revenue last month and how many of the calls failed", "calls: revenue+failed_calls | last month"],
  [
    "what did we pay last week and how many of the calls were duplicates",
    "calls: payout+calls+duplicate_calls | last week",
  ],
  ["which of our publishers has the best margin", "calls: margin by publisher | margin desc 1"],
  ["which of our publishers have the best margin", "calls: margin by publisher | margin desc 10"],
  [
    "how many changes came through the API and how many from real people, by month",
    "audit_logs: changes by month+actor_type | actor_type is api_key/user",
  ],
  ["calls without any utm_source: count, revenue", "calls: calls+revenue | tag:utm_source empty "],
  ["which calls converted yesterday", "calls: list | converted is true | yesterday | 100"],
  ["calls that were connected for at least 60 seconds", "calls: calls | connect_duration at_least 60"],
  ["calls answered within 20 seconds", "calls: connected_calls | wait_time at_most 20"],
  [
    "which five states account for the largest share of calls this quarter, and what share is it",
    "calls: calls by state | this quarter | calls desc 5",
  ],
  // The day of a month, the number of an attempt.
  ["calls on the 17th", "calls: calls | 2026-11-17"],
  ["calls from the 1st to the 15th of October", "calls: calls | 2026-10-01 to 2026-10-15"],
  ["calls on the 3rd vs the 10th", "calls: calls | 2026-11-03 | against 2026-11-10"],
  ["deliveries on the third attempt", "outgoing_webhook_requests: deliveries | attempt is 3"],
  [
    "list the webhook deliveries that were on their 6th attempt or later",
    "outgoing_webhook_requests: list | attempt at_least 6 | 100",
  ],
  ["90th percentile of duration", "calls: p90_duration"],
  // A part of each group, and what was changed.
  [
    "what percentage of each publisher's calls last month were shorter than 30 seconds",
    "calls: calls by publisher | of those duration less_than 30 | last month",
  ],
  // A call is a list of its own.
  [
    "timeline of call 01a0a1a3-50f9-74a3-b88f-19162077a1e4",
    "calls: list | call is 01a0a1a3-50f9-74a3-b88f-19162077a1e4 | 100",
  ],
  // Alternatives of one list, who pays whom, the other side, both ends, rates in ranks, reasons and whens.
  [
    "who ends the calls of Acme Media, caller or target?",
    "calls: calls by ended_by | publisher is Acme Media | ended_by is caller/target",
  ],
  [
    "changes by week: people vs api keys vs system",
    "audit_logs: changes by week+actor_type | actor_type is user/api_key/system",
  ],
  [
    "calls in October where the publisher was paid but the buyer did not pay, by campaign",
    "calls: calls by campaign | payable is true | receivable is false | October 2026",
  ],
  ["how many calls did we not have to pay for last month", "calls: calls | payable is false | last month"],
  [
    "which buyer timed out most often, as a percentage of requests",
    "outbound_rtb_requests: timeout_rate by buyer | timeout_rate desc 1",
  ],
  ["profit of calls sold by auction compared with calls that were not", "calls: profit by sold_by_auction"],
  ["which campaign earned the most revenue and which one the least", "calls: revenue by campaign | revenue desc"],
  [
    "payout by lead type, leaving out calls without a lead type",
    "calls: payout by tag:lead type | tag:lead type not_empty ",
  ],
  ["English vs Spanish (language tag): revenue per call", "calls: rpc by tag:language | tag:language is en/es"],
  ["when was a campaign last paused, and by whom", "audit_logs: list | entity_type is campaign | action is pause | 1"],
  [
    "who deleted campaigns last month and when",
    "audit_logs: list | action is delete | entity_type is campaign | last month | 100",
  ],
  ["at what hours do bids time out most often", "outbound_rtb_requests: timeouts by hour_of_day | timeouts desc 10"],
  [
    "why are Acme Media pings not getting a route",
    "inbound_rtb_requests: pings by reason | publisher is Acme Media | filled is false",
  ],
  ["why do outbound pings come to nothing, by buyer", "outbound_rtb_requests: fruitless_pings by buyer+reason"],
  [
    "what did webhook deliveries fail of last week",
    "outgoing_webhook_requests: deliveries by error_class | failed is true | last week",
  ],
  [
    "how many requests repeated a transaction id we had already seen, by type",
    "incoming_webhook_requests: requests+repeated_requests by type",
  ],
  ["how many postback retries per webhook this month", "outgoing_webhook_requests: retries by webhook | this month"],
  ["how much revenue came from publisher pings this month", "calls: revenue | from_ping is true | this month"],
  [
    "has the conversion rate improved this month compared with last month",
    "calls: conversion_rate | this month | against last month, same part",
  ],
  [
    "which publisher lost the most revenue, October vs September",
    "calls: revenue by publisher | October 2026 | against September 2026 | revenue asc 1",
  ],
  ["how many calls in October had a negative profit", "calls: calls | profit less_than 0 | October 2026"],
  ["each publisher's pings last week", "inbound_rtb_requests: pings by publisher | last week"],
  ["which buyer keeps callers waiting the longest on average", "calls: avg_wait_time by buyer | avg_wait_time desc 1"],
  [
    "calls by campaign, this month vs last",
    "calls: calls by campaign | this month | against the month before this month, same part",
  ],
  // Phrases that mean nothing of the records that are named are read as single words.
  ["payout of calls received after 6 pm", "calls: payout | hour_of_day at_least 18"],
  ["changes per week by people only", "audit_logs: changes by week | actor_type is user"],
  [
    "changes after 6pm by people rather than by the system or an API key",
    "audit_logs: changes | hour_of_day at_least 18 | actor_type is user",
  ],
  // A count and its rate, several conditions of a part, both ends, what came to nothing, whens.
  [
    "how many duplicate calls did each publisher send, and what percentage of its calls is that",
    "calls: duplicate_calls+duplicate_rate by publisher",
  ],
  [
    "what percent of calls lasted less than 10 seconds and did not connect",
    "calls: calls | of those duration less_than 10 | of those connected is false",
  ],
  ["best and worst publisher by margin", "calls: margin by publisher | margin desc"],
  ["is our ROI better on weekdays or on weekends", "calls: roi by kind_of_day"],
  ["what was the single longest call last month", "calls: list | last month | duration desc 1"],
  [
    "for each publisher, how many of their calls were answered and how many were billable",
    "calls: connected_calls+receivable_calls by publisher",
  ],
  ["how many deliveries went out and how many needed a retry", "outgoing_webhook_requests: deliveries+retries"],
  ["compare the profit of October with that of September", "calls: profit | October 2026 | against September 2026"],
  [
    "how much did Acme Media and Red Hill each get in payout per month",
    "calls: payout by month+publisher | publisher is Acme Media/Red Hill",
  ],
  ["revenue last week and the week before", "calls: revenue | last week | against the period before"],
  // A count of one period beside another's.
  [
    "how many calls converted in October, and how many in September",
    "calls: converted_calls | October 2026 | against September 2026",
  ],
  // Rankings by what stands behind.
  ["busiest hour on weekends", "calls: calls by hour_of_day | day_of_week is Saturday/Sunday | calls desc 1"],
  ["what was our best day ever in terms of revenue", "calls: revenue by day | revenue desc 1"],
  [
    "which outgoing webhook is slowest at p95",
    "outgoing_webhook_requests: p95_response_time by webhook | p95_response_time desc 1",
  ],
  [
    "at what time of day do webhooks time out",
    "outgoing_webhook_requests: deliveries by hour_of_day | outcome is timeout",
  ],
  // Values of one list are its groups, or named one after the other.
  [
    "changes per week split by user / api / system",
    "audit_logs: changes by week+actor_type | actor_type is user/api_key/system",
  ],
  [
    "delivery rate by method, GET POST PUT",
    "outgoing_webhook_requests: delivery_rate by method | method is GET/POST/PUT",
  ],
  // The last word of a kind that was named before means that kind.
  ["calls by utm_source, ignore the ones w/o a source", "calls: calls by tag:utm_source | tag:utm_source not_empty "],
  // A part under two conditions, a figure beside the count, and times that are no dollars.
  [
    "what percentage of October calls was payable but not receivable",
    "calls: calls | of those payable is true | of those receivable is false | October 2026",
  ],
  ["calls per month with the conversion rate", "calls: calls+conversion_rate by month"],
  ["calls by campaign last month, with revenue and profit", "calls: calls+revenue+profit by campaign | last month"],
  ["loss-making calls in September: how many", "calls: calls | profit less_than 0 | September 2026"],
  ["what did Acme Media bring in and what did we pay them for it", "calls: revenue+payout | publisher is Acme Media"],
  // What incoming webhooks do, and what came of pings.
  [
    "revenue updates from incoming hooks that got rejected, reasons?",
    "incoming_webhook_requests: requests by reason | type is update_revenue | failed is true",
  ],
  ["callers with 4 or more calls and what they brought in", "calls: calls+revenue by caller | calls at_least 4"],
  ["what do we earn per ping by campaign", "inbound_rtb_requests: revenue_per_ping by campaign"],
  ["average wait time by target, only over 10 seconds", "calls: avg_wait_time by target | avg_wait_time more_than 10"],
  ["calls that waited over 20 secs before pickup, by target", "calls: calls by target | wait_time more_than 20"],
  [
    "calls with a wait of more than 45 seconds as a percentage of all connected calls",
    "calls: calls | connected is true | of those wait_time more_than 45",
  ],
  ["failed calls as a percentage of all calls from Texas", "calls: failure_rate | state is TX"],
  [
    "publishers ranked by share of calls under 30 seconds",
    "calls: calls by publisher | of those duration less_than 30 | calls desc 10",
  ],
  ["what share of Texas calls went to each buyer", "calls: calls by buyer | state is TX"],
  [
    "Thursday vs Friday calls last 8 weeks",
    "calls: calls by day_of_week | day_of_week is Thursday/Friday | last 8 weeks",
  ],
  ["compare the abandon rate in business hours with that after hours", "calls: abandon_rate by hours:work"],
  [
    "which entities were paused most often, and by whom?",
    "audit_logs: changes by entity+actor | action is pause | changes desc 10",
  ],
  [
    "for pings without a route, what were the reasons and how often did each occur in the last 6 weeks?",
    "inbound_rtb_requests: pings by reason | filled is false | last 6 weeks",
  ],
  ["what did duplicates cost us last month", "calls: payout | duplicate is true | last month"],
  ["profit from repeat callers as % of total profit", "calls: profit | of those repeat is true"],
  ["Texas's share of weekend calls", "calls: calls | day_of_week is Saturday/Sunday | of those state is TX"],
  ["match rate for incoming webhooks by type", "incoming_webhook_requests: match_rate by type"],
  ["calls per week since labor day, sept 7", "calls: calls by week | since Labor Day 2026-09-07"],
  ["which buyer answers the worst", "calls: connect_rate by buyer | connect_rate asc 1"],
  ["oldest 5 calls last month", "calls: list | last month | started_at asc 5"],
  ["calls today, oldest first", "calls: list | today | started_at asc 100"],
  ["calls over 10 minutes last week, list them all", "calls: list | duration more_than 600 | last week | 100"],
  ["longest call this week by campaign", "calls: longest_duration by campaign | this week"],
  [
    "maximum, minimum and average payout on payable calls",
    "calls: max_payout+min_payout+payout_per_call | payable is true",
  ],
  ["min max and avg revenue per buyer", "calls: min_revenue+max_revenue+rpc by buyer"],
  ["which target has the longest wait, median", "calls: median_wait_time by target | median_wait_time desc 1"],
  ["ratio of failed to completed calls by publisher", "calls: failed_calls_per_completed_calls by publisher"],
  ["missed vs answered ratio by target", "calls: failed_calls_per_connected_calls by target"],
  ["calls per publisher on average", "calls: calls by publisher | average of groups"],
  ["calls per state, sorted descending", "calls: calls by state | calls desc"],
  ["which buyer is the 2nd biggest by revenue", "calls: revenue by buyer | revenue desc 1 | behind 1"],
  ["revenue histogram per call in $20 steps", "calls: calls by bin:revenue:20"],
  [
    "how many days last month did we lose money",
    "calls: profit by day | count of groups | profit less_than 0 | last month",
  ],
  ["calls that didn't convert, Texas", "calls: calls | converted is false | state is TX"],
  ["7 day moving average of calls per day across october", "calls: calls by day | October 2026 | mean of 7"],
  [
    "revenue from Ohio and Georgia together this month, just one number",
    "calls: revenue | state is OH/GA | this month",
  ],
  ["per target, how long did callers wait on average until somebody picked up", "calls: avg_wait_time by target"],
  [
    "did we connect better in business hours or after hours in october? connect rate for both",
    "calls: connect_rate by hours:work | October 2026",
  ],
];
it.each(questions)("the grammar reads: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

it.each([
  ["which publisher sent the most calls and when", /single calls or show figures/],
  ["calls by state and when", /single calls or show figures/],
  ["webhooks failing right now", /Over which time/],
  ["currently failing webhooks", /Over which time/],
  ["moving average of calls last month", /of how many days/],
  ["last 50 calls sorted by revenue", /the latest calls, or those that rank highest/],
  ["whose conversion rate dropped last month", /What should I rank/],
  ["p95 response time by webhook, just those with more than 100 attempts", /ask for the requests themselves/],
  ["did our connect rate get better or worse since last month", /hold those two periods/],
])("what no plan can say is named: %s", (question, named) => {
  const outcome = plan(question);
  expect(outcome.kind).not.toBe("plan");
  expect(toLine(outcome)).toMatch(named);
});

it.each([
  ["how many calls do we get on an average weekday in October", "day", "kind_of_day"],
  ["calls on a typical day last month", "day", null],
  ["calls by campaign last month, as an average per week", "week", null],
  ["what's our daily average of calls last month", "day", null],
])("so many in each unit of time are an average: %s", (question, unit, grain) =>
  expect(plan(question)).toMatchObject({ plan: { average_per: unit, grain } }),
);

it("a follow-up for the records' own thing keeps the figure", () =>
  expect(toLine(planChain("failed deliveries yesterday", "which hook"))).toBe(
    "outgoing_webhook_requests: failed_deliveries by webhook | yesterday",
  ));

it.each([
  [
    "which publisher had the most calls last month",
    "and the least?",
    "calls: calls by publisher | last month | calls asc 1",
  ],
  ["revenue from Texas last month", "and how much of that was payout?", "calls: payout | state is TX | last month"],
  [
    "calls sold by auction last month",
    "how much revenue did those calls bring in?",
    "calls: revenue | sold_by_auction is true | last month",
  ],
  ["duplicate calls last month", "how much payout on those?", "calls: payout | duplicate is true | last month"],
  [
    "failed webhook deliveries last week by day",
    "as failure rate instead",
    "outgoing_webhook_requests: delivery_failure_rate by day | last week",
  ],
  [
    "profit per day last month",
    "weekends out pls",
    "calls: profit by day | day_of_week is_not Saturday/Sunday | last month",
  ],
  [
    "calls from Texas last month",
    "how many of them converted, and what revenue did they make",
    "calls: calls+revenue | state is TX | converted is true | last month",
  ],
  [
    "calls per hour of day last month",
    "split it by weekday / weekend",
    "calls: calls by hour_of_day+kind_of_day | last month",
  ],
  [
    "which buyer paid us the most last month",
    "and which one paid the least",
    "calls: revenue by buyer | last month | revenue asc 1",
  ],
  ["calls per day this month", "put the profit next to it", "calls: calls+profit by day | this month"],
  [
    "timeouts by buyer this month",
    "is that more than last month?",
    "outbound_rtb_requests: timeouts by buyer | this month | against last month, same part",
  ],
])("the grammar goes on: %s … %s", (question, more, line) => expect(toLine(planChain(question, more))).toBe(line));

it("every symbol in small letters has a production, and every production a place", () => {
  const said = [...grammar.values()].flat().flatMap(({ symbols }) => symbols.flatMap(({ names }) => names));
  const symbols = new Set(said.map((name) => name.replace(/^[!&~]/, "")).filter((name) => /^[a-z]/.test(name)));
  expect([...symbols].filter((name) => !grammar.has(name))).toEqual([]);
  expect([...grammar.keys()].filter((name) => !symbols.has(name))).toEqual(["edit"]);
});
