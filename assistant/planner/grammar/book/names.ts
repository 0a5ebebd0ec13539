import { isDeepStrictEqual } from "node:util";
import { findDimension } from "../../../catalog/catalog.ts";
import type { Subject } from "../../../catalog/field.ts";
import { ofRecords, workHours } from "../bounds.ts";
import { counting } from "../figures.ts";
import { either, held, kindsOfDay, negated, none, numbered, ofKind, rejected, sideBySide } from "../makes.ts";
import { both, type Piece } from "../piece.ts";
import { type Production, production as p, type Setting } from "../production.ts";
import { theRest } from "../settle.ts";

/** Names and what is excluded: "Texas or Florida", "the medicare campaigns", "other than Acme and duplicates". */
export const namesPage: readonly Production[] = [
  p("names", "name"),
  p("names", "name AND|OR names", (_, one, others) => either(one, others)),
  p("name", "VALUE"),
  p("name", "DIM|KIND NAME", (_, dim, name) => ofKind(dim, name)),
  p("name", "NAME DIM|KIND", (_, name, dim) => ofKind(dim, name)),
  // "The two medicare campaigns": as many as the name stands for.
  p("name", "COUNT name", (_, count, name) =>
    name.filters?.[0]?.values.length === count.word?.number ? { filters: name.filters ?? [] } : undefined,
  ),
  p("name", "DIM ANY", numbered),
  // "The 212 area code".
  p("name", "ANY DIM", (setting, any, dim) => (dim.word?.isPlural ? undefined : numbered(setting, dim, any))),
  p("names", "'both' names", (_, { filters = [] }) =>
    (filters[0]?.values.length ?? 0) > 1 ? { filters, isBoth: true } : undefined,
  ),
  p("name", "DIM ANY OR|AND ANY", (setting, dim, one, other) =>
    eitherOf(numbered(setting, dim, one), numbered(setting, dim, other)),
  ),
  // "Receivers answered with a 429", "with response 401".
  p("name", "DIM? VERB|'response'? WITH? STATUS", (_, dim, ...parts) =>
    /^$|\bstatus$|^receivers?$/.test(dim.word?.said ?? "") ? parts.at(-1) : undefined,
  ),
  p("condition", "VERB WITH names"),
  p("names", "name 'ones'|'one'"),
  p("names", "name 'answer'|'answers'|'response'|'responses'|'error'|'errors'"),
  // "Texas and Florida together".
  p("condition", "OF|WITH? names together", (_, several) =>
    (several.filters?.[0]?.values.length ?? 0) > 1 ? { filters: several.filters ?? [] } : undefined,
  ),
  // "GET POST PUT", "TX CA NY".
  p("names", "name names", ({ subject }, one, others) => {
    const listed = isOfClosedList(subject, one) ? either(one, others) : undefined;
    return (listed?.filters?.[0]?.values.length ?? 0) > 1 ? listed : undefined;
  }),
  // Names that are held against each other are groups.
  p(
    "condition",
    "OF|WITH|'by'? name such-records? VERSUS such-records? OF|WITH|'by'? sides such-records?",
    (_, one, _such, _same, other) => sideBySide(one, other),
  ),
  // "Acme's revenue vs Best's revenue": the same figure of both.
  p("figures", "name figure VERSUS|AND name figure", (_, one, figure, other, same) =>
    isDeepStrictEqual(figure.measures, same.measures)
      ? both({ measures: figure.measures ?? [] }, held(one, other))
      : undefined,
  ),
  // "To Acme and to Best", "of Acme with that of Best": each of the two, where "to Acme and Best" is both together.
  p("condition", "OF name AND|WITH OF sides", (_, one, others) => sideBySide(one, others)),
  p("sides", "name"),
  p("sides", "name VERSUS|AND OF? sides", (_, one, other) => either(one, other)),
  // "Compared with calls that were not", "against all others".
  p("condition", "VERSUS|and-how-many WITH? NOUN|such-records? NOT &$|&','|&period|&BY", (setting) =>
    besideRest(setting),
  ),
  // "How many carry a recording and how many don't".
  p("and-how-many", "AND AND? HOW_MANY"),
  p("condition", "VERSUS REST", besideRest),
  p("condition", "OF? DAYS|WEEKDAYS AND|OR OF? DAYS|WEEKDAYS", (_, one, other) => kindsOfDay(one, other)),
  p("condition", "OF? DAYS|WEEKDAYS|PARTS VERSUS OF? DAYS|WEEKDAYS|PARTS", (_, one, other) => held(one, other)),
  // "… than it is on Fridays", "compared with Best", "… with what we earned after noon", "and what was it for Best": beside
  // the other one, wherever that stands.
  p("condition", "!^ VERSUS|MORE_THAN|LESS_THAN again? apart !MEASURE", ({ previous }, _than, figure, side) =>
    previous === undefined ? { heldTo: { ...figure, ...side } } : undefined,
  ),
  p("condition", "AND|WITH|VERSUS again OF? apart|period", ({ previous }, figure, side) =>
    previous === undefined ? { heldTo: { ...figure, ...side } } : undefined,
  ),
  p("again", "'what'|'how'|HOW_MANY|MEASURE|NOUN 'much'? MEASURE|NOUN?", (setting, asking, figure) =>
    counting(setting, figure.word ? figure : asking),
  ),
  p("apart", "OF|WITH|WHICH? side|hours|fact such-records?"),
  p("condition", "^ !held VERSUS NOUN? side AND|VERSUS|WITH|'to' side", (_, noun, one, ...parts) =>
    both(noun, held(one, parts.at(-1) ?? {})),
  ),
  p("side", "such-records? OF? ALL? name|DAYS|WEEKDAYS|PARTS", (_, ...parts) => parts.at(-1)),
  // "Than during the week".
  p("side", "'during' GRAIN", (_, { groups: [unit] = [] }) =>
    unit === "week" ? { filters: workHours.slice(0, 1) } : undefined,
  ),
  // "Better in the morning or in the evening", "more calls from Texas or Florida".
  p("condition", "BETTER figure|NOUN? side OR|VERSUS side", (setting, _better, figure, one, ...parts) =>
    both(counting(setting, figure), held(one, parts.at(-1) ?? {}), { compares: true, better: true }),
  ),
  p("condition", "'tagged' WITH? names"),
  p("condition", "'tagged' WITH? DIM", (_, dim) => none("not_empty", dim)),
  p("condition", "only NOUN WITH DIM", (_, _only, noun, dim) => both(noun, none("not_empty", dim))),
  p("condition", "CHANGE? figure|NOUN? between-sides", (setting, _change, figure, sides) =>
    both(counting(setting, figure), sides),
  ),
  p("between-sides", "BETWEEN side AND side", (_, _between, one, other) => held(one, other)),
  p("between-sides", "BETWEEN such-records? WHICH? sides-of-fact|sides-of-work", (_, ...parts) => parts.at(-1)),
  p("condition", "WITH QUANTITY amount", ofRecords),
  p("condition", "REJECTS", rejected),
  p("condition", "only? FLAG|FLAGGED 'ones'|'one' only?", (_, _only, flag) => ({ filters: flag.filters ?? [] })),

  // Exclusions: all of a list is excluded.
  p("exclusion", "NOT 'ones'|shown? 'by'? excluded-list", (setting, not, ...parts) =>
    negated(setting, not, parts.at(-1) ?? {}),
  ),
  p("exclusion", "WITH? listed-before NOT|'out' &$|&','|&period", (setting, ...parts) =>
    /^exclude|(out|aside)$/.test(parts.at(-1)?.word?.said ?? "") ? negated(setting, {}, parts.at(-2) ?? {}) : undefined,
  ),
  p("exclusion", "listed-before NOT 'counted'|'included'", (setting, list, not) => negated(setting, not, list)),
  // "Campaigns other than Acme".
  p("exclusion", "OF kinds-but", (_, { groups: _groups, ...exclusion }) => exclusion),
  p("kinds-but", "DIM NOT names", (setting, kind, not, names) =>
    kind.word?.isPlural && names.filters?.every(({ field }) => field === kind.groups?.[0])
      ? both({ groups: kind.groups ?? [] }, negated(setting, not, names))
      : undefined,
  ),
  // "In the evening, Texas excluded" leaves the evening; "Texas, Florida and duplicates excluded" is a list.
  p("listed-before", "!OF excluded|ended-list"),
  p("ended-list", "excluded !',' AND|OR excluded", (_, one, other) => listOf(one, other)),
  p("ended-list", "excluded ',' ended-list", (_, one, others) => listOf(one, others)),
  p("excluded-list", "excluded"),
  p("excluded-list", "excluded !',' AND|OR NOT? excluded-list", (_, one, _not, others) => listOf(one, others)),
  p("excluded-list", "excluded ',' AND? !OF excluded-list", (_, one, others) => listOf(one, others)),
  p("excluded", "anything? OF? ALL? names|FLAGGED|DAYS|PARTS"),
  p("excluded", "ALL? FLAG NOUN|'ones'?", (_, flag) => flag),
];

function besideRest({ previous }: Setting): Piece | undefined {
  return previous === undefined ? { contrast: theRest } : undefined;
}

const isOfClosedList = (subject: Subject, { filters: [filter] = [] }: Piece): boolean =>
  filter?.field === "state" || findDimension(subject, filter?.field ?? "")?.values !== undefined;

/** Conditions of a list that is excluded, whatever their fields. */
const listOf = (one: Piece, others: Piece): Piece => ({
  filters: [...(one.filters ?? []), ...(others.filters ?? [])],
});

const eitherOf = (one: Piece | undefined, other: Piece | undefined): Piece | undefined =>
  one && other && either(one, other);
