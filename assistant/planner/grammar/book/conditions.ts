import { amount, exactly, offHours, ofGroups, ofRecords, ofSeveral, workHours } from "../bounds.ts";
import { counting } from "../figures.ts";
import {
  anyOf,
  containing,
  either,
  highest,
  kindsOfDay,
  listed,
  negated,
  none,
  opposites,
  portioned,
  ranked,
  sideBySide,
} from "../makes.ts";
import { both, type Piece, unify, unifyAll } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** Conditions: "that converted", "on weekends", "with a promo code", "Texas vs Florida". */
export const conditionsPage: readonly Production[] = [
  p("condition", "only? OF|WITH|'by'|'as'? names|DAYS|PARTS|hours|of-length|of-records|of-groups only?"),
  // Whose hours are not known: the usual ones, which the answer names. Hours that are said beside them are meant.
  p("condition", "OF|WITH? work-hours", (_, hours) => hours),
  p("condition", "OF? WORK_HOURS ','? hours", (_, ...parts) => parts.at(-1)),
  p("work-hours", "WORK_HOURS", () => ({ filters: workHours, isAtWork: true })),
  p("work-hours", "OFF_HOURS", () => ({ anyOf: [offHours], isAtWork: true })),
  p("condition", "only? WITH? FLAG NOUN only?", ({ previous }, only, flag, noun, more) =>
    unifyAll([only, flag, previous === undefined ? {} : noun, more]),
  ),
  p("condition", "~'any' only? WITH? FLAG only?", (_, only, flag, more) =>
    /^[^_ ]*ing$/.test(flag.word?.said ?? "") ? undefined : unifyAll([only, flag, more]),
  ),
  // "By people rather than by the system": who is named first.
  p("condition", "OF|WITH|'by'? names INSTEAD_OF OF|'by'? excluded-list", (setting, one, _of, others) =>
    setting.previous === undefined ? both(one, negated(setting, {}, others)) : undefined,
  ),
  p("condition", "only NOUN|FLAGGED WITH? names|FLAG|of-length"),
  // "Missed but longer than 30 seconds", "billable but not payable calls".
  p("condition", "FLAG BUT|&but-not FLAG|FLAGGED|of-length|exclusion", (_, { filters = [] }, other) =>
    both({ noun: true, filters }, other),
  ),
  // "Calls failing".
  p("condition", "NOUN FLAG", (_, noun, flag) =>
    /^[^_ ]*ing$/.test(flag.word?.said ?? "")
      ? both(noun, { filters: flag.filters ?? [], isGoingOn: true })
      : undefined,
  ),
  // Who pays for the records: "that the buyer did not pay for", "where the publisher gets paid", "nobody was billed for".
  p("condition", "OF|WITH|BUT? payment"),
  p("payment", "NOT? nobody|party NOT? 'to'? paying 'for'?", (setting, no, party, not, verb) =>
    paid(setting, { party, verb }, no, not),
  ),
  // "That we did not have to pay the publisher for", "but billed no buyer".
  p("payment", "NOT? 'to'? paying NOT? OF|'to'? nobody|party 'for'?", (setting, not, verb, no, party) =>
    paid(setting, { party, verb, isPaid: true }, not, no),
  ),
  // "That we did not pay for", "how many calls did Acme pay for", "without paying publishers".
  p("payment", "~'what' ~'much' ~'to' NOT? 'to'? paying 'for' !NOUN !names", (setting, not, verb) =>
    paid(setting, { verb, isPaid: true }, not),
  ),
  p("payment", "NOT paying", (setting, not, verb) => paid(setting, { verb, isPaid: true }, not)),
  // "Where the buyer paid": whether, where a limit behind it says how much.
  p("condition", "where-paid"),
  p("where-paid", "WITH|BUT paying &BUT|&AND|&','|&PERIOD|&$", (setting, verb) => paid(setting, { verb })),
  p("condition", "NOUN paying &BUT|&NOT|&AND|&','|&PERIOD|&$|&BY", (setting, noun, verb) =>
    both(noun, paid(setting, { verb })),
  ),
  p("paying", "MEASURE|FLAG", (_, { word = {}, measures = [], filters = [] }) =>
    isPaying.test(word.said ?? "") ? { word, measures, filters } : undefined,
  ),
  p("paying", "'bill'|'charge'", () => ({ word: { said: "bill" } })),
  p("paying-whom", "paying", (_, verb) => (/publisher|buyer/.test(verb.word?.said ?? "") ? verb : undefined)),
  p("party", "DIM", (_, dim) => (/^(publisher|buyer)$/.test(dim.groups?.[0] ?? "") ? dim : undefined)),
  p("nobody", "'nobody'|'none'", () => ({ word: { said: "nobody" } })),
  p("nobody", "NOT 'one'", () => ({ word: { said: "nobody" } })),
  p("condition", "only|OF|WITH FLAGGED", (_, only, { filters = [] }) => ({ ...only, filters })),
  p("condition", "FLAGGED only", (_, { filters = [] }, only) => ({ ...only, filters })),
  p("only", "ONLY", () => ({ edit: { narrows: true } })),
  p("condition", "names NOUN"),
  p("condition", "OF FLAG NOUN|callers?", (_, flag) => flag),
  // "Weekday mornings": those days, no grouping by them.
  p("condition", "only? OF? WEEKDAYS PARTS only?"),
  p("condition", "only OF? WEEKDAYS"),
  // "Average duration for callers from Texas".
  p("condition", "'for' callers OF|WITH? names"),
  p("callers", "DIM", (_, dim) => (dim.groups?.[0] === "caller" ? {} : undefined)),
  p("condition", "OF|WITH amount QUANTITY", ofSeveral),
  p("condition", "!'within' OF|WITH NUMBER QUANTITY", (setting, number, quantity) =>
    ofRecords(setting, quantity, exactly(number)),
  ),
  p("condition", "WITH without DIM", (_, _without, dim) => none("empty", dim)),
  // "Calls on Monday or Tuesday last month": of every such day in that time.
  p("condition", "OF? DAYS_PART|weekdays", (_, days) => ({ ...days, isOfEachWeek: true })),
  p("weekdays", "WEEKDAY"),
  p("weekdays", "WEEKDAY AND|OR OF? weekdays", (_, one, others) => either(one, others)),
  // "Thursday vs Friday" in a longer time: by which of them.
  p("condition", "OF? WEEKDAY VERSUS OF? WEEKDAY", (_, one, other) => {
    const sides = sideBySide(one, other);
    return sides && { ...sides, isOfEachWeek: true };
  }),
  // All seven days bar nothing.
  p("condition", "several-days"),
  p("several-days", "DAYS|PARTS AND|OR AND? OF? DAYS|PARTS|several-days", (_, one, ...parts) => {
    const [others = {}] = parts.slice(-1);
    if (kindsOfDay(one, others) !== undefined) return undefined;
    // "In the morning, in the afternoon and in the evening": each of them, as with names.
    const isApart = /^(in|at|during) /.test(others.word?.said ?? "");
    const sides = isApart ? sideBySide(one, others) : either(one, others);
    return sides && { ...sides, word: others.word ?? {} };
  }),
  p("condition", "exclusion"),
  // "That failed or were shorter than 10 seconds"; "a and b or c" could be meant two ways.
  p("phrase", "~'and' alternatives !mixed"),
  p("alternatives", "!leaving-out alternative OR alternative|alternatives", anyOf),
  p("alternative", "condition"),
  p("alternative", "FLAGGED", (_, { filters = [] }) => ({ noun: true, filters })),
  p("alternative", "amount OF? figure|NOUN", (setting, bounds, figure) => ofGroups(setting, figure, bounds)),
  p("leaving-out", "NOT", (_, not) => (/(n.t|not|never)$/.test(not.word?.said ?? "") ? undefined : {})),
  p("mixed", "'and' condition"),
  p("condition", "EMPTY|without ALL? DIM", ({ previous }, _empty, dim) =>
    // A follow-up takes that group away.
    previous?.dimensions.includes(dim.groups?.[0] ?? "") ? undefined : none("empty", dim),
  ),
  // "Failed calls with reason" shows it.
  p("condition", "WITH DIM", (_, dim) =>
    dim.word?.isPlural || /reason/.test(dim.word?.said ?? "") ? undefined : none("not_empty", dim),
  ),
  p("condition", "DIM CONTAINS ANY", (_, dim, _contains, any) => containing(dim, any)),
  // "Leaving out calls without a code", "only the ones that have one".
  p("condition", "NOT|REMOVE NOUN|such-records without DIM", (_, _not, _noun, _without, dim) => none("not_empty", dim)),
  p("without", "NOT", (_, not) =>
    /^(without|(with )?no|non|lacking|untagged|never|\w+n.?t)$/.test(not.word?.said ?? "") ? not : undefined,
  ),
];

const isPaying =
  /^((we|we had|were|was|got|to|not|publishers?|buyers?) )*((un)?pa(y|ys|id|ying|yable)|(un)?bill(ed|ing|able)?|charg(e|ed|ing|eable)|receivable)( (out|us|to|for|the|our|publishers?|buyers?))*$/;

interface Payment {
  readonly party?: Piece;
  readonly verb: Piece;
  /** The party is paid or billed, where it pays by itself otherwise. */
  readonly isPaid?: true;
}

/** Whom the records pay: the buyer pays us for a receivable call, the publisher is paid for a payable one. */
function paid({ subject }: Setting, { party = {}, verb, isPaid }: Payment, ...nots: readonly Piece[]) {
  const said = verb.word?.said ?? "";
  const isReceived = /bill|charg|receiv|\bus\b/.test(said) || verb.measures?.[0] === "revenue";
  const isNobody = party.word?.said === "nobody";
  const payer = isReceived || (isNobody && !isPaid) ? "buyer" : isPaid ? "publisher" : undefined;
  const named = party.groups?.[0] ?? /publisher|buyer/.exec(said)?.[0] ?? payer;
  const isDenied = isNobody || verb.filters?.[0]?.values[0] === false;
  const denials = nots.filter(({ word }) => word !== undefined).length + (isDenied ? 1 : 0);
  const isOther = payer !== undefined && isPaid && named !== payer;
  if (subject.name !== "calls" || named === undefined || denials > 1 || isOther) return undefined;
  const filters = [{ field: named === "buyer" ? "receivable" : "payable", op: "is" as const, values: [denials === 0] }];
  return isPaid || party.groups === undefined ? { filters, isFigure: true as const } : { filters };
}

/** Clauses: what limits the question from outside, how many of those, and what is asked for in a second half. */
export const clausesPage: readonly Production[] = [
  // "Considering only weekdays", "limited to targets with over 100 calls", "looking only at winning bids".
  p("condition", "SCOPE OF? names|FLAG|DAYS|WEEKDAYS|PARTS|hours|of-length|of-records|of-groups|exclusion only?"),
  p("condition", "SCOPE OF? FLAG? NOUN|FLAGGED", (_, _scope, flag, noun) => unify(flag, { ...noun, noun: true })),
  // "Leaving out buyers with fewer than 40 calls", "skip the ones with less than 5".
  p("of-groups", "NOT left-out? OF|WITH? amount OF? figure|NOUN", (setting, _not, head, bounds, figure) =>
    both(head, ofOthers(setting, figure, bounds)),
  ),
  p("of-groups", "NOT left-out? OF|WITH? amount &$|&','|&period", ({ previous }, _not, head, bounds) =>
    previous === undefined ? both(head, { ownLimit: opposite(bounds)?.word?.bounds ?? [] }) : undefined,
  ),
  p("left-out", "DIM|GRAIN|KIND"),
  p("left-out", "'anything'|'those'|'ones'", () => ({})),
  p("figure-list", "HOW_MANY AND|',' AND? more-figures", (setting, _many, figures) =>
    both(counting(setting, { noun: true }), figures),
  ),
  // "What did Acme and Best each pay".
  p("condition", "name AND name EACH", (_, one, other) => sideBySide(one, other)),
  // "Which calls lasted over an hour": the calls themselves.
  p("list", "^ !'whose' WHICH ALL? !KIND NOUN|FLAGGED|bound-records", (_, records) =>
    records.word?.isPlural || /s\b/.test(records.word?.said ?? "")
      ? listed({}, { ...records, word: { isPlural: true } })
      : undefined,
  ),
  // "Which five states", "which status codes of 400 and above".
  p("rank", "WHICH COUNT DIM|GRAIN|KIND", (setting, count, name) => ranked(setting, {}, count, name)),
  p("rank", "end SHARE ALL? figure|NOUN", (setting, end, _share, figure) =>
    both({ share: true }, highest(setting, end, figure)),
  ),
  // "And what share is it".
  p("part", "AND? WHICH|'what'|'whats'|'how_much'? SHARE $", () => ({ share: true })),
  // "Calls by status, share of each", "…, what percent of the total has each".
  p("part", "AND? WHICH|'what'? SHARE SHARE? ALL? OF? EACH &$|&','|&PERIOD|&OF", ({ previous }) =>
    previous === undefined ? { share: true } : undefined,
  ),
  // "On the 6th attempt or later".
  p("of-records", "'from' NUMBER QUANTITY 'on'|'onwards'|'onward'|'upwards'", (setting, number, quantity) =>
    ofRecords(setting, quantity, amount("at_least", number)),
  ),
  p("of-records", "NUMBER QUANTITY OR_MORE", (setting, number, quantity) =>
    ofRecords(setting, quantity, amount("at_least", number)),
  ),
  // "What percentage of each publisher's calls were shorter than 30 seconds".
  p("part", "SHARE OF? EACH group-names whole when? part-of-it", (setting, _share, groups, whole, when, part) =>
    both(when, groups, portioned(setting, whole, part)),
  ),
  p(
    "part",
    "SHARE OF? ALL? whole OF|BY? EACH group-names when? FLAG|of-length",
    (setting, _share, whole, groups, when, part) => both(when, groups, portioned(setting, whole, part)),
  ),
];

/** The bound of those that stay where others are left out; of several bounds there is none. */
function opposite({ word }: Piece): Piece | undefined {
  const [bound, other] = word?.bounds ?? [];
  const op = bound && opposites[bound.op];
  return other === undefined && bound && op ? { word: { bounds: [{ ...bound, op }] } } : undefined;
}

function ofOthers(setting: Setting, figure: Piece | undefined, bounds: Piece): Piece | undefined {
  const others = opposite(bounds);
  return others && ofGroups(setting, figure ?? {}, others);
}
