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
import { counting, isFigureToo, isQuantityToo, rateOf, statistic } from "../figures.ts";
import { answeredWithin, asked, asWord, countOfFact, isMaking, noneOf, speed } from "../makes.ts";
import { both, type Piece } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";

/** Bounds of each record or of each group's figure: "over 5 minutes", "with more than 20 calls", "without revenue". */
export const boundsPage: readonly Production[] = [
  p("amount", "bound"),
  // "Hung up after less than 30 seconds".
  p("amount", "~FLAG ~FLAGGED 'after' bound"),
  p("amount", "bound 'to' VERB|'process'|'answer'|'respond'", (_, bounds) => bounds),
  p("bound", "op 'their'? NUMBER times?", boundBy),
  p("bound", "NUMBER times? op-behind times?", (setting, number, times, op, behind) =>
    boundBy(setting, op, number, times.word ? times : behind),
  ),
  p("op", "MORE_THAN", () => ({ word: { op: "more_than" } })),
  p("op", "LESS_THAN", () => ({ word: { op: "less_than" } })),
  p("op", "AT_LEAST", () => atLeast),
  p("op", "AT_MOST", () => atMost),
  p("op-behind", "OR_MORE", () => atLeast),
  p("op-behind", "OR_LESS", () => atMost),
  p("times", "'times'", () => ({ word: { said: "times" } })),
  p("bound", "~FLAG ~FLAGGED soon"),
  p("soon", "'within' NUMBER", (setting, number) =>
    number.word?.unit === "seconds" ? boundBy(setting, atMost, number) : undefined,
  ),
  // "Zero conversions".
  p("bound", "NUMBER", (_, number) => (number.word?.number === 0 ? exactly(number) : undefined)),
  // "Earned us nothing".
  p("bound", "'nothing'", () => nothing),
  p("bound", "BETWEEN NUMBER AND NUMBER", (_, _between, low, high) => between(low, high)),

  // Of each record.
  p("of-length", "amount", (setting, bounds) => both({ isOfLength: true }, ofRecords(setting, {}, bounds))),
  p("of-records", "bound-records", (_, { word: _word, ...records }) => records),
  p("bound-records", "NOUN OF|WITH? QUANTITY OF? amount until-answered?", (setting, noun, quantity, bounds) =>
    asWord(both(noun, ofRecords(setting, quantity, bounds)), noun.word),
  ),
  p("bound-records", "NOUN OF|WITH? amount OF? QUANTITY until-answered?", (setting, noun, bounds, quantity) =>
    asWord(both(noun, ofSeveral(setting, bounds, quantity)), noun.word),
  ),
  // "A wait of over 20 seconds before somebody picked up": as it is anyway.
  p("until-answered", "MEASURE|EARLIER answers?", (_, { word }, fact) =>
    fact.word || /^(before|until|till) /.test(word?.said ?? "") ? { word: {} } : undefined,
  ),
  // "Answered in under 20 seconds", "answered within 20 seconds": how soon, where "for" tells how long.
  p("of-records", "FLAG how-soon", answeredWithin),
  p("of-records", "FLAGGED how-soon", (setting, fact, bounds) =>
    both(answeredWithin(setting, fact, bounds), countOfFact(setting, fact)),
  ),
  p("how-soon", "soon"),
  p("how-soon", "'after' amount"),
  p("how-soon", "!'for' OF amount"),
  p("of-records", "FLAG 'for' amount", connectedFor),
  p("of-records", "DIM OF? amount", ofColumn),
  p("of-records", "figure rest? OF? amount", (setting, figure, rest, bounds) =>
    both(rest, ofCounted(setting, figure, bounds)),
  ),
  p("of-records", "FLAG amount", (setting, fact, bounds) =>
    fact.word?.flag === "retried" ? perMessage(setting, bounds, 1) : undefined,
  ),
  // "Calls worth more than $50 in revenue".
  p("of-records", "records-noun OF? names? sum-of-each OF? amount of-that? !of-figure !NOUN", (setting, ...parts) => {
    const [records, names, quantity = {}, bounds = {}, same = {}] = parts;
    return isOfSame(quantity, same) ? both(records, names, ofRecords(setting, quantity, bounds)) : undefined;
  }),
  p("of-that", "OF QUANTITY"),
  p("of-records", "quantity-alone OF? amount", ofRecords),
  p("of-records", "amount OF? quantity-alone", ofSeveral),
  p("quantity-alone", "QUANTITY", (setting, quantity) =>
    isFigureToo(setting, quantity) && !setting.isOpen ? undefined : quantity,
  ),
  // "Calls without revenue", "that brought no revenue".
  p("of-records", "records-noun rest? BUT|WITH? earning|making? lacking", (_, records, rest, _earning, lack) =>
    both(records, rest, lack),
  ),
  // "No-revenue calls".
  p("of-records", "FLAG? lacking records-noun", (_, { filters = [] }, lack, records) =>
    both({ filters }, records, lack),
  ),
  p("lacking", "without|zero ALL? !paying sum-of-each", nothingOf),
  p("zero", "NUMBER", (_, { word }) => (word?.number === 0 && word.unit === null ? {} : undefined)),
  // "Did not bring any revenue", "did not earn anything".
  p("lacking", "NOT earning|making ALL? sum-of-each", nothingOf),
  p("lacking", "NOT sum-of-each 'anything'", nothingOf),
  p("lacking", "earned-nothing"),
  p("earned-nothing", "sum-of-each 'nothing'", nothingOf),
  p("records-noun", "NOUN|FLAGGED", (_, { word: _word, measures: _measures, ...records }) => ({
    ...records,
    noun: true,
  })),
  // "Billed at more than $40", "brought in at least $30 each", "made more than $50 of revenue": what each record did.
  p("of-records", "money-verb OF|'for'? amount of-that? !MEASURE !QUANTITY", (setting, quantity, bounds, same) =>
    isOfSame(quantity, same) ? ofRecords(setting, quantity, bounds) : undefined,
  ),
  p("money-verb", "MEASURE", (setting, figure) =>
    /^(paid|pays?|costs?|made|makes?|earned|brought|billed|charged)/.test(figure.word?.said ?? "")
      ? quantityOfSum(setting, figure)
      : undefined,
  ),
  p("money-verb", "FLAG", (_, { word }) =>
    word?.flag === "payable" && /for$/.test(word.said ?? "") ? { word: { ...word, quantity: "payout" } } : undefined,
  ),
  p("bound-records", "LOSES NOUN", (_, _loses, { word }) => ({ ...losingEach, ...(word && { word }) })),
  p("bound-records", "NOUN when? OF|WITH|'where'? LOSES", (_, _noun, when) =>
    asWord(both(losingEach, when), { isPlural: true }),
  ),
  // "Calls where payout is greater than revenue": where the profit is below zero.
  p("bound-records", "NOUN when? OF|WITH MEASURE MORE_THAN|LESS_THAN MEASURE", (_, noun, when, one, end, other) => {
    const [greater, smaller] = endOfTwo(end) === "greater" ? [one, other] : [other, one];
    return both(when, { noun: true, ...(noun.word && { word: noun.word }) }, profitOf(greater, smaller));
  }),
  // "Calls with revenue but no payout".
  p("of-records", "records-noun? WITH sum-of-each BUT|AND? lacking", (setting, records, quantity, lack) =>
    both({ ...records, noun: true }, ofRecords(setting, quantity, amount("more_than", zero)), lack),
  ),
  p("sum-of-each", "MEASURE|QUANTITY", quantityOfSum),
  p("sum-of-each", "'brought'|'bring'|'bringing'|'sold'|'worth' 'in'?", ({ subject }) =>
    subject.name === "calls" ? { word: { quantity: "revenue" } } : undefined,
  ),
  p("condition", "OF|WITH? names callers"),

  // Of each group: what is limited, what leads to the limits, and one or several of them.
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
  p("head", "WHICH DIM|GRAIN|KIND", (setting, dim) => both(asked(setting, dim), { heads: dim.groups ?? [] })),
  p("head", "'who_called_us'|calling-who", () => ({ groups: ["caller"], asked: "many", heads: ["caller"] })),
  p("calling-who", "WHO|WHICH 'called'|'phoned'|'rang'"),
  p("head", "'any' DIM|GRAIN|KIND", (_, dim) => ({ groups: dim.groups ?? [], heads: dim.groups ?? [] })),
  p("head", "DIM|GRAIN|KIND", (_, dim) => (dim.word?.isPlural ? { ...dim, heads: dim.groups ?? [] } : undefined)),
  // "How many campaigns had revenue over 1000": the campaigns are counted.
  p("head", "WHICH|EACH|ALL? paired|counted-groups", (_, ...parts) => {
    const [groups = {}] = parts.slice(-1);
    return { ...groups, heads: groups.groups ?? [] };
  }),
  p("where", "VERB? OF|WITH|WHICH|WHO WHICH? earning|making?", () => ({})),
  p("where", "earning|making", () => ({})),
  p("earning", "'brought'|'bring'|'bringing'|'made'|'earned'|'running' 'in'?"),
  p("limits", "limit"),
  p("limits", "limit when? AND? AND|BUT|&none|&'where' WITH|'only'? limits", (_, one, when, ...more) =>
    both(one, when, more.at(-1)),
  ),
  // "With calls but no conversions", "that we paid but had no revenue from".
  p("limits", "NOUN|MEASURE when? BUT limits", (setting, figure, when, limits) =>
    both(when, figure.noun ? {} : ofGroups(setting, figure, amount("more_than", zero)), limits),
  ),
  // "More than five failed deliveries", "deliveries over five": a figure, or how many there are of which a fact holds.
  p("tally", "figure|NOUN"),
  p("tally", "FLAGGED", countOfFact),
  p("tally", "FLAG NOUN", (setting, fact) => countOfFact(setting, fact)),
  p("limit", "amount OF? tally", (setting, bounds, figure) => ofGroups(setting, figure, bounds)),
  // "Revenue dropped below 300".
  p("limit", "tally OF|CHANGE? amount !of-figure", (setting, figure, ...parts) =>
    ofGroups(setting, figure, parts.at(-1) ?? {}),
  ),
  // "States with 20 calls or more".
  p("limit", "NUMBER OF? tally OR_MORE", (setting, number, figure) =>
    ofGroups(setting, figure, boundBy(setting, atLeast, number)),
  ),
  // "Brought in over $1000", "cost us more than $200 in payout".
  p("limit", "earning amount !of-figure", ofMoney),
  p("limit", "MEASURE amount OF? MEASURE|QUANTITY", (setting, verb, bounds, figure) =>
    isMaking(verb) || quantityOfSum(setting, figure)?.word?.quantity === columnOfSum(setting, verb)
      ? ofGroups(setting, isMaking(verb) ? figure : verb, bounds)
      : undefined,
  ),
  // "Callers hung up before an answer more than 10 times".
  p("limit", "VERB? callers|NOUN? names|FLAG|FLAGGED amount", (setting, ...parts) => {
    const [fact = {}, bounds = {}] = parts.slice(-2);
    // Of a webhook that was retried twice it is open how many attempts are meant.
    return bounds.word?.bounds?.every(({ isTimes }) => isTimes) && fact.word?.flag !== "retried"
      ? ofHow(setting, fact, bounds)
      : undefined;
  }),
  // "Keeps callers waiting longer than 20 seconds on average", "takes more than 15 seconds to answer on average".
  p("limit", "callers? QUANTITY|NOUN? 'last'|'lasts'? bound answering? OF STATISTIC", ofMeans),
  p(
    "limit",
    "none MEASURE|FLAGGED making?",
    (setting, _none, figure) => noneOf(setting, figure) ?? ofGroups(setting, figure, nothing),
  ),
  p("none", "MEASURE|earning? without ALL? SINGLE|'one'?", (_, verb) =>
    verb.measures === undefined || isMaking(verb) ? {} : undefined,
  ),
  p("none", "NOT SINGLE|'one'", () => ({})),
  // "… and never converted", "but none converted".
  p("limit", "NOT|'none' OF? FLAG", (setting, not, fact) =>
    /^(never|none)$/.test(not.word?.said ?? "") ? noneOf(setting, fact) : undefined,
  ),
  // "Where more than 20 percent failed", "converted less than half", "lost more than 20% of their calls to failures".
  p("limit", "'lost'|'lose'|'losing'? amount of-them? 'to'? fact-told|FLAGGED|names", (setting, bounds, _them, fact) =>
    ofRate(setting, fact, bounds),
  ),
  p("limit", "FLAG amount of-them?", ofRate),
  p("of-them", "OF", () => ({})),
  p("of-them", "OF? ALL? 'their'|'its'? NOUN", () => ({})),
  // "Converted fewer than 5 of them".
  p("limit", "FLAG amount of-them", (setting, fact, bounds) =>
    bounds.word?.bounds?.every(({ unit, isTimes }) => unit === null && !isTimes)
      ? ofGroups(setting, countOfFact(setting, fact), bounds)
      : undefined,
  ),
  // "Losing money", "with a loss", "where the margin is negative", "with negative profit", "made a profit".
  p("limit", "LOSES", () => losing),
  p("limit", "'loss'|'losses' &$|&','|&AND|&OF|&PERIOD|&BY", () => losing),
  p("of-groups", "LOSES head", (_, _loses, head) => both(head, losing)),
  p("limit", "figure 'negative'", lossOf),
  p("limit", "'negative' figure", lossOf),
  p("limit", "MEASURE figure &$|&period|&','|&OF", (setting, verb, figure) =>
    isMaking(verb) && isLeft(figure) ? ofGroups(setting, figure, amount("more_than", zero)) : undefined,
  ),
  // "Payout is greater than revenue", "more failed than converted calls", "miss more calls than they answer".
  p("limit", "figure|NOUN MORE_THAN|LESS_THAN figure|NOUN", ofRivals),
  p("limit", "BETTER|rival rival|BETTER NOUN? VERSUS rival", (setting, one, other, _noun, rival) =>
    one.measures ? ofRivals(setting, one, other, rival) : ofRivals(setting, other, one, rival),
  ),
  p("rival", "figure|NOUN", counting),
  p("rival", "fact NOUN?", (setting, fact) => countOfFact(setting, fact)),

  // Of each group, where what is grouped by is said elsewhere.
  p("of-groups", "figure-alone OF? amount !of-figure", ofGroups),
  p("of-groups", "amount OF? figure-alone|NOUN", (setting, bounds, figure) => ofGroups(setting, figure, bounds)),
  p("of-groups", "WITH amount OF figure", (setting, bounds, figure) => ofGroups(setting, figure, bounds)),
  p("figure-alone", "figure", (setting, figure) =>
    isQuantityToo(setting, figure) && !setting.isOpen ? undefined : figure,
  ),
  // "Among those with 20 calls or more".
  p("of-groups", "SCOPE|OF WITH limits", (_, ...parts) => parts.at(-1)),
  // "Calls by state, only over 20"; "…, skip the ones with less than 5".
  p("of-groups", "only such-records? WITH? amount &$|&','|&period", ({ previous }, ...parts) =>
    previous === undefined ? { ownLimit: parts.at(-1)?.word?.bounds ?? [] } : undefined,
  ),
  p("of-figure", "OF? figure"),
  // "Transactions that were sent twice".
  p("of-groups", "head names? WITH|WHICH|WHO|PARTICLE|'who'? amount|twice 'times'?", (setting, head, names, ...parts) =>
    both(names, ofTimes(setting, head, {}, parts.at(-1) ?? {})),
  ),
  p("twice", "NUMBER", (_, number) => (number.word?.said === "twice" ? exactly(number) : undefined)),
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

/** One figure against another; of how often facts held, "more" and "fewer" alone tell. */
function ofRivals(setting: Setting, one: Piece, end: Piece, other: Piece): Piece | undefined {
  const areFacts = one.word === undefined || other.word === undefined;
  if (end.measures !== undefined || (areFacts && !/^(more|fewer|less)$/.test(end.word?.said ?? ""))) return undefined;
  return ofTwoFigures(setting, one, endOfTwo(end), other);
}

/** The rest of each record's amount, where the first of its two amounts is the greater. */
function profitOf({ measures: [greater] = [] }: Piece, { measures: [smaller] = [] }: Piece): Piece | undefined {
  const isLoss = greater === "payout" && smaller === "revenue";
  if (!isLoss && !(greater === "revenue" && smaller === "payout")) return undefined;
  return { filters: [{ field: "profit", op: isLoss ? "less_than" : "more_than", values: [0] }] };
}

const endOfTwo = ({ word }: Piece): "greater" | "smaller" =>
  /^(and )?(fewer|less|lower|weaker|under|below|short|small|fast|<)/.test(word?.said ?? "") ? "smaller" : "greater";

const zero: Piece = { word: { number: 0 } };
const nothing: Piece = exactly(zero);
const atLeast: Piece = { word: { op: "at_least" } };
const atMost: Piece = { word: { op: "at_most" } };

/** "At least 4", "twice or more": a number of times where that is said. */
function boundBy(_: Setting, { word }: Piece, number: Piece, times: Piece = {}): Piece {
  return amount(word?.op ?? "is", times.word ? { word: { ...number.word, ...times.word } } : number);
}

/** The limit "below zero" of a profit, a margin or a return; undefined for other figures, which cannot be negative. */
function lossOf(setting: Setting, figure: Piece): Piece | undefined {
  if (figure.measures?.[0] === "profit") return losing;
  return isLeft(figure) ? ofGroups(setting, figure, amount("less_than", zero)) : undefined;
}

const isLeft = ({ measures: [name] = [] }: Piece): boolean => /^(profit|margin|roi)$/.test(name ?? "");

/** "States that brought in over $1000": money that comes in. */
function ofMoney(setting: Setting, _verb: Piece, bounds: Piece): Piece | undefined {
  const isMoney = setting.subject.name === "calls" && bounds.word?.bounds?.every(({ unit }) => unit === "money");
  return isMoney ? ofGroups(setting, { measures: ["revenue"] }, bounds) : undefined;
}

/** "Unprofitable calls". */
const losingEach: Piece = { noun: true, filters: [{ field: "profit", op: "less_than", values: [0] }] };

/** "Campaigns losing money": the greatest loss first. */
const losing: Piece = {
  measures: ["profit"],
  having: [{ field: "profit", op: "less_than", values: [0] }],
  loses: true,
};

/** How often a fact held, or how many records of a kind there were. */
const ofHow = (setting: Setting, fact: Piece, bounds: Piece): Piece | undefined => {
  const count = countOfFact(setting, fact);
  const { defaultMeasure } = setting.subject;
  return count === undefined
    ? both({ filters: fact.filters ?? [] }, ofGroups(setting, { measures: [defaultMeasure] }, bounds))
    : ofGroups(setting, count, bounds);
};

/** "Whose calls last over 3 minutes on average": a bound on the mean of each group. */
function ofMeans(setting: Setting, ...parts: readonly Piece[]): Piece | undefined {
  const [, of = {}, bounds = {}, answering, stat = {}] = parts;
  const quantity = of.word?.quantity ?? setting.subject.length ?? "";
  const figure = answering?.word ? speed(setting) : statistic(setting, stat, { word: { quantity } });
  return stat.word?.statistic === "avg" ? ofGroups(setting, figure, bounds) : undefined;
}

/** "Connected for at least 60 seconds": how long. */
function connectedFor(setting: Setting, fact: Piece, bounds: Piece): Piece | undefined {
  const isConnected =
    setting.subject.name === "calls" && fact.word?.flag === "connected" && fact.filters?.[0]?.values[0];
  return isConnected ? ofRecords(setting, { word: { quantity: "connect_duration" } }, bounds) : undefined;
}

/** "Without revenue": none of what each record has. */
function nothingOf(setting: Setting, ...parts: readonly Piece[]): Piece | undefined {
  return ofRecords(setting, parts.at(-1) ?? {}, nothing);
}

const isOfSame = ({ word }: Piece, { word: same = word }: Piece): boolean => same?.quantity === word?.quantity;
