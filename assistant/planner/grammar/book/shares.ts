import { findDimension, measureOf } from "../../../catalog/catalog.ts";
import { factCounted } from "../../../catalog/fact-counted.ts";
import type { OverGroups } from "../../../plan.ts";
import { ofRecords } from "../bounds.ts";
import { counting, numberNamed, rate, rateOf, rateOfTwo } from "../figures.ts";
import { anyOf, countOfFact, negated, none, portioned, ranked } from "../makes.ts";
import { both, type Piece, unifyAll } from "../piece.ts";
import { type Make, type Production, production as p, type Setting } from "../production.ts";

/** Shares, and the part of a whole under a condition: "what percentage of failed calls were busy". */
export const sharesPage: readonly Production[] = [
  p("part", "SHARE OF? ALL? PERIOD? figure !figure", (setting, share, period, figure) =>
    both(period, rate(setting, share, figure)),
  ),
  p("part", "SHARE OF? names figure", (setting, share, names, figure) => both(names, rate(setting, share, figure))),
  // "Share of TX and FL in calls", "how much of our October volume was Acme and Best together".
  p("part", "SHARE OF? such OF ALL? when? figure|NOUN !FLAG", (setting, _share, { filters = [] }, when, figure) =>
    both(when, both(counting(setting, figure), { portion: filters })),
  ),
  p("part", "names SHARE OF? ALL? when? figure|NOUN", (setting, { filters = [] }, _share, when, figure) =>
    both(when, both(counting(setting, figure), { portion: filters })),
  ),
  // "Texas's share of Acme calls".
  p("part", "names SHARE OF? ALL? such-kind figure|NOUN", (setting, part, _share, whole, figure) =>
    both({ filters: whole.filters ?? [], portion: part.filters ?? [] }, counting(setting, figure)),
  ),
  // "No answer rate": the part of all calls.
  p("part", "names 'rate'", ({ subject }, { filters = [] }) =>
    filters.every(({ field }) => findDimension(subject, field)?.values !== undefined)
      ? { measures: [subject.defaultMeasure], portion: filters }
      : undefined,
  ),
  p(
    "part",
    "'how' 'much' OF ALL? period? figure|NOUN when? OF? such together?",
    (setting, period, figure, when, such) =>
      both(both(period, when), both(counting(setting, figure), { portion: such.filters ?? [] })),
  ),
  // "Share of weekend calls by campaign": each campaign's part of those, or those as a part of each campaign's calls.
  p("part", "SHARE OF? such-kind NOUN &BY|&EACH", (setting, _share, days, noun) =>
    both({ ...days, share: true }, counting(setting, noun)),
  ),
  p("part", "SHARE OF? such-kind NOUN &BY|&EACH", (setting, _share, days) => portioned(setting, {}, days)),
  // "What fraction of the Acme calls went to each buyer": of those, each buyer's.
  p("part", "SHARE OF? ALL? such-kind NOUN OF EACH group-names", (setting, _share, which, noun, groups) =>
    both({ ...which, share: true }, groups, counting(setting, noun)),
  ),
  // "Calls that waited over 20 seconds as a percentage of connected calls".
  p("part", "bounded-records SHARE OF? ALL? whole", (setting, { filters = [] }, share, whole) =>
    asPart.test(share.word?.said ?? "") ? portioned(setting, whole, { filters }) : undefined,
  ),
  p("bounded-records", "bound-records"),
  p("bounded-records", "NOUN of-length"),
  // "Share of weekend calls last month".
  p("part", "SHARE OF? ALL? such-kind NOUN &$|&','|&period|&OF", (setting, _share, days) =>
    setting.previous === undefined ? portioned(setting, {}, days) : undefined,
  ),
  p("such-kind", "names|DAYS|several-days|PARTS"),
  p("part", "MEASURE SHARE &BY|&EACH|&$|&','|&OF", (_, figure) => ({ ...figure, share: true })),
  // "What share of each publisher's calls converted".
  p("part", "SHARE OF? EACH group-names figure?", (setting, share, groups, figure) => {
    if (figure?.measures === undefined) return { ...groups, share: true };
    const part = rate(setting, share, figure);
    return part?.share ? undefined : both(groups, part);
  }),
  p("part", "SHARE OF? figure figure", (setting, _share, whole, part) => rateOfTwo(setting, whole, part)),
  p("part", "SHARE OF? ALL? PERIOD? NOUN", (setting, share, period, noun) =>
    asPart.test(share.word?.said ?? "") && setting.previous === undefined
      ? undefined
      : both(period, rate(setting, share, counting(setting, noun) ?? {})),
  ),
  p(
    "part",
    "SHARE OF? ALL? PERIOD? !FLAGGED figure when? MEASURE? OF|WITH such !predicate",
    (_, _share, period, figure, when, { word }, { filters = [] }) =>
      // "Is spent on".
      /^$|^(spent|paid|earned|made)$/.test(word?.said ?? "")
        ? both(period, when, both(figure, { portion: filters }))
        : undefined,
  ),
  // "Times out most, as a percentage of requests".
  p("part", "SHARE|AS_RATE OF? ALL? NOUN?", (setting, share) =>
    setting.previous === undefined && asPart.test(share.word?.said ?? "") ? { asRate: "of all" } : undefined,
  ),
  // "As a percentage of their calls".
  p("part", "SHARE OF? 'their'|'its' NOUN", (setting, share) =>
    setting.previous === undefined && asPart.test(share.word?.said ?? "") ? { asRate: "of theirs" } : undefined,
  ),
  // "What percent of revenue came from the top 3 publishers", "calls of the top 5 campaigns combined".
  p("part", "SHARE OF? ALL? when? figure|NOUN when? 'from' few together?", ofFew("total", "share")),
  p("part", "WHICH SHARE OF? ALL? when? figure|NOUN when? few making-up? together?", ofFew("total", "share")),
  p("part", "SHARE OF? ALL? when? figure|NOUN when? OF? few together", ofFew("total", "share")),
  p("part", "few together SHARE OF? ALL? figure|NOUN", ofFew("total", "share")),
  p("part", "'how' 'much' OF ALL? when? figure|NOUN when? 'from' few together?", ofFew("total", "share")),
  p("part", "ALL? figure|NOUN when? OF? few making-up? together", ofFew("total")),
  p("few", "ALL? end COUNT DIM|GRAIN|KIND", ranked),
  p("few", "ALL? COUNT end DIM|GRAIN|KIND", (setting, count, end, name) => ranked(setting, end, count, name)),
  p("together", "'together'|'combined'|'altogether'|'collectively'|'jointly'", () => ({})),
  p(
    "making-up",
    "'account'|'accounts'|'accounted'|'make'|'makes'|'made'|'bring'|'brings'|'brought'|'send'|'sent'|'contribute' 'for'|'up'|'in'?",
    () => ({}),
  ),
  p("such", "names|FLAGGED|DAYS|several-days|weekdays|PARTS|hours|exclusion"),
  p("such", "NOUN? OF? FLAG callers?", (_, _noun, fact) => fact),
  p("such", "NOUN exclusion", (_, _noun, exclusion) => exclusion),
  // "Cached pings as a percentage of all pings".
  p("part", "MEASURE SHARE ALL? NOUN &BY|&EACH|&$|&','|&when", (setting, { measures: [name = ""] = [] }, share) => {
    const fact = factCounted(setting.subject, name);
    const isRate = rateOf(setting.subject, name) !== undefined;
    return fact && !isRate && setting.previous === undefined && /^as .*of/.test(share.word?.said ?? "")
      ? portioned(setting, {}, { filters: [fact] })
      : undefined;
  }),
  p(
    "part",
    "SHARE OF? ALL? whole when? PARTICLE? part-of-it !predicate !of-which",
    (setting, _share, whole, when, _particle, part) => both(when, portioned(setting, whole, part)),
  ),
  // "What percentage of calls over 5 minutes came from Texas": what the verb tells is the part.
  p(
    "part",
    "SHARE OF? ALL? PERIOD? whole clauses predicate|of-which !predicate",
    (setting, _share, when, whole, more, part) => portioned(setting, both(when, whole, more), part),
  ),
  // "What part of Acme's revenue comes from Texas", "of the profit on weekends last month was made in Ohio".
  p(
    "part",
    "SHARE OF? ALL? names? amount-whole clauses? &TOLD predicate !predicate",
    (_, _share, names, whole, more, part) => part.filters && both(names, whole, more, { portion: part.filters }),
  ),
  // "What percentage of calls that converted came from Texas", where the first of it is a rate of the catalog.
  p("part", "MEASURE clauses? &TOLD predicate !predicate", (setting, figure, more, part) =>
    portioned(setting, both(ofRateSaid(setting, figure), more), part),
  ),
  // "Of the calls that connected last month, what percentage lasted more than two minutes".
  p("part", "^ OF|SCOPE ALL? whole|such-ones rest? ','? AND? WHICH? SHARE OF? said-of-it", (setting, ...parts) => {
    const [share = {}, part = {}] = parts.slice(-2);
    return asPart.test(share.word?.said ?? "") ? undefined : portioned(setting, both(...parts.slice(-4, -2)), part);
  }),
  p("part", "^ OF|SCOPE ALL? whole|such-ones rest? ','? HOW_MANY OF? said-of-it", (setting, ...parts) => {
    const [whole = {}, more = {}, , part = {}] = parts.slice(-4);
    return portioned(setting, {}, part) && both(counting(setting, { noun: true }), whole, more, part);
  }),
  // "Of our payout in October, what share (how much) went to Acme", "of all we paid out, how much went to each publisher".
  p("part", "^ OF|SCOPE ALL? amount-whole rest? ','? AND? WHICH? SHARE|much OF? part-of-it", (_, ...parts) => {
    const [whole = {}, rest, , part = {}] = parts.slice(-4);
    return part.filters && both(whole, rest, { portion: part.filters });
  }),
  p("part", "^ OF|SCOPE ALL? amount-whole rest? ','? AND? WHICH? SHARE|much OF? EACH group-names", (_, ...parts) => {
    const [whole = {}, rest, share = {}, groups = {}] = parts.slice(-4);
    return both(whole, rest, { groups: groups.groups ?? [] }, share.word === undefined ? {} : { share: true });
  }),
  p("much", "'how' 'much'", () => ({})),
  p("amount-whole", "PERIOD? figure", ({ subject }, when, { measures = [] }) =>
    measures.some((name) => measureOf(subject, name).aggregate.kind === "count") ? undefined : both(when, { measures }),
  ),
  // "What percent of weekend calls converted".
  p("part", "SHARE OF? ALL? PERIOD? such-kind FLAGGED when? !predicate", (setting, _share, when, which, fact, more) =>
    setting.subject.words.some((noun) => new RegExp(`^${noun}s? \\w+ed$`).test(fact.word?.said ?? ""))
      ? portioned(setting, both(when, which, more), { filters: fact.filters ?? [] })
      : undefined,
  ),
  p("said-of-it", "part-of-it|predicate"),
  p("clauses", "clause clauses?"),
  // "Share of calls with a promo code that converted", where nothing is told of them.
  p("of-which", "&RELATIVE fact-told"),
  p("clause", "!predicate PARTICLE? condition|when", (_, _particle, clause) => clause),
  p("predicate", "&TOLD PARTICLE? part-of-it", (_, _particle, part) => part),
  p("predicate", "!RELATIVE fact-told"),
  p("fact-told", "NOT? FLAG", (setting, not, { filters = [], word }) =>
    not.word !== undefined
      ? negated(setting, not, { filters })
      : /^on /.test(word?.said ?? "")
        ? undefined
        : { filters },
  ),
  p("part", "HOW_MANY SCOPE ALL whole part-of-it", (setting, _many, _scope, whole, part) =>
    portioned(setting, whole, part),
  ),
  // "What portion of the bids were above $40": of the number that they are named by.
  p(
    "part",
    "SHARE OF? ALL? MEASURE rest? OF|WITH? amount when? !when !predicate",
    (setting, _share, counted, rest, bounds, when) => {
      const quantity = numberNamed(setting, counted);
      const part = quantity === undefined ? undefined : ofRecords(setting, { word: { quantity } }, bounds);
      return part && both(rest, when, { measures: counted.measures ?? [], portion: part.filters ?? [] });
    },
  ),
  // "Of those that came from Texas, how many converted".
  p("such-ones", "'ones'? OF|WITH? names|FLAG|FLAGGED|of-length", (_, { filters = [] }) => ({ filters })),
  p("whole", "PERIOD whole"),
  p("whole", "NOUN|FLAGGED"),
  // "What percentage of failed deliveries were server errors".
  p("whole", "MEASURE", ({ subject }, { measures: [name = ""] = [], word }) => {
    const fact = factCounted(subject, name);
    return fact && word?.isPlural ? { filters: [fact] } : undefined;
  }),
  // "Of webhook timeouts", "of tag updates".
  p("whole", "names", ({ subject }, { filters = [], word }) =>
    word?.isPlural && filters.every(({ field }) => findDimension(subject, field)?.values !== undefined)
      ? { filters }
      : undefined,
  ),
  p("whole", "FLAG|names NOUN", (_, kind) => kind),
  p("whole", "FLAGGED OF ALL? NOUN", (_, kind) => kind),
  p("whole", "NOUN !TOLD OF names", (_, _noun, names) => names),
  p("part-of-it", "VERB? OF|WITH? FLAG|FLAGGED|alternatives|condition"),
  p("part-of-it", "OF NOUN FLAG|FLAGGED|of-length", (_, _noun, part) => ({ filters: part.filters ?? [] })),
  // "What percentage of calls failed or were shorter than 10 seconds", where the first of it is a rate of the catalog.
  p("part", "MEASURE OR alternative|alternatives", (setting, rate, other) => {
    const fact = ofRateSaid(setting, rate);
    return fact && portioned(setting, {}, anyOf(setting, fact, other) ?? {});
  }),
  // "Lasted less than 10 seconds and did not connect": both.
  p("part-of-it", "OF|WITH? names|FLAG|FLAGGED|of-length|exclusion AND part-of-it", (_, one, more) =>
    both({ filters: one.filters ?? [] }, { filters: more.filters ?? [] }),
  ),
  // "Succeeded on the first attempt".
  p("part-of-it", "FLAG FLAG", (_, one, other) =>
    /^on /.test(other.word?.said ?? "")
      ? both({ filters: one.filters ?? [] }, { filters: other.filters ?? [] })
      : undefined,
  ),
  // "Payable but not receivable".
  p("part-of-it", "FLAG|FLAGGED|names NOT FLAG|FLAGGED|names", (setting, one, not, other) =>
    /(^| )(but|and|yet) not$|^not$/.test(not.word?.said ?? "")
      ? both({ filters: one.filters ?? [] }, negated(setting, not, other))
      : undefined,
  ),
  // "How many …, and what percentage of its calls is that".
  p("part", "AND AND? WHICH? SHARE OF? 'its'|'their'? ALL? NOUN $|&','", ({ previous }, ...parts) =>
    previous === undefined && !parts.some(({ word }) => asPart.test(word?.said ?? "")) ? { rateToo: true } : undefined,
  ),
  p("part", "AND WHICH? SHARE OF? ALL NOUN? &$|&','|&PERIOD|&OF", ({ previous }) =>
    previous === undefined ? { rateToo: true } : undefined,
  ),
  // "How many calls came in, and what share of them converted".
  p("figures", "AND AND? WHICH? SHARE OF? FLAG", (setting, ...parts) => {
    const rate = rateOf(setting.subject, countOfFact(setting, parts.at(-1) ?? {})?.measures?.[0] ?? "");
    return rate === undefined ? undefined : { measures: [setting.subject.defaultMeasure, rate], those: 2 };
  }),
  p("figure-list", "MEASURE AND AND? WHICH? SHARE OF? FLAG|FLAGGED", (setting, figure, ...parts) => {
    const rate = rateOf(setting.subject, countOfFact(setting, parts.at(-1) ?? {})?.measures?.[0] ?? "");
    return rate === undefined || measureOf(setting.subject, figure.measures?.[0] ?? "").unit !== "percent"
      ? undefined
      : both({ measures: figure.measures ?? [] }, { measures: [rate] });
  }),
  p("part-of-it", "OF|WITH? amount OF? QUANTITY", (setting, bounds, quantity) => ofRecords(setting, quantity, bounds)),
  // "Of the calls that took 2 attempts, what percent connected".
  p("part", "SHARE FLAG", (setting, share, fact) =>
    setting.previous !== undefined || / (of|to)\b/.test(share.word?.said ?? "")
      ? undefined
      : portioned(setting, {}, fact),
  ),
  p("part-of-it", "WITH DIM", (_, dim) => none("not_empty", dim)),
  p("part-of-it", "WITH? EMPTY|without ALL? DIM", (_, _empty, dim) => none("empty", dim)),
];

/** "Percentage of calls that converted": the fact that the rate is of. */
function ofRateSaid({ subject }: Setting, { measures: [name = ""] = [], word }: Piece): Piece | undefined {
  const flag = subject.flags.find(({ measure }) => rateOf(subject, measure ?? "") === name);
  const isSaid = /^(percent|share|proportion|%)/.test(word?.said ?? "");
  return isSaid && flag ? { filters: [{ field: flag.name, op: "is", values: [true] }] } : undefined;
}

/** What the first few groups, by the figure itself, have of it together. */
function ofFew(...overGroups: readonly OverGroups[]): Make {
  return (setting, ...parts) => {
    const figure = counting(setting, parts.find(({ measures, noun }) => measures ?? noun) ?? {});
    const few = parts.find(({ ranked: group }) => group !== undefined);
    const [by, other] = figure?.measures ?? [];
    if (few === undefined || by === undefined || other !== undefined) return undefined;
    const whens = parts.filter(({ period, versus }) => (period ?? versus) !== undefined);
    return unifyAll([{ measures: [by] }, few, { orderBy: few.orderBy ?? by, overGroups: [...overGroups] }, ...whens]);
  };
}

/** "As a percentage of", "as a rate". */
const asPart = /^as (an? )?(percent|percentage|%|share|rates?)(?!\w)/;
