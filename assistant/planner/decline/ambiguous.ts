import { wordingsOf } from "../../catalog/wording.ts";
import { type Item, mayBe } from "../link/item.ts";
import type { Role } from "../words/small-words.ts";
import { stem, type Word } from "../words/tokenize.ts";

/** A wording that sounds like one thing and may mean another, with what each meaning is called in plain words. */
interface Ambiguity {
  /** "(a/b)" stands for either, "(a/b)?" for either or neither; "$1" of a reading is what the first of them was. */
  readonly said: string;
  readonly sentence: string;
  readonly readings: readonly string[];
  /** Only where a limit follows ("more than 50"), or only where none does. */
  readonly before?: "limit" | "no limit";
  /** Words with which the question is clear; "hour", "period": any that is said. */
  readonly clearBy?: string;
}

const byPayment = "By what is paid for a call, or by all of it?";
const byPayout = "By what publishers are paid for a call, or for a conversion?";
const costly = "most expensive/costliest/priciest/cheapest/least expensive";
const sources = "publisher/affiliate/campaign/offer/state/keyword";
const ambiguities: readonly Ambiguity[] = [
  {
    said: "((right/just)? now/currently/presently/at the moment)",
    sentence: "Over which time is that?",
    readings: ["today", "last 60 minutes", "last 24 hours"],
    clearBy: "period live active progress call",
  },
  {
    said: "(these days/nowadays/lately/recently/of late)",
    sentence: "Over which time is that?",
    readings: ["last 7 days", "last 30 days"],
    clearBy: "period",
  },
  {
    said: "(who/which buyer/which bidder/which formula) (bids/bid) (the)? (highest/lowest)",
    sentence: "By their average bid, or by a single one?",
    readings: ["$1 has the $4 average bid", "$1 has the $4 single bid"],
    clearBy: "average median",
  },
  {
    said: "caller (income/salary/wage/gender/sex/religion/race/credit)",
    sentence: "I do not know that of callers.",
    readings: [],
  },
  {
    said: "call (with/having/that have/that had/which had/where) (any/some)? (revenue/payout/profit)",
    sentence: "Only the calls with a $3 above zero, or calls and $3 side by side?",
    readings: ["calls with $3 over 0", "calls and $3"],
    before: "no limit",
    clearBy: "no without",
  },
  {
    said: "(how many/number of/count of) (the/our/of our)? (repeat/returning) caller",
    sentence: "Do you want to count the callers or their calls?",
    readings: ["$1 unique callers of repeat calls", "$1 repeat calls"],
  },
  {
    said: "(publisher/affiliate) (that/who/which)? (have/has)? (earned/earn/made/make)",
    sentence: "What publishers are paid, or what buyers pay for their calls?",
    readings: ["publishers with payout", "publishers with revenue"],
    before: "limit",
    clearBy: "revenue payout profit",
  },
  {
    said: "(on/at/during)? (the)? (week night/weeknight)",
    sentence: "From which hour on is it night?",
    readings: ["on weekdays after 6pm", "on weekdays after 8pm"],
  },
  {
    said: "(at night/during the night)",
    sentence: "Between which hours is it night?",
    readings: ["between 10pm and 6am", "between 8pm and 8am"],
  },
  {
    said: "per hour of (talk time/connected time/talk/call time/call)",
    sentence: "I divide by minutes of talk time, not by hours.",
    readings: ["per minute of talk time"],
  },
  {
    said: "(most expensive/costliest/priciest) (call/lead)",
    sentence: "By what publishers are paid for it, or by what buyers pay?",
    readings: ["$2 with the highest payout", "$2 with the highest revenue"],
    clearBy: "payout revenue",
  },
  { said: "best payer", sentence: byPayment, readings: ["best buyer by revenue per call", "best buyer by revenue"] },
  {
    said: "(best/highest/top/most/worst/lowest/least) paying (buyer/client/advertiser/target)",
    sentence: byPayment,
    readings: ["$1 $2 by revenue per call", "$1 $2 by revenue"],
  },
  ...[
    ["best", "most"],
    ["worst", "least"],
  ].map(([end, most]) => ({
    said: `(who/which buyer/which target/which client/which advertiser/what) pay (us)? (the)? ${end}`,
    sentence: `Who pays the ${most} for a call, or the ${most} in all?`,
    readings: [`$1 pays the ${most} per call`, `$1 pays the ${most}`],
  })),
  {
    said: `(${sources}) pay (us)? (the)? (best/most/highest/worst/least/lowest)`,
    sentence: "What buyers pay, or what publishers are paid?",
    readings: ["$1 has the $4 revenue", "$1 has the $4 payout"],
  },
  {
    said: `(${costly}) (${sources})`,
    sentence: byPayout,
    readings: ["$2 with the $1 payout per call", "$2 with the $1 payout per conversion"],
  },
  {
    said: `(which/what)? (${sources}) (is/are/was/were) (the/our)? (${costly})`,
    sentence: byPayout,
    readings: ["$2 with the $5 payout per call", "$2 with the $5 payout per conversion"],
  },
  {
    said: "(how many/number of)? call (did we/have we/we/were)? (lost/lose)",
    sentence: "The calls that no target answered, or how many fewer there were than before?",
    readings: ["$1 missed calls", "change in calls"],
    clearBy: "vs versus compared than against auction bid",
  },
  {
    said: "(how many/number of/total) minute",
    sentence: "The minutes for which calls were connected, or from their start to their end?",
    readings: ["total talk time", "total call duration"],
    clearBy: "talk time duration",
  },
  {
    said: "when (do/did) (we/i) (get/have/receive) (the/our)? (most/fewest) (call/conversion/revenue)",
    sentence: "By the hour of the day, or by the day of the week?",
    readings: ["which hour of day has the $5 $6", "which day of week has the $5 $6"],
  },
  {
    said: "(unique/distinct) (phone)? call",
    sentence: "Do you mean calls that are no duplicates, or callers, each counted once?",
    readings: ["non duplicate calls", "unique callers"],
    clearBy: "webhook hook",
  },
  {
    said: "(how many/number of/count of) (the/our/my/active/different)? (webhook/hook)",
    sentence: "I cannot count webhooks; I can count what was delivered to them.",
    readings: ["how many webhook deliveries"],
    clearBy:
      "delivery delivered deliver request retry retried failed fail succeeded error attempt call were got did had with timed timeout fired sent",
  },
  {
    said: "(who sends/who send/which publisher sends/which publisher send/which publisher sent) (us)? the longest call",
    sentence: "By their average, or by the longest single call?",
    readings: ["which publisher has the highest average duration", "which publisher has the highest longest duration"],
  },
];

interface Stems {
  readonly stems: readonly string[];
  readonly choices: readonly string[];
  readonly ambiguity: Ambiguity;
}

const byFirst = new Map<string, Stems[]>();
for (const ambiguity of ambiguities)
  for (const { phrase, choices } of wordingsOf(ambiguity.said)) {
    const stems = phrase.split(" ").map(stem);
    const [first = ""] = stems;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { stems, choices, ambiguity }]);
  }

const limits: readonly Role[] = ["more_than", "at_least", "less_than", "at_most", "between"];
const isLimit = (item: Item | undefined): boolean => item?.kind === "number" || mayBe(item, "role", ...limits);

/** What is ambiguous in a question, with the questions that say either; undefined where nothing is. */
export function ambiguityIn(words: readonly Word[], items: readonly Item[]) {
  const fits = ({ stems, ambiguity: { before, clearBy = "" } }: Stems, at: number): boolean => {
    const to = at + stems.length;
    // Within a longer phrase they mean what that means.
    const isWhole = items.some((item) => item.to === to) && items.some((item) => item.from === at);
    const next = items.filter(
      ({ from, said, kind }) => from >= to && kind !== "stop" && said.toLowerCase() !== "of",
    )[0];
    const isLimited = isLimit(next);
    const others = words.filter((_, place) => place < at || place >= to).map(({ stem: said }) => said);
    const isClear = clearBy
      .split(" ")
      .some((clear) =>
        /^(?:hour|period)$/.test(clear) ? items.some(({ kind }) => kind === clear) : others.includes(stem(clear)),
      );
    return (
      isWhole &&
      !isClear &&
      (before === undefined || isLimited === (before === "limit")) &&
      stems.every((each, step) => words[at + step]?.stem === each && words[at + step]?.quoted === false)
    );
  };
  for (const [at, { stem: first }] of words.entries()) {
    const [found] = (byFirst.get(first) ?? [])
      .filter((each) => fits(each, at))
      .sort((a, b) => b.stems.length - a.stems.length);
    if (found === undefined) continue;
    const matched = words.slice(at, at + found.stems.length);
    const asTyped = (word: string) => matched.find((each) => each.stem === stem(word))?.original ?? word;
    const choices = found.choices.map((choice) => choice.split(" ").map(asTyped).join(" "));
    const filled = (text: string) => text.replace(/\$(\d)/g, (_, index) => choices[Number(index) - 1] ?? "");
    const [before, after] = [words.slice(0, at), words.slice(at + found.stems.length)].map(textOf);
    const { sentence, readings } = found.ambiguity;
    return {
      sentence: filled(sentence),
      options: readings.map((reading) =>
        [before, filled(reading).trim(), after].filter((part) => part !== "").join(" "),
      ),
    };
  }
  return undefined;
}

const textOf = (words: readonly Word[]): string =>
  words.map(({ original, quoted }) => (quoted ? `"${original}"` : original)).join(" ");
