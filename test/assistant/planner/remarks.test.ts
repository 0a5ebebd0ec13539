import { describe, expect, it } from "vitest";
import { plan, planChain, planNamed, toLine } from "./plan-line.ts";

/** The question, the plan that it has, and what the answer says it left out. */
const remarks: readonly [question: string, line: string, aside: string][] = [
  // What the figures are for.
  ["profit by buyer last month, podcast spend review", "profit by buyer | last month", "podcast spend review"],
  [
    "calls by target yesterday, need it for the daily ops sync",
    "calls by target | yesterday",
    "need it for the daily ops sync",
  ],
  ["For the accruals I need payout by publisher in october", "payout by publisher | October 2026", "For the accruals"],
  [
    "For my quarterly review: profit by buyer last quarter",
    "profit by buyer | last quarter",
    "For my quarterly review",
  ],
  ["profit by month this year for the investor deck", "profit by month | this year", "for the investor deck"],
  [
    "profit by month this year, as input for budget planning",
    "profit by month | this year",
    "as input for budget planning",
  ],
  ["QBR prep meeting - margin by buyer last quarter", "margin by buyer | last quarter", "QBR prep meeting"],
  [
    "ahead of the board meeting, profit by month this year",
    "profit by month | this year",
    "ahead of the board meeting",
  ],
  [
    "payout by publisher last month, it's for the vendor review",
    "payout by publisher | last month",
    "for the vendor review",
  ],
  [
    "payout by publisher last month to send to our accountant",
    "payout by publisher | last month",
    "to send to our accountant",
  ],
  [
    "For the month-end close I would like to know the payout by publisher last month",
    "payout by publisher | last month",
    "For the month-end close",
  ],
  // What somebody means to do with them.
  [
    "margin per week this quarter, to show the trend to the investors.",
    "margin by week | this quarter",
    "to show the trend to the investors",
  ],
  ["To prepare the pitch I need calls by state last month", "calls by state | last month", "To prepare the pitch"],
  [
    "Trying to decide where to push more budget. Profit by state last month?",
    "profit by state | last month",
    "Trying to decide where to push more budget",
  ],
  [
    "I'm trying to figure out where we bleed - margin by publisher last quarter",
    "margin by publisher | last quarter",
    "I'm trying to figure out where we bleed",
  ],
  [
    "Working on the budget. Can I get the profit by campaign for last month?",
    "profit by campaign | last month",
    "Working on the budget",
  ],
  [
    "I'm preparing the monthly report, can you give me profit by campaign for last month",
    "profit by campaign | last month",
    "I'm preparing the monthly report",
  ],
  [
    "Putting together slides for the investors, profit by month this year",
    "profit by month | this year",
    "Putting together slides for the investors",
  ],
  [
    "Just got out of a meeting. Show me failed calls by buyer this week",
    "failed_calls by buyer | this week",
    "Just got out of a meeting",
  ],
  [
    "Planning holiday staffing - calls by hour of day in october",
    "calls by hour_of_day | October 2026",
    "Planning holiday staffing",
  ],
  [
    "failed calls by hour of day in october, want to know when it stings",
    "failed_calls by hour_of_day | October 2026",
    "want to know when it stings",
  ],
  [
    "margin by campaign last week - curious whether the relaunch worked",
    "margin by campaign | last week",
    "curious whether the relaunch worked",
  ],
  // Where the question has a time of its own, that of a remark is another.
  [
    "profit by campaign last month, for the october meeting",
    "profit by campaign | last month",
    "for the october meeting",
  ],
  [
    "profit by campaign last month, to prepare the forecast",
    "profit by campaign | last month",
    "to prepare the forecast",
  ],
  // Who asks, and what they feel.
  [
    "cfo wants a summary in 20 min, profit and payout by buyer last month",
    "profit+payout by buyer | last month",
    "cfo wants a summary in 20 min",
  ],
  ["profit by campaign last month, the board is nagging", "profit by campaign | last month", "the board is nagging"],
  ["The CFO wants to know the margin by buyer last month", "margin by buyer | last month", "The CFO wants"],
  [
    "Our accountant needs the payout by publisher for october",
    "payout by publisher | October 2026",
    "Our accountant needs",
  ],
  [
    "duplicate calls by publisher last week pls. smells like junk traffic",
    "duplicate_calls by publisher | last week",
    "smells like junk traffic",
  ],
  ["failed calls by target yesterday, looks weird", "failed_calls by target | yesterday", "looks weird"],
];

describe("a remark that carries no condition", () => {
  it.each(remarks)("is left out, and the answer says so: %s", (question, line, aside) => {
    const outcome = plan(question);
    expect(toLine(outcome)).toBe(`calls: ${line}`);
    expect(outcome).toMatchObject({ notes: [`I left out “${aside}”.`] });
  });
  it("may stand at both ends", () =>
    expect(plan("Working on the audit - payout by publisher last month, boss is waiting")).toMatchObject({
      notes: ["I left out “Working on the audit”.", "I left out “boss is waiting”."],
    }));
  it("may stand beside a follow-up that is a question of its own", () =>
    expect(toLine(planChain("calls by state last week", "profit by buyer last month, need it for the audit"))).toBe(
      "calls: profit by buyer | last month",
    ));
  it.each([
    ["Doing invoices - what do we owe Red Hill for october?", "I left out “Doing invoices”."],
    ["what do we owe Red Hill for october", undefined],
  ])("takes none of what is said of money that is owed: %s", (question, aside) =>
    expect(plan(question)).toMatchObject({
      kind: "plan",
      plan: { measures: ["payout"] },
      notes: [
        ...(aside === undefined ? [] : [aside]),
        "What has been paid since is not known here; this is what the calls came to.",
      ],
    }),
  );
});

describe("a question among what people say around it", () => {
  it.each([
    [
      "Good morning! Hope you're having a lovely Saturday :) could you tell me how many calls came in today? I've got an early check-in with the team",
      "calls | today",
      ["Hope you're having a lovely Saturday", "I've got an early check-in with the team"],
    ],
    [
      "sorry to bug you again, just need the connect rate per publisher for last month because Red Hill keeps asking. thx a million!",
      "connect_rate by publisher | last month",
      ["sorry to bug you again", "because Red Hill keeps asking"],
    ],
    [
      "trying to set the timer right and the average is kinda useless for that, whats the 90th percentile of call duration for each target",
      "p90_duration by target",
      ["trying to set the timer right and the average is kinda useless for that"],
    ],
    [
      "gotta have the talk with a few affiliates next week, so which publishers have a conversion rate under 30% this month",
      "conversion_rate by publisher | conversion_rate less_than 30 | this month",
      ["gotta have the talk with a few affiliates next week"],
    ],
    [
      "hope your coffee is strong today ☕ can I get the calls per campaign for last week",
      "calls by campaign | last week",
      ["hope your coffee is strong today"],
    ],
    ["Hiii one more thing: calls by buyer last month, lol", "calls by buyer | last month", []],
  ])("is read: %s", (question, line, left) =>
    expect([toLine(plan(question)), plan(question)]).toMatchObject([
      `calls: ${line}`,
      { notes: left.map((each) => `I left out “${each}”.`) },
    ]),
  );
  it.each([
    [
      "Red Hill is wondering why their check looks small, could you show what we paid them each week since the start of October?",
      "payout by week | publisher is Red Hill | since October 2026",
      "them",
    ],
    [
      "got a call with Sunny Group in 10 min, how much did they spend with us in october",
      "revenue | buyer is Sunny Group | October 2026",
      "they",
    ],
  ])("is about whom the pronoun stands for: %s", (question, line, pronoun) => {
    const outcome = plan(question);
    expect(toLine(outcome)).toBe(`calls: ${line}`);
    expect(outcome).toMatchObject({
      notes: expect.arrayContaining([expect.stringContaining(`I read “${pronoun}” as`)]) as unknown,
    });
  });
  it.each([
    "Which campaigns cost us more than $200 in payout? I would love to see what their revenue did meanwhile.",
    "On how many calls did the buyer pay us but we paid the publisher nothing?",
    "Red Hill and Acme Media are upset, how many calls did they send last month?",
    "Red Hill is upset, so how many calls failed last month?",
  ])("is not read without what it asks for besides, or whom it is about: %s", (question) =>
    expect(plan(question).kind).not.toBe("plan"),
  );
});

describe("a wish for a chart", () => {
  it.each([
    ["calls per day in october, line chart would be nice", "line"],
    ["calls by campaign last week, a pie would be great!", "pie"],
    ["calls by campaign last week as a table would be perfect", "table"],
    ["calls by campaign last week, a table is fine", "table"],
    ["share of calls by campaign last week, as a pie if thats possible", "pie"],
  ])("is granted: %s", (question, chart) =>
    expect(plan(question)).toMatchObject({ kind: "plan", plan: { chart }, notes: [] }),
  );
});

describe("thanks in other words", () => {
  it.each(["Many thanks!", "ty", "tia", "Much appreciated.", "appreciate it"])("say nothing: %s", (thanks) =>
    expect(plan(`calls by buyer last month. ${thanks}`)).toEqual(plan("calls by buyer last month")),
  );
});

describe("all of the history", () => {
  it.each(["whole history", "over all the data", "for our entire history", "across all of our data"])(
    "has no period: %s",
    (said) => expect(toLine(plan(`profit by campaign ${said}`))).toBe("calls: profit by campaign"),
  );
});

describe("what may be a condition", () => {
  it.each([
    // Which records, in words that are not known.
    "calls by cohort",
    "profit by campaign, by vendor tier",
    "profit by campaign last month, vendor tier",
    "profit by campaign last month, premium vendors",
    "calls by state last week, gold customers",
    "Gold customers. Calls by state last week?",
    "calls by state last week - silver members",
    "calls by state last week, for the insurance vertical",
    "For premium vendors, calls last month by campaign",
    "calls by state last week, for legal",
    "calls by state last week, legal leads",
    "calls by state last week, home finance",
    "calls by state last week, for estate planning",
    "calls by state last week, for the home owner",
    "calls by state last week, customer review",
    "calls by state last week, team a",
    "calls by state last week, building permits",
    "calls by state last week, working on cars",
    "Urgent care: calls by state last week",
    "calls by state last week, asking for a refund",
    "calls by state last week, they smoke",
    "calls by state last week, I meant gold",
    // Within what would be a remark.
    "calls by state last week, need it for premium vendors",
    "calls by state last week, need it for finance without Texas",
    "calls by state last week, trying to understand gold customers",
    "calls by state last week, to show gold customers",
    "calls by state last week, looks like only the vip ones",
    "calls by state last week, curious whether gold customers rang",
    "calls by state last week, unsure whether they were gold",
    "calls by state last week, trying to decide which vendors to cut under 30% margin",
    "calls by state last week, preparing for tier 2",
    "calls by state last week, closing only",
    // How the answer is to look, what else is asked for, whom it is about.
    "calls by publisher last month, my boss wants it by week",
    "calls by publisher last month, my boss likes to see it daily",
    "calls by buyer last month, he wants the top three",
    "calls by buyer last month, the list should have ten rows",
    "I want it sorted by name. calls by buyer last month",
    "i'm on pacific time, calls by hour yesterday",
    "calls by state last month, we stopped Texas in October so leave it out",
    "i handle florida, calls by campaign last week",
    "texas is hot, how many calls failed last week",
    "I got a complaint from a caller in Ohio, how many calls failed by target last week",
    "calls by buyer last month, he asked about september",
    "a good call is a billed one for us. calls by publisher last week",
    "Red Hill is upset with their conversion rate, what is it for last month",
    "I wonder how many spanish speaking callers we had, how many calls converted by campaign",
    "we joined in september, revenue by month",
    "my boss asked about states. calls last month",
    "calls by campaign last month, the tests are not interesting",
    // Corrections.
    "calls by buyer last month, actually this month",
    "calls by buyer last month, or rather this month",
    "Planning the work, except for gold customers - calls by state last week",
    "For everyone but finance, calls by state last week",
    // Names, periods, facts, groups.
    "profit by campaign last month, for the Texas review",
    "profit by campaign last month, for the Zenith review",
    "profit by campaign last month, for the converted calls review",
    "profit by campaign last month, for the publisher review",
    "profit by campaign last month, to explain the drop since monday",
    "profit last month, to show the trend to the board",
    // The rest is no question by itself.
    "For the audit, calls by cohort",
    "For the board deck I need calls by cohort last month",
    "my boss wants the zorblatt by campaign last month",
    "Doing invoices - what do we owe Nobody Media for october?",
    "profit for the board deck",
    "Doing cleanup - delete the calls from last week",
  ])("is not left out: %s", (question) => expect(toLine(plan(question))).toMatch(/^(refused|clarify): /));

  it("is the name of a campaign, whatever else it may say", () =>
    expect(planNamed(["Finance", "Solar"], "calls by state last week, need it for finance audit").kind).not.toBe(
      "plan",
    ));
  it.each([
    ["profit by campaign last month, need it to delete the drafts", /./],
    ["boss wants the api key, profit by campaign last month", /secrets/],
    ["Preparing the audit. Show me the passwords by campaign last month", /secrets/],
    ["budget by campaign last month", /paid, owed or agreed/],
    ["unpaid invoices by buyer, need it for the audit", /paid, owed or agreed/],
    ["profit by campaign last month, budget", /paid, owed or agreed/],
    ["calls per day in october, churn would be nice", /churn/],
  ])("refuses for its own reason: %s", (question, sentence) =>
    expect(toLine(plan(question))).toMatch(new RegExp(`^(refused|clarify): .*${sentence.source}`)),
  );
});
