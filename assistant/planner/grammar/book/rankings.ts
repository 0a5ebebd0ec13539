import { findMeasure } from "../../../catalog/catalog.ts";
import { counting, distinct, rateOf, statistic } from "../figures.ts";
import {
  asked,
  countOfFact,
  endOf,
  highest,
  isMaking,
  orderedBy,
  portioned,
  ranked,
  speed,
  speedEnd,
} from "../makes.ts";
import { both, type Piece, unify } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";
import { changedMost, movedTo } from "../times.ts";

/** Rankings: "top 5 publishers", "the most calls", "by profit", "lowest first". */
export const rankingsPage: readonly Production[] = [
  p("end", "TOP|BUSIEST|BOTTOM|DESCENDING|ASCENDING", endOf),
  // "The second best": what stands behind the first.
  p("end", "PLACE end", (_, place, end) => behind(place, end)),
  p("end", "RUNNER_UP", () => ({ direction: "desc", quality: true, skip: 1 })),
  p("place", "PLACE"),
  p("rank", "place OF|BY? figure|NOUN", (setting, place, figure) =>
    highest(setting, behind(place, { direction: "desc" }) ?? {}, counting(setting, figure)),
  ),
  p("rank", "COUNT? end OF? ALL? COUNT? DIM|GRAIN|KIND", (setting, count, end, other, name) =>
    ranked(setting, end, count.word ? count : other, name),
  ),
  p("rank", "OF end OF? COUNT? DIM|GRAIN|KIND", (setting, end, count, name) =>
    unify(ranked(setting, end, count, name), { among: true }),
  ),
  p(
    "rank",
    "end OF? ALL? COUNT? DIM|GRAIN|KIND PERIOD? OF|BY ALL? figure-list|NOUN",
    (setting, { orderBy: _, ...end }, count, name, when, figure) =>
      both(ranked(setting, end, count, name), when, orderedBy(setting, figure)),
  ),
  p("rank", "topmost"),
  p("rank", "DIM|GRAIN|KIND WITH topmost", (setting, dim, topmost) => both(asked(setting, dim), topmost)),
  p("topmost", "FLAG? end 'for'|'in'|'on'|'by'? ALL? kinds? figure|NOUN|thing", (setting, fact, end, kinds, figure) =>
    both(fact, kinds, highest(setting, end, figure)),
  ),
  p("rank", "figure end 'often'?", (setting, figure, end) => highest(setting, end, figure)),
  // "Which buyer answers the worst": at which rate.
  p("rank", "FLAG end 'often'? in-percent?", (setting, fact, end, percent) => {
    if (fact.isFigure) return undefined;
    const count = countOfFact(setting, fact);
    const rate = end.quality || percent.word ? rateOf(setting.subject, count?.measures?.[0] ?? "") : undefined;
    return highest(setting, end, rate === undefined ? count : { measures: [rate] });
  }),
  // "Which publisher had calls from the most states".
  p("rank", "NOUN? OF? TOP|BOTTOM DIM", (setting, _noun, end, dim) =>
    dim.word?.isPlural && /^(most|fewest)$/.test(end.word?.said ?? "")
      ? highest(setting, endOf(setting, end), distinct(setting, dim))
      : undefined,
  ),
  // "The ten callers who have brought in the most revenue", "the five buyers who spent the most", "ten callers who called most often".
  p(
    "rank",
    "COUNT DIM|GRAIN|KIND WITH|WHICH|WHO? 'bring'|'brings'|'brought'? 'in'? MEASURE? end figure|NOUN? with-us?",
    (setting, count, name, who, verb, end, figure) => {
      const said = [verb, figure].filter(({ word }) => word !== undefined);
      const [first = name.groups?.[0] === "caller" ? { noun: true as const } : undefined, other] = said;
      const of = other === undefined || isMaking(first ?? {}) ? (other ?? first) : undefined;
      const isOther = who.groups !== undefined && who.groups[0] !== name.groups?.[0];
      return of && !isOther ? both(ranked(setting, {}, count, name), highest(setting, end, of)) : undefined;
    },
  ),
  // "Spend the most with us".
  p("with-us", "WITH &$|&','|&period", () => ({})),
  p("rank", "'who_called_us' TOP|BOTTOM", (setting, end) => ({
    ...endOf(setting, end),
    noun: true,
    groups: ["caller"],
    asked: "one",
  })),
  p("rank", "'by' !DIM !KIND figure-list|NOUN", (setting, figures) => orderedBy(setting, figures)),
  p("rank", "'by'|SORT SHARE OF? ALL? figure|NOUN", (setting, ...parts) =>
    both({ share: true }, orderedBy(setting, parts.at(-1))),
  ),
  // "Ranked by share of calls under 30 seconds".
  p("rank", "'by'|SORT SHARE OF? ALL? whole part-of-it", (setting, ...parts) =>
    both(portioned(setting, parts.at(-2) ?? {}, parts.at(-1) ?? {}), { direction: "desc" }),
  ),
  // "Calls by campaign, sorted by revenue": both are shown.
  p("rank", "SORT figure-list|NOUN", (setting, _sort, figures) => both({ isTally: true }, orderedBy(setting, figures))),
  p("rank", "place? BUSIEST &$|&','|&AND|&OF|&period", (setting, place, end) => behind(place, endOf(setting, end))),
  // "Biggest losers first", "biggest drop first".
  p("rank", "end CHANGE", (setting, end, change) => changedMost(setting, change, end)),
  p("rank", "CHANGE end OF? figure|NOUN?", (setting, change, end, figure) =>
    both(changedMost(setting, change, end), counting(setting, figure)),
  ),
  p("rank", "TOP|BOTTOM 'often'|'frequently'? &$|&period|&','|&OF", (setting, end) =>
    /^(most|least|fewest)$/.test(end.word?.said ?? "")
      ? { ...endOf(setting, end), noun: true, often: true }
      : undefined,
  ),
  p("rank", "end MEASURE OLDEST", (setting, end, figure) =>
    both({ direction: end.direction ?? "desc" }, orderedBy(setting, figure)),
  ),
  // "The most profitable publisher", "top converting campaigns".
  p("rank", "end COUNT? figure DIM|GRAIN|KIND", (setting, end, count, figure, name) =>
    both(ranked(setting, end, count, name), orderedBy(setting, figure)),
  ),
  // "The longest average wait".
  p("topmost", "LONGEST|SHORTEST figure", (setting, end, figure) =>
    /^(average|avg|mean|median|typical) /.test(figure.word?.said ?? "") || figure.word === undefined
      ? highest(setting, speedEnd(end), figure)
      : undefined,
  ),
  p("rank", "LONGEST|SHORTEST BY|OF figure", (setting, end, figure) =>
    both({ ...speedEnd(end), isHighest: true }, orderedBy(setting, figure)),
  ),
  p("rank", "place? LONGEST|SHORTEST COUNT? DIM|KIND OF|BY figure", (setting, place, end, count, name, figure) =>
    both(ranked(setting, behind(place, speedEnd(end)) ?? {}, count, name), orderedBy(setting, figure)),
  ),
  // "The slowest bidder, by median".
  p("rank", "LONGEST|SHORTEST COUNT? DIM when? as-statistic?", (setting, end, count, name, when, as) =>
    both(ranked(setting, speedEnd(end), count, name), when, orderedBy(setting, speed(setting, as))),
  ),
  // "Which formula answers quickest, median", "quickest to answer", "who answers our requests fastest".
  p("rank", "answers ALL? NOUN? LONGEST|SHORTEST as-statistic?", (setting, _verb, _noun, end, as) =>
    fastest(setting, end, as),
  ),
  p("rank", "LONGEST|SHORTEST answering as-statistic?", (setting, end, _how, as) => fastest(setting, end, as)),
  p("as-statistic", "','? BY|OF? STATISTIC", (_, ...parts) => parts.at(-1)),
  p("answering", "'to' answers|'answer'|'respond'|'reply'|'connect'|'response'", () => ({ word: {} })),
  p("answers", "VERB|FLAG", (_, { word }) => (/^$|^connected$/.test(word?.flag ?? "") ? { word: {} } : undefined)),
  p("rank", "LONGEST|SHORTEST 'ones'|STATISTIC|QUANTITY? OLDEST", (_, end) => speedEnd(end)),
  p("rank", "COUNT? end COUNT? only?", (_, one, end, other) => {
    const [count, more] = [one, other].flatMap(({ word }) => word?.number ?? []);
    return count === undefined || more !== undefined ? undefined : { ...end, limit: count };
  }),
  // "Worst margin by publisher, top 3", "…, the first ten", "… and show only the first ten": how many, not which end.
  p("rank", "',' first-few"),
  p("first-few", "shown? only? TOP|OLDEST|COUNT COUNT|OLDEST only? $", (_, ...parts) => {
    const count = parts.find(({ word }) => word?.number !== undefined);
    return count && { isCount: true, limit: count.word?.number ?? 0 };
  }),
  p("rank", "end OF? ALL? DIM|GRAIN|KIND BY figure|NOUN when? AND? first-few", (setting, ...parts) => {
    const [end = {}, name = {}, figure = {}, when = {}, few = {}] = parts;
    const { isCount: _, limit } = few;
    return both(ranked(setting, end, { word: { number: limit ?? 0 } }, name), when, orderedBy(setting, figure));
  }),
  // "The buyer with the highest rate, which is it": as it is shown anyway.
  p("rank", "AND? !'what' !'by_whom' WHICH|WHO COUNT? $", ({ previous }, ...parts) =>
    previous === undefined && (parts.at(-1)?.word?.number ?? 1) === 1 ? { howMuch: "which of them" } : undefined,
  ),
  // "By profit, which campaign is the best".
  p("rank", "OF|BY figure ',' WHICH|WHO DIM|GRAIN|KIND? end &$|&period", (setting, figure, who, name, end) =>
    both(asked(setting, name.groups === undefined ? who : name), highest(setting, end, figure)),
  ),
  p("rank", "FLAG BETTER", (setting, fact, end) => {
    const [name = ""] = countOfFact(setting, fact)?.measures ?? [];
    // "Answered less than last month": so many fewer.
    const found = /^(more|fewer|less)$/.test(end.word?.said ?? "") ? name : rateOf(setting.subject, name);
    return found === undefined ? undefined : { measures: [found], compares: true, better: true, ...movedTo(end) };
  }),
  p("rank", "DESCENDING|ASCENDING", endOf),
  // "… the most, and which one the least".
  p("rank", "AND WHICH|WHO? 'one'? MEASURE? TOP|BOTTOM", ({ previous }) =>
    previous === undefined ? { bothEnds: "said" } : undefined,
  ),
  p("rank", "TOP AND BOTTOM DIM|GRAIN|KIND OF|BY figure", (setting, _top, _bottom, name, figure) =>
    both({ groups: name.groups ?? [], direction: "desc", bothEnds: "said" }, orderedBy(setting, figure)),
  ),
  // "Whose talk time is longest", "keeps callers waiting the longest".
  p("rank", "figure|QUANTITY|NOUN LONGEST|SHORTEST OF? STATISTIC? until-answered?", (setting, of, end, { word }) => {
    // "Who bids fastest": who makes them.
    if (of.measures?.[0] === "bids") return fastest(setting, end, {});
    const number = of.noun ? { word: { quantity: setting.subject.length ?? "" } } : of;
    // "Which calls are the longest": the calls themselves.
    if (of.noun && word?.statistic !== "avg") return undefined;
    const figure = of.measures === undefined ? statistic(setting, { word: { statistic: "avg" } }, number) : of;
    const isTime = /^(seconds|ms)$/.test(findMeasure(setting.subject, figure?.measures?.[0] ?? "")?.unit ?? "");
    return isTime ? both({ ...speedEnd(end), isHighest: true }, orderedBy(setting, figure)) : undefined;
  }),
  // "Which target has the longest wait on average".
  p("rank", "LONGEST|SHORTEST figure|QUANTITY|NOUN ','|OF STATISTIC", (setting, end, of, ...parts) => {
    const [stat = {}] = parts.slice(-1);
    const figure = statistic(setting, stat, of.noun ? { word: { quantity: setting.subject.length ?? "" } } : of);
    return both({ ...speedEnd(end), isHighest: true }, orderedBy(setting, figure));
  }),
  // "The lowest margin of any campaign".
  p("rank", "end ALL? figure OF 'any' DIM|GRAIN|KIND", (setting, end, figure, name) =>
    both(ranked(setting, end, { word: { number: 1 } }, name), highest(setting, end, figure)),
  ),
  // "Earned the most profit": the verb leads, the figure says what.
  p("rank", "MEASURE end figure", (setting, verb, end, figure) =>
    isMaking(verb) ? highest(setting, end, figure) : undefined,
  ),
  // "The most 5xx".
  p("rank", "MOSTLY PARTICLE? &$|&','|&AND|&period", endOf),
];

const fastest = (setting: Setting, end: Piece, as: Piece = {}): Piece | undefined =>
  both({ ...speedEnd(end), isHighest: true }, orderedBy(setting, speed(setting, as)));

const behind = ({ word }: Piece, end: Piece): Piece | undefined =>
  word?.number === undefined ? end : end.skip === undefined ? { ...end, skip: word.number - 1 } : undefined;
