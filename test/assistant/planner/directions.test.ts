import { expect, it } from "vitest";
import { plan, toLine } from "./plan-line.ts";

it.each([
  ["outbound bids by buyer last week", "outbound_rtb_requests: bids by buyer | last week"],
  ["pings by publisher yesterday, inbound", "inbound_rtb_requests: pings by publisher | yesterday"],
])("a direction may stand alone: %s", (question, line) => expect(toLine(plan(question))).toBe(line));

it.each([
  ["ping volume per month by campaign", "inbound_rtb_requests: pings by month+campaign"],
  ["pings yesterday", "inbound_rtb_requests: pings | yesterday"],
])("pings without a direction come in, which is said: %s", (question, line) => {
  const outcome = plan(question);
  expect(toLine(outcome)).toBe(line);
  expect(outcome).toMatchObject({ notes: [expect.stringMatching(/those to bidders are outbound pings/)] });
});

it.each([
  ["pings by buyer", "outbound_rtb_requests: outbound_pings by buyer"],
  ["how many pings did we send", "outbound_rtb_requests: outbound_pings"],
])("pings that can only go out are taken so: %s", (question, line) => {
  expect(plan(question)).toMatchObject({ notes: [] });
  expect(toLine(plan(question))).toBe(line);
});

it.each(["outbound calls by campaign", "inbound bids by buyer", "outgoing calls last week"])(
  "there are no records of the other direction: %s",
  (question) => expect(toLine(plan(question))).toMatch(/^refused: .* have no “/),
);

it.each([
  ["calls outside of ca, tx, fl by publisher", "calls by publisher | state is_not CA/TX/FL"],
  ["payout last month to everybody except Acme Media", "payout | publisher is_not Acme Media | last month"],
  ["revenue last month, and how does it compare with September?", "revenue | last month | against September 2026"],
  ["rev per min of talk by buyer", "revenue_per_minute by buyer"],
  ["hows Acme Media doing on conv rate today", "conversion_rate | publisher is Acme Media | today"],
])("everyday words: %s", (question, line) => expect(toLine(plan(question))).toBe(`calls: ${line}`));
