import { measureOf } from "../../../catalog/catalog.ts";
import { countOf } from "../../../catalog/fact-counted.ts";
import {
  amount,
  between,
  exactly,
  ofColumn,
  ofCounted,
  ofGroups,
  ofRecords,
  ofSeveral,
  ofTimes,
  ofTwoFigures,
  perMessage,
} from "../bounds.ts";
import { counted, counting, divided, isFigureToo, isQuantityToo, rateOf, statistic } from "../figures.ts";
import { answeredWithin, asked, asWord, countOfFact, isMaking, noneOf, speed } from "../makes.ts";
import { both, type Piece, unifyAll } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** Bounds of each record or of each group's figure: "over 5 minutes", "with more than 20 calls", "without revenue". */
export const boundsPage: readonly Production[] = [
  p("amount", "bound"),
  p("amount", "bound 'to' VERB|'process'|'answer'|'respond'", (_, bounds) => bounds),
  p("bound", "MORE_THAN NUMBER 'times'", (_, _op, number) => amount("more_than", asTimes(number))),
  p("bound", "AT_LEAST NUMBER 'times'", (_, _op, number) => amount("at_least", asTimes(number))),
  p("bound", "MORE_THAN 'their'? NUMBER", (_, _op, number) => amount("more_than", number)),
  p("bound", "AT_LEAST NUMBER", (_, _op, number) => amount("at_least", number)),
  p("bound", "LESS_THAN NUMBER", (_, _op, number) => amount("less_than", number)),
  p("bound", "AT_MOST NUMBER", (_, _op, number) => amount("at_most", number)),
  p("bound", "NUMBER 'times' OR_MORE", (_, number) => amount("at_least", asTimes(number))),
  p("bound", "NUMBER OR_MORE 'times'", (_, number) => amount("at_least", asTimes(number))),
  p("bound", "NUMBER OR_MORE", (_, number) => amount("at_least", number)),
  p("bound", "NUMBER OR_LESS", (_, number) => amount("at_most", number)),
  // "Zero conversions".
  p("bound", "NUMBER", (_, number) => (number.word?.number === 0 ? exactly(number) : undefined)),
  // "Earned us nothing".
  p("bound", "'nothing'", () => nothing),
  p("bound", "NUMBER 'to'? NUMBER !PARTS !OF", (_, low, high) =>
    low.word?.unit === null ? between(low, high) : undefined,
  ),
  p("bound", "BETWEEN NUMBER AND NUMBER", (_, _between, low, high) => between(low, high)),
  p("of-length", "amount", (setting, bounds) => both({ isOfLength: true }, ofRecords(setting, {}, bounds))),
  p("of-records", "bound-records", (_, { word: _word, ...records }) => records),
  p("bound-records", "NOUN OF|WITH? QUANTITY OF? amount until-answered?", (setting, noun, quantity, bounds) =>
    asWord(both(noun, ofRecords(setting, quantity, bounds)), noun.word),
  ),
  // "A wait of over 20 seconds before somebody picked up": as it is anyway.
  p("until-answered", "MEASURE|EARLIER answers?", (_, { word }, fact) =>
    fact.word || /^(before|until|till) /.test(word?.said ?? "") ? { word: {} } : undefined,
  ),
  p("bound-records", "NOUN OF|WITH? amount OF? QUANTITY until-answered?", (setting, noun, bounds, quantity) =>
    asWord(both(noun, ofSeveral(setting, bounds, quantity)), noun.word),
  ),
  p("of-records", "counted-records OF|WITH? amount OF QUANTITY", (setting, records, bounds, quantity) =>
    both(records, ofRecords(setting, quantity, bounds)),
  ),
  p("of-records", "FLAGGED OF amount", (setting, fact, bounds) =>
    both(answeredWithin(setting, fact, bounds), countOfFact(setting, fact)),
  ),
  p("counted-records", "HOW_MANY MEASURE|NOUN", counted),
  p("counted-records", "MEASURE", (setting, figure) => counted(setting, {}, figure)),
  // "When a call lasts under a minute".
  p("of-records", "WITH? NOUN 'lasts'|'lasted'|'last' amount", (setting, ...parts) =>
    both({ noun: true }, ofRecords(setting, {}, parts.at(-1) ?? {})),
  ),
  p("of-records", "DIM OF? amount", ofColumn),
  p("of-records", "figure rest? OF? amount", (setting, figure, rest, bounds) =>
    both(rest, ofCounted(setting, figure, bounds)),
  ),
  p("of-records", "FLAG amount", (setting, fact, bounds) =>
    fact.word?.flag === "retried" ? perMessage(setting, bounds, 1) : undefined,
  ),
  // "Calls worth more than $50 in revenue".
  p(
    "of-records",
    "records-noun OF? names? sum-of-each OF? amount of-that? !of-figure !NOUN",
    (setting, records, names, quantity, bounds, { word: same = quantity.word } = {}) =>
      same?.quantity === quantity.word?.quantity
        ? both(records, names, ofRecords(setting, quantity, bounds))
        : undefined,
  ),
  p("of-that", "OF QUANTITY"),
  p("of-records", "quantity-alone OF? amount", ofRecords),
  p("of-records", "amount OF? quantity-alone", ofSeveral),
  p("quantity-alone", "QUANTITY", (setting, quantity) =>
    isFigureToo(setting, quantity) && !setting.isOpen ? undefined : quantity,
  ),
  p("of-groups", "figure-alone OF? amount !of-figure", ofGroups),
  p("of-groups", "amount OF? figure-alone", (setting, bounds, figure) => ofGroups(setting, figure, bounds)),
  // "Revenue by campaign with more than $100 of revenue".
  p("of-groups", "WITH amount OF figure", (setting, bounds, figure) => ofGroups(setting, figure, bounds)),
  p("of-groups", "amount NOUN", (setting, bounds, noun) => ofGroups(setting, noun, bounds)),
  // "Pay over $30 per call".
  p("of-groups", "figure amount unit", (setting, figure, bounds, unit) =>
    ofGroups(setting, divided(setting, figure, unit) ?? {}, bounds),
  ),
  // "With conversion under 40% and calls over 100", "over 200 calls and 5000 revenue".
  p("of-groups", "head when? where? limits", (_, head, when, _where, limits) => both(head, when, limits)),
  // "Of the publishers with more than 50 calls, which one has …".
  p(
    "of-groups",
    "SCOPE|OF ALL? head when? where? limits when? ','? WHICH|WHO 'one'|'ones'|COUNT?",
    (_setting, _scope, head, when, _where, limits, more, ...parts) => {
      const { number, said } = parts.at(-1)?.word ?? {};
      const several = said === "ones" || (number !== undefined && said === undefined);
      return both(head, when, limits, more, {
        asked: several ? "many" : "one",
        ...(several && number && { limit: number }),
      });
    },
  ),
  p("where", "OF|WITH|WHICH WHICH? making?", () => ({})),
  // "Calls by state, only over 20".
  p("of-groups", "only such-records? WITH? amount &$|&','|&period", ({ previous }, ...parts) =>
    previous === undefined ? { ownLimit: parts.at(-1)?.word?.bounds ?? [] } : undefined,
  ),
  p("of-groups", "WITH limit AND|BUT limits", (_, one, more) => both(one, more)),
  // "Among those with 20 calls or more".
  p("of-groups", "SCOPE|OF WITH limits", (_, ...parts) => parts.at(-1)),
  // "Keeps callers waiting longer than 20 seconds on average", "takes more than 15 seconds to answer on average".
  p("of-groups", "head when? OF|WITH? callers? QUANTITY|NOUN? 'last'|'lasts'? bound answering? OF STATISTIC", ofMeans),
  p("limits", "limit"),
  p("limits", "limit when? AND? AND|BUT|&none|&'where' WITH|'only'? limits", (_, one, when, ...more) =>
    both(one, when, more.at(-1)),
  ),
  // "With calls but no conversions", "that we paid but had no revenue from".
  p("limits", "NOUN when? BUT limits", (_, _noun, when, limits) => both(when, limits)),
  p("limits", "MEASURE BUT limits", (setting, figure, limits) =>
    both(ofGroups(setting, figure, amount("more_than", { word: { number: 0 } })), limits),
  ),
  p(
    "limit",
    "none MEASURE|FLAGGED making?",
    (setting, _none, figure) => noneOf(setting, figure) ?? ofGroups(setting, figure, nothing),
  ),
  p("none", "MEASURE|'brought'|'bring'? 'in'? without ALL? SINGLE|'one'?", (_, verb) =>
    verb.measures === undefined || isMaking(verb) ? {} : undefined,
  ),
  p("none", "NOT SINGLE|'one'", () => ({})),
  // "… and never converted", "but none converted".
  p("limit", "NOT|'none' OF? FLAG", (setting, not, fact) =>
    /^(never|none)$/.test(not.word?.said ?? "") ? noneOf(setting, fact) : undefined,
  ),
  // "With revenue over $500 but negative profit".
  p("limits", "limit when? AND? AND|BUT WITH? of-loss", (_, one, when, ...more) => both(one, when, more.at(-1))),
  p("of-loss", "LOSES", (setting, { word }) =>
    /negative/.test(word?.said ?? "") ? ofGroups(setting, { measures: ["profit"] }, below) : undefined,
  ),
  p("of-loss", "figure loss", (setting, figure) => (isLeft(figure) ? ofGroups(setting, figure, below) : undefined)),
  // "States with 20 calls or more".
  p("limit", "NUMBER OF? figure|NOUN OR_MORE", (setting, number, figure) =>
    ofGroups(setting, figure, amount("at_least", number)),
  ),
  p("limit", "figure|NOUN OF? amount !of-figure", ofGroups),
  p("limit", "amount OF? figure|NOUN", (setting, bounds, figure) => ofGroups(setting, figure, bounds)),
  p("of-groups", "head when? OF|WITH? amount names NOUN", (setting, head, when, bounds, names, noun) =>
    both(head, when, names, ofGroups(setting, noun, bounds)),
  ),
  // "Where more than 20 percent failed", "converted less than half".
  p("of-groups", "WITH? share-of-fact"),
  p("limit", "share-of-fact"),
  p("share-of-fact", "amount of-them? fact-told|FLAGGED|names", (setting, bounds, _them, fact) =>
    ofRate(setting, fact, bounds),
  ),
  p("share-of-fact", "FLAG amount of-them?", ofRate),
  // "Lost more than 20% of their calls to failures".
  p("share-of-fact", "'lost'|'lose'|'losing' amount of-them 'to' FLAGGED|names", (setting, bounds, _them, fact) =>
    ofRate(setting, fact, bounds),
  ),
  p("of-them", "OF? ALL? 'their'|'its'? NOUN", () => ({})),
  p("of-them", "OF", () => ({})),
  // "Converted fewer than 5 of them".
  p("limit", "FLAG amount of-them", (setting, fact, bounds) =>
    bounds.word?.bounds?.every(({ unit, isTimes }) => unit === null && !isTimes)
      ? ofGroups(setting, countOfFact(setting, fact), bounds)
      : undefined,
  ),
  // "Won more than 10 bids", "more than 10 deliveries failed".
  p("of-groups", "head 'running' amount OF? figure", (setting, head, bounds, figure) =>
    both(head, ofGroups(setting, figure, bounds)),
  ),
  // "Transactions that were sent twice".
  p("of-groups", "head WITH|WHO|PARTICLE|'who'? amount|twice 'times'?", ofTimes),
  p("twice", "NUMBER", (_, number) => (number.word?.said === "twice" ? exactly(number) : undefined)),
  p("of-groups", "head OF? names WHICH? amount", (setting, head, names, bounds) =>
    both(names, ofTimes(setting, head, {}, bounds)),
  ),
  p("of-groups", "head WHO amount OF? figure|NOUN", (setting, head, _who, bounds, figure) =>
    both(head, ofGroups(setting, figure, bounds)),
  ),
  p("of-groups", "head 'brought'|'bring'|'bringing' 'in'? amount !of-figure", (setting, head, bounds) =>
    both(head, ofMoney(setting, bounds)),
  ),
  p("of-groups", "head 'brought'|'bring'|'bringing' 'in'? amount OF? figure|NOUN", (setting, head, bounds, figure) =>
    both(head, ofGroups(setting, figure, bounds)),
  ),
  // "Hung up within 10 seconds".
  p("of-records", "NOUN 'within' NUMBER", (setting, noun, number) =>
    number.word?.unit === "seconds" ? both(noun, ofRecords(setting, {}, amount("at_most", number))) : undefined,
  ),
  p("of-records", "FLAG 'within' NUMBER", (setting, fact, number) =>
    answeredWithin(setting, fact, amount("at_most", number)),
  ),
  p("of-records", "FLAGGED 'within' NUMBER", (setting, fact, number) =>
    both(countOfFact(setting, fact), answeredWithin(setting, fact, amount("at_most", number))),
  ),
  p("of-records", "names 'within' NUMBER", (setting, names, number) =>
    both(names, ofRecords(setting, {}, amount("at_most", number))),
  ),
  // "Calls without revenue", "that brought no revenue".
  p(
    "of-records",
    "records-noun BUT|WITH? 'brought'|'bring'|'made'|'earned'? 'in'? without ALL? MEASURE|QUANTITY",
    (setting, records, _without, figure) => {
      const quantity = figure.word?.quantity ?? columnOfSum(setting, figure);
      return quantity === undefined ? undefined : both(records, ofRecords(setting, { word: { quantity } }, nothing));
    },
  ),
  p("records-noun", "NOUN|FLAGGED", (_, { word: _word, measures: _measures, ...records }) => ({
    ...records,
    noun: true,
  })),
  // "Billed at more than $40", "brought in at least $30 each": what each record did.
  p("of-records", "money-verb OF|'for'? amount !MEASURE !QUANTITY", ofRecords),
  p("money-verb", "MEASURE", (setting, figure) =>
    /^(paid|pays?|costs?|made|makes?|earned|brought|billed|charged)/.test(figure.word?.said ?? "")
      ? quantityOfSum(setting, figure)
      : undefined,
  ),
  p("money-verb", "FLAG", (_, { word }) =>
    word?.flag === "payable" && /for$/.test(word.said ?? "") ? { word: { ...word, quantity: "payout" } } : undefined,
  ),
  p("of-records", "MEASURE amount OF QUANTITY", (setting, figure, bounds, quantity) =>
    columnOfSum(setting, figure) === quantity.word?.quantity ? ofRecords(setting, quantity, bounds) : undefined,
  ),
  // "Which campaigns cost us more than $200 in payout": all that each group has of it.
  p(
    "of-groups",
    "head when? OF|WITH? MEASURE amount OF? MEASURE|QUANTITY",
    (setting, head, when, verb, bounds, figure) =>
      isMaking(verb) || quantityOfSum(setting, figure)?.word?.quantity === columnOfSum(setting, verb)
        ? both(head, when, ofGroups(setting, isMaking(verb) ? figure : verb, bounds))
        : undefined,
  ),
  // "Targets where callers hung up before an answer more than 10 times".
  p(
    "of-groups",
    "head when? VERB? OF|WITH? callers|NOUN? names|FLAG|FLAGGED amount",
    (setting, head, when, _verb, _callers, fact, bounds) =>
      // Of a webhook that was retried twice it is open how many attempts are meant.
      bounds.word?.bounds?.every(({ isTimes }) => isTimes) && fact.word?.flag !== "retried"
        ? both(head, when, ofHow(setting, fact, bounds))
        : undefined,
  ),
  // "Targets that answered at least 50 calls": so many answered.
  p("of-groups", "head VERB amount OF? figure|NOUN", (setting, head, verb, bounds, figure) => {
    const isAnswered = figure.noun && setting.subject.name === "calls" && verb.word?.said?.startsWith("answer");
    const counted = isAnswered ? { measures: ["connected_calls"] } : counting(setting, figure);
    return both(head, ofGroups(setting, counted ?? {}, bounds));
  }),
  // "Publishers with negative margin", "how many made a profit".
  p("of-groups", "head when? OF|WITH? 'negative' figure", (setting, head, when, figure) =>
    isLeft(figure) ? both(head, when, ofGroups(setting, figure, below)) : undefined,
  ),
  p("of-groups", "head MEASURE figure &$|&period|&','|&OF", (setting, head, verb, figure) =>
    /^(made|make|makes)$/.test(verb.word?.said ?? "") && isLeft(figure)
      ? both(head, ofGroups(setting, figure, amount("more_than", { word: { number: 0 } })))
      : undefined,
  ),
  // "Days when revenue dropped below 300".
  p("of-groups", "head when? OF|WITH? figure|NOUN CHANGE amount", (setting, head, when, figure, _change, bounds) =>
    both(head, when, ofGroups(setting, figure, bounds)),
  ),
  p("of-groups", "head when? WITH? LOSES", (_, head, when) => both(head, when, losing)),
  p("of-groups", "LOSES head", (_, _loses, head) => both(head, losing)),
  p("condition", "OF|WITH? names callers"),
  p("bound-records", "LOSES NOUN", (_, _loses, { word }) => ({ ...losingEach, ...(word && { word }) })),
  p("bound-records", "NOUN when? OF|WITH|'where'? LOSES", (_, _noun, when) =>
    asWord(both(losingEach, when), { isPlural: true }),
  ),
  p("of-figure", "OF? figure"),
  // "Campaigns where payout is greater than revenue", "with more failed than converted calls".
  p("of-groups", "head when? OF|WITH? figure|NOUN MORE_THAN|LESS_THAN figure|NOUN", (setting, ...parts) => {
    const [head, when, one = {}, end = {}, other = {}] = parts;
    return both(head, when, ofTwoFigures(setting, one, endOfTwo(end), other));
  }),
  p("of-groups", "head when? OF|WITH? BETTER figure|NOUN VERSUS figure|NOUN", (setting, ...parts) => {
    const [head, when, end = {}, one = {}, other = {}] = parts;
    return both(head, when, ofTwoFigures(setting, one, endOfTwo(end), other));
  }),
  // "With more failed than converted calls", "which targets miss more calls than they answer".
  p("of-groups", "head when? OF|WITH? BETTER|fact fact|BETTER NOUN? VERSUS fact NOUN?", (setting, ...parts) => {
    const [head, when, one = {}, other = {}, _noun, rival = {}] = parts;
    const [fact, end] = one.filters === undefined ? [other, one] : [one, other];
    return both(head, when, ofTwoFacts(setting, fact, end, rival));
  }),
  // "Calls where payout is greater than revenue": where the profit is below zero.
  p("bound-records", "NOUN when? OF|WITH MEASURE MORE_THAN|LESS_THAN MEASURE", (_, noun, when, one, end, other) => {
    const [greater, smaller] = endOfTwo(end) === "greater" ? [one, other] : [other, one];
    return both(when, { noun: true, ...(noun.word && { word: noun.word }) }, profitOf(greater, smaller));
  }),
  // "With a loss", "where profit is negative", "only pairs with a loss".
  p("of-groups", "head when? OF|WITH figure loss", (_, head, when, figure) =>
    figure.measures?.[0] === "profit" ? both(head, when, losing) : undefined,
  ),
  p("of-groups", "head when? WITH 'loss'|'losses' &$|&','|&AND|&OF|&PERIOD|&BY", (_, head, when) =>
    both(head, when, losing),
  ),
  p("loss", "'negative'", () => ({})),
  // "Calls with revenue but no payout".
  p(
    "of-records",
    "records-noun? WITH sum-of-each BUT|AND? without ALL? sum-of-each",
    (setting, records, one, _without, other) =>
      unifyAll([
        { ...records, noun: true },
        ofRecords(setting, one, amount("more_than", { word: { number: 0 } })) ?? {},
        ofRecords(setting, other, nothing) ?? {},
      ]),
  ),
  p("sum-of-each", "MEASURE|QUANTITY", quantityOfSum),
  p("sum-of-each", "money-verb"),
  p("sum-of-each", "'brought'|'bring'|'bringing'|'sold'|'worth' 'in'?", ({ subject }) =>
    subject.name === "calls" ? { word: { quantity: "revenue" } } : undefined,
  ),
  p("head", "WHICH DIM|GRAIN|KIND", (setting, dim) => both(asked(setting, dim), { heads: dim.groups ?? [] })),
  p("head", "'any' DIM|GRAIN|KIND", (_, dim) => ({ groups: dim.groups ?? [], heads: dim.groups ?? [] })),
  p("head", "DIM|GRAIN|KIND", (_, dim) => (dim.word?.isPlural ? { ...dim, heads: dim.groups ?? [] } : undefined)),
  // "How many campaigns had revenue over 1000": the campaigns are counted.
  p("head", "WHICH|EACH|ALL? paired", (_, ...parts) => {
    const [pairs = {}] = parts.slice(-1);
    return { ...pairs, heads: pairs.groups ?? [] };
  }),
  p("head", "counted-groups", (_, groups) => ({ ...groups, heads: groups.groups ?? [] })),
  p("figure-alone", "figure", (setting, figure) =>
    isQuantityToo(setting, figure) && !setting.isOpen ? undefined : figure,
  ),
];

/** A bound on the rate of a fact, of each group. */
function ofRate(setting: Setting, fact: Piece, bounds: Piece): Piece | undefined {
  const [filter] = fact.filters ?? [];
  const count = filter && countOf(setting.subject, filter);
  const rate = rateOf(setting.subject, count ?? "");
  const isShare = bounds.word?.bounds?.every(({ unit }) => unit === "percent");
  return rate === undefined || !isShare ? undefined : ofGroups(setting, { measures: [rate] }, bounds);
}

/** "Revenue", "earned": what each record has of it. */
function quantityOfSum(setting: Setting, figure: Piece): Piece | undefined {
  const quantity = figure.word?.quantity ?? columnOfSum(setting, figure);
  return quantity === undefined ? undefined : { word: { quantity } };
}

/** What each record has of a total. */
const columnOfSum = ({ subject }: Setting, { measures: [name] = [] }: Piece): string | undefined => {
  const aggregate = name === undefined ? undefined : measureOf(subject, name).aggregate;
  return aggregate?.kind === "sum"
    ? subject.quantities.find(({ column }) => column === aggregate.column)?.name
    : undefined;
};

function ofTwoFacts(setting: Setting, one: Piece, end: Piece, other: Piece): Piece | undefined {
  const [first, second] = [countOfFact(setting, one), countOfFact(setting, other)];
  const isMany = /^(more|fewer|less)$/.test(end.word?.said ?? "");
  return isMany && first && second ? ofTwoFigures(setting, first, endOfTwo(end), second) : undefined;
}

/** The rest of each record's amount, where the first of its two amounts is the greater. */
function profitOf({ measures: [greater] = [] }: Piece, { measures: [smaller] = [] }: Piece): Piece | undefined {
  const isLoss = greater === "payout" && smaller === "revenue";
  if (!isLoss && !(greater === "revenue" && smaller === "payout")) return undefined;
  return { filters: [{ field: "profit", op: isLoss ? "less_than" : "more_than", values: [0] }] };
}

const endOfTwo = ({ word }: Piece): "greater" | "smaller" =>
  /^(and )?(fewer|less|lower|weaker|under|below|short|small|fast|<)/.test(word?.said ?? "") ? "smaller" : "greater";

const nothing: Piece = exactly({ word: { number: 0 } });

const below: Piece = amount("less_than", { word: { number: 0 } });
const isLeft = ({ measures: [name] = [] }: Piece): boolean => /^(profit|margin|roi)$/.test(name ?? "");

/** "States that brought in over $1000": money that comes in. */
const ofMoney = (setting: Setting, bounds: Piece): Piece | undefined =>
  setting.subject.name === "calls" && bounds.word?.bounds?.every(({ unit }) => unit === "money")
    ? ofGroups(setting, { measures: ["revenue"] }, bounds)
    : undefined;

/** "Unprofitable calls". */
const losingEach: Piece = { noun: true, filters: [{ field: "profit", op: "less_than", values: [0] }] };

/** "Campaigns losing money": the greatest loss first. */
const losing: Piece = {
  measures: ["profit"],
  having: [{ field: "profit", op: "less_than", values: [0] }],
  loses: true,
};

const asTimes = ({ word }: Piece): Piece => ({ word: { ...word, said: "times" } });

/** How often a fact held, or how many records of a kind there were. */
const ofHow = (setting: Setting, fact: Piece, bounds: Piece): Piece | undefined => {
  const count = countOfFact(setting, fact);
  const { defaultMeasure } = setting.subject;
  return count === undefined
    ? both({ filters: fact.filters ?? [] }, ofGroups(setting, { measures: [defaultMeasure] }, bounds))
    : ofGroups(setting, count, bounds);
};

/** "Whose calls last over 3 minutes on average": a bound on the mean of each group. */
function ofMeans(setting: Setting, head: Piece, when: Piece, ...parts: readonly Piece[]): Piece | undefined {
  const [, of = {}, bounds = {}, answering, stat = {}] = parts;
  const quantity = of.word?.quantity ?? setting.subject.length ?? "";
  const figure = answering?.word ? speed(setting) : statistic(setting, stat, { word: { quantity } });
  return stat.word?.statistic === "avg" ? both(head, when, ofGroups(setting, figure, bounds)) : undefined;
}
