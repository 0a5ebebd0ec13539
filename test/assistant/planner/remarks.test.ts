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
  // What is asked again in other words.
  [
    "Is it true that calls after 6pm convert worse? conversion rate by part of day last month",
    "conversion_rate by part_of_day | last month",
    "Is it true that calls after 6pm convert worse",
  ],
  [
    "Show me how dependent we are on each buyer: share of revenue by buyer last month",
    "revenue by buyer | last month",
    "Show me how dependent we are on each buyer",
  ],
  [
    "anything odd last month? failed calls by reason",
    "failed_calls by failure_reason | last month",
    "anything odd last month",
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
    ["To plan shifts, show me calls by hour of day last week.", "calls by hour_of_day | last week", ["To plan shifts"]],
    [
      "My boss thinks weekends are a waste of money, so what is our profit on weekends versus weekdays last month?",
      "profit by kind_of_day | last month",
      ["My boss thinks weekends are a waste of money"],
    ],
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
    [
      "I'm trying to figure out whether we should drop Red Hill; what was our profit from them last month?",
      "profit | publisher is Red Hill | last month",
      "them",
    ],
    [
      "We suspect Red Hill sends us the same people again. What is their duplicate rate by month?",
      "duplicate_rate by month | publisher is Red Hill",
      "their",
    ],
    [
      "The new menu went live on November 2. What was the average talk time by week since then?",
      "acl by week | since 2026-11-02",
      "since then",
    ],
    [
      "Red Hill is upset with their conversion rate, what is it for last month",
      "conversion_rate | publisher is Red Hill | last month",
      "it",
    ],
    [
      "Red Hill says they sent more calls this week than last. How many did they send by week since October 1",
      "calls by week | publisher is Red Hill | since 2026-10-01",
      "how many",
    ],
  ])("is about whom or when the pronoun stands for: %s", (question, line, pronoun) => {
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
    "my lead asked for a campaign table with calls, conversions and revenue, October compared to September",
    "zorblatt check: calls last week",
  ])("is not read without what it asks for besides, or whom it is about: %s", (question) =>
    expect(plan(question).kind).not.toBe("plan"),
  );
});

describe("what nobody listed", () => {
  it.each([
    [
      "Client is complaining about dupes. Which affiliate sent the most duplicate calls last week?",
      "duplicate_calls by publisher | last week | duplicate_calls desc 1",
    ],
    [
      "need to kill some publishers. which ones had a negative profit in October?",
      "profit by publisher | profit less_than 0 | October 2026 | profit asc",
    ],
    [
      "Client call in 10 min. What share of our october revenue came from Red Hill?",
      "revenue | of those publisher is Red Hill | October 2026",
    ],
    [
      "We had a phone outage on November 3rd I think. Failed calls on that day by reason pls",
      "failed_calls by failure_reason | 2026-11-03",
    ],
    [
      "I suspect our evening traffic is worse than our morning traffic - show me the conversion rate by part of day for the last 4 weeks.",
      "conversion_rate by part_of_day | last 4 weeks",
    ],
    [
      "someone in the buyer channel said callers r sitting there ringing forever, what was the average time to answer by target over the last 7 days",
      "avg_wait_time by target | last 7 days",
    ],
    ["Standup in 5: failed calls by target yesterday", "failed_calls by target | yesterday"],
    ["For tomorrow's standup: failed calls by target yesterday", "failed_calls by target | yesterday"],
    ["Quick sanity check, calls by hour yesterday", "calls by hour | yesterday"],
    ["payout by publisher last month because finance won't stop calling", "payout by publisher | last month"],
    ["It's been a crazy week! How many calls did we get yesterday?", "calls | yesterday"],
    [
      "Before I call the vendor back: duplicate calls by publisher last week",
      "duplicate_calls by publisher | last week",
    ],
    [
      "Thank you for yesterday's numbers, everyone loved them!! Now could I get the calls by target last week?",
      "calls by target | last week",
    ],
    ["Got burned by this before: duplicate calls by publisher last month", "duplicate_calls by publisher | last month"],
    ["The new guy broke something, failed calls by target yesterday", "failed_calls by target | yesterday"],
    ["calls by target yesterday. The floor lead swears nobody slept", "calls by target | yesterday"],
    ["my dashboard shows 500. calls by publisher last week", "calls by publisher | last week"],
    [
      "I am preparing a slide on missed calls, so please give me the missed calls per buyer this week",
      "failed_calls by buyer | this week",
    ],
    // Verbs and adjectives are told by how they stand, not by a list.
    [
      "Client keeps grumbling about junk. Duplicate calls by publisher last week",
      "duplicate_calls by publisher | last week",
    ],
    ["Red Hill disputed half the bill: payout for Red Hill last month", "payout | publisher is Red Hill | last month"],
    ["failed calls by target last week, they contest the payout", "failed_calls by target | last week"],
    ["talk time by buyer last month, for the telco bill", "talk_time by buyer | last month"],
    [
      "on the phone with Red Hill in 5 min, what did we pay Red Hill last week",
      "payout | publisher is Red Hill | last week",
    ],
    ["Trying to figure out whether we need more staff. Calls by hour yesterday", "calls by hour | yesterday"],
    [
      "Our ad lead asked me for calls by week since September; could you show that?",
      "calls by week | since September 2026",
    ],
    [
      "My lead asked for a table with calls and revenue by campaign last month. Can you do that?",
      "calls+revenue by campaign | last month",
    ],
    ["profit by campaign last month, need it to delete the drafts", "profit by campaign | last month"],
    [
      "are our callers converting? conversion rate by publisher last month",
      "conversion_rate by publisher | last month",
    ],
    ["who is best? conversion rate by publisher last month", "conversion_rate by publisher | last month"],
    // Whole sentences: who asks, in which role, why and what for.
    ["Our auditor would like to know how many calls failed each month", "calls by month | failed is true"],
    ["The people in finance need to know the payout by publisher last month", "payout by publisher | last month"],
    ["Our bookkeeper would be interested in the margin by buyer last month", "margin by buyer | last month"],
    [
      "As the owner of this agency I would like to know how many calls failed yesterday",
      "calls | failed is true | yesterday",
    ],
    ["In my role as controller I need the payout by publisher last month", "payout by publisher | last month"],
    ["Given that our rates went up, what is the payout per call by week?", "payout_per_call by week"],
    [
      "Since many of our callers work during the day, how many calls came in after 6 pm last month?",
      "calls | hour_of_day at_least 18 | last month",
    ],
    ["calls by hour last week, because we believe that they got worse in November", "calls by hour | last week"],
    ["margin by week, because we believe that it got worse in November", "margin by week"],
    ["calls by hour last week, so that I can plan the shifts", "calls by hour | last week"],
    ["calls by hour last week in order to plan the shifts", "calls by hour | last week"],
    ["failed calls by target last week, which I have to discuss with the floor", "failed_calls by target | last week"],
    [
      "My partner at Red Hill claims that their traffic improved, so show me their conversion rate by week",
      "conversion_rate by week | publisher is Red Hill",
    ],
    ["I wonder if people who call twice buy more, so show me the conversion rate by state", "conversion_rate by state"],
    [
      "Because our margin seems to be slipping, I would like to see it for every publisher, month by month",
      "margin by month+publisher",
    ],
    // A question that is asked again in other words.
    [
      "Which states do our buyers refuse to pay for? I am asking for the unbillable calls by state last month",
      "calls by state | receivable is false | last month",
    ],
    ["Who is asleep at the wheel? I mean the failed calls by target last week", "failed_calls by target | last week"],
    ["Is Red Hill any good? I mean the conversion rate by month", "conversion_rate by month | publisher is Red Hill"],
    // When something happened is a time of the question.
    ["Since we raised our rates on October 15, how has daily profit developed?", "profit by day | since 2026-10-15"],
    ["How many calls failed since the outage on November 3?", "calls | failed is true | since 2026-11-03"],
  ])("is left out where it bears on nothing: %s", (question, line) => {
    const outcome = plan(question);
    expect(toLine(outcome)).toBe(`calls: ${line}`);
    expect(outcome).toMatchObject({
      notes: expect.arrayContaining([expect.stringMatching(/^I left out/)]) as unknown,
    });
  });
  it.each([
    "calls by publisher last month, my boss wants it by week",
    "calls by buyer last month. Leave out the test ones",
    "I handle Florida. Calls by campaign last week",
    "A good call is a billed one for us. calls by publisher last week",
    "The numbers should be net. revenue by publisher last month",
    "Our new campaign is Moonshot. calls by publisher last week",
    "A sale is a call over 2 minutes for us. sales by publisher last month",
    "calls by publisher last month, no wait, make it this month",
    "For us a conversion means a booked appointment. conversions by campaign last month",
    "We only care about the premium tier. calls by state last week",
    "We throw away anything under a minute. calls by buyer last month",
    "calls by buyer last month. He only looks at Ohio",
    "calls by state last week, premium tier only",
    "calls by state last week, mobile ones",
    "mobile only: calls by state last week",
    "Homeowners: calls by state last week",
    "Married with kids: calls by state last week",
    "calls by state last week - homeowners with solar",
    "calls by state last week, the ones who own a home",
    "calls by state last week, those with insurance",
    "calls by state last week, people over 65",
    "calls by state last week, they own a home",
    "calls by state last week, they rent",
    "calls by state last week, bought by premium vendors",
    "calls by publisher last month, they want revenue too",
    "I need premium ones. calls by publisher last week",
    "postbacks for conversions: calls last month",
    "calls by state last week. They had insurance already",
    "calls by state last week, callers were homeowners",
    "The callers were homeowners. Calls by state last week?",
    "calls by state last week, we exclude test calls",
    "We never count internal calls. calls by buyer last week",
    "Test calls don't count. calls by buyer last week",
    "Transfers shouldn't be in there. calls by buyer last week",
    "calls by buyer last week, transfers are not relevant",
    "I meant the second campaign. calls by state last week",
    "calls by state last week, I was thinking of the solar one",
    "calls by state last week, in thousands",
    "calls by state last week, rounded to hundreds",
    "Please round to whole dollars. revenue by campaign last month",
    "We work 9 to 5. calls by hour last week",
    "Our day starts at 6am. calls by day last week",
    "We're in Phoenix. calls by hour last week",
    "calls by campaign last week, my team covers the west coast",
    "My region is the midwest. calls by campaign last week",
    "calls by campaign last week, she asked for october",
    "calls by campaign last week, the client wants november instead",
    "calls by campaign last week, as a share of everything",
    "calls by campaign last week, I also need revenue",
    "calls by campaign last week, and I want to know how many converted",
    "calls by campaign last week, the boss wants ten rows",
    "calls by campaign last week, biggest three please",
    "calls by campaign last week, my manager likes percentages",
    "calls by campaign last week, each broken out by vendor",
    "our fiscal year starts in july. revenue this year",
    "Weeks start on sunday here. calls by week last month",
    "We changed the price in october, so use the old one. revenue by campaign last month",
    "calls by campaign last week, treat retries as one",
    "calls by campaign last week, anything short is junk to us",
    "Sunny Group is upset. how many calls failed last week",
    "how many calls failed last week, Sunny Group is upset",
    "Texas was down yesterday. How many calls failed?",
    "We had an outage on November 3rd. How many calls failed?",
    "the IVR was broken on nov 5, calls by hour?",
    "I was off on Monday. How many calls came in?",
    "Duplicates are killing us. calls by publisher last week",
    "They say our converted calls are garbage. average call duration by publisher last week",
    "calls by publisher last week, looking at mobile users",
    "calls by publisher last week, focusing on new vendors",
    "calls by publisher last week, considering hold times",
    "calls by publisher last week, assuming a 90 second buffer",
    "calls by publisher last week, given a 30% margin",
    "calls by publisher last week, where the caller spoke english",
    "calls by publisher last week, when the lines were open",
    "calls by publisher last week, if they had a promo",
    "calls by publisher last week, unless they were blocked by legal",
    "calls by publisher last week, because I want only good ones",
    "calls by publisher last week, trying to find cheap vendors",
    "calls by publisher last week, need to see premium vendors",
    "need to look at vip customers. calls by publisher last week",
    "trying to compare regions. calls by publisher last week",
    "checking on returning customers - calls by publisher last week",
    "It's about the vip line. calls by publisher last week",
    "This is about organic leads. calls by publisher last week",
    "Question about organic leads: calls by publisher last week",
    "Organic leads check: calls by publisher last week",
    "Texas check: calls by publisher last week",
    "October review: calls by publisher",
    "Converted calls review: calls by publisher last week",
    "Spanish question: calls by publisher last week",
    "The east team needs calls by publisher last week for their vendors",
    "calls by publisher last week for my two best vendors",
    "My boss wants to compare it with october. calls by campaign this month",
    "calls by campaign last week, in euros",
    "calls by campaign last week, the vip ones matter",
    "calls by campaign last week, nobody cares about brand traffic",
    "calls by campaign last week, our brand traffic is separate",
    "calls by campaign last week, which is what legal wants",
    "calls by campaign last week, or at least the top ones",
    "calls by campaign last week, or was it two weeks ago",
    "calls by campaign last week, hmm two weeks",
    "calls by campaign last week, better yet this month",
    "calls by campaign last week, i think november 2",
    "Failed calls are calls under 10 seconds here. failed calls by target last week",
    "We call them leads when they last a minute. leads by campaign last week",
    "With vip I mean Acme. calls by day last week",
    "Vip means paid. calls by day last week",
    "I don't want weekends in there. calls by day last week",
    "Weekends are dead anyway. calls by day last week",
    "Half of them are bots. calls by day last week without bots",
    "Blue Lake Media is complaining about refunds, how many refunds did we issue last week",
    "calls by publisher last week, partners we trust",
    "calls by publisher last week. Partners we trust.",
    "calls by publisher last week - new accounts",
    "calls by publisher last week, callers on cell phones",
    "calls by publisher last week, returning customers",
    "calls by publisher last week, weekday evenings excluded please",
    "our partners in Ohio matter most. calls by publisher last week",
    "calls by publisher last week, the ones my boss likes",
    "calls by publisher last week, the ones we bought",
    "leads we bought: calls by publisher last week",
    "calls I made. calls by publisher last week",
    "calls by publisher last week, for big spenders",
    "calls by publisher last week, to landlines",
    "calls by publisher last week, from landlines",
    "calls by publisher last week, on iphones",
    "calls by publisher last week, with consent",
    "calls by publisher last week, using the old script",
    "calls by publisher last week, after the demo",
    "calls by publisher last week, before the relaunch",
    "Before the relaunch: calls by publisher",
    "After we switched providers: calls by publisher last month",
    "calls by publisher last week, since we launched",
    "calls by publisher last week, until the switch",
    "calls by publisher last week, while the promo ran",
    "calls by publisher last week, so drop Red Hill",
    "calls by publisher last week, you know which ones",
    "calls by publisher last week, I like the median",
    "calls by publisher last week, he likes pies",
    "calls by publisher last week, my boss would rather have percentages",
    "calls by publisher last week, she needs it hourly",
    "calls by publisher last week, he needs october",
    "calls by publisher last week, they need it for october",
    "calls by publisher last week, the client wants to see revenue",
    "calls by publisher last week, the client loves revenue",
    "what's our margin doing? calls by publisher last week",
    "how is Acme Corp doing? calls by publisher last week",
    "how did vip callers do? calls by publisher last week",
    "how many calls from texas? calls by publisher last week",
    "did calls over 5 minutes convert? conversion rate by publisher last week",
    "did we do better on weekends? calls by day last week",
    "did we do better than september? calls by publisher in october",
    "how much did we pay? calls by publisher last week",
    "which publishers had more than 50 calls? calls by publisher last week",
    "what were the top 3 publishers? calls by publisher last week",
    "is it worse at night? calls by day last week",
    "Is it trending up? calls by publisher last week",
    "The threshold is 90 seconds. calls by publisher last week",
    "a lead is any call we answered. leads by publisher last week",
    "long calls are what we want. calls by publisher last week",
    "Mobile is what I care about. calls by publisher last week",
    "I'd rather have yesterday. calls by publisher last week",
    "Let's say 30 days. calls by publisher last week",
    "let's look at Florida. calls by publisher last week",
    "Let's do it by state. calls by publisher last week",
    "Think premium vendors. calls by publisher last week",
    "East region meeting: calls by publisher last week",
    "calls by publisher last week, night shift",
    "calls by publisher last week, shift b",
    "calls by publisher last week, second half",
    "calls by publisher last week, which I need by state",
    "How many calls come from mobile? I mean calls by campaign",
    "How many calls come from mobile? I need calls by campaign",
    "How many calls over five minutes did we get? I mean the calls by campaign last week",
    "How many calls came from Texas? I mean the calls by campaign last week",
    "I am looking for the day with the highest revenue, and how much it was",
    "For a home owner, calls by state last week",
    "calls by publisher last week, so that we see mobile callers",
    "calls by publisher last week, so that I can see the revenue",
    "calls by publisher last week, given that they are over 65",
    "calls by publisher last week, since the relaunch",
    "since our sales training, calls by publisher",
    "As the manager for mobile traffic, I need the calls by publisher last week",
    "As the manager of Red Hill, I need the failed calls last week",
    "Because October was bad, show me calls by campaign",
    "Because they sell per cohort, show me calls by campaign last week",
    "Since we stopped Texas on November 3, how many calls failed?",
  ])("is read or handed back where it may say which calls, or how: %s", (question) => {
    const outcome = plan(question);
    expect(outcome.kind === "plan" ? outcome.notes.filter((note) => note.startsWith("I left out")) : []).toEqual([]);
  });
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
    "Do new callers convert? give me the conversion rate by publisher for last month",
    "calls by state last month, we stopped Texas in October so leave it out",
    "i handle florida, calls by campaign last week",
    "texas is hot, how many calls failed last week",
    "I got a complaint from a caller in Ohio, how many calls failed by target last week",
    "calls by buyer last month, he asked about september",
    "a good call is a billed one for us. calls by publisher last week",
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
    // Why they were refused is a condition of the records.
    "list the refused pings because the caller id was invalid",
    // What is told in a sentence of its own may limit what is asked in the next.
    "October was our best month. What was the revenue by month?",
    "Acme Media only wants evening calls. How many calls did they get between noon and 6pm last month?",
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
