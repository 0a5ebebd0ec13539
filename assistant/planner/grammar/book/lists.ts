import { findDimension, findQuantity, measureOf } from "../../../catalog/catalog.ts";
import { factCounted } from "../../../catalog/fact-counted.ts";
import { ofRecords } from "../bounds.ts";
import { numberNamed } from "../figures.ts";
import { asWord, deeds, isWhole, listed, listedBy, longest } from "../makes.ts";
import { both, type Piece, unify } from "../piece.ts";
import { mostListed, type Production, production as p, type Setting } from "../production.ts";

/** Lists of single records: "the last 20 calls", "list converted calls", "the 5 longest calls". */
export const listsPage: readonly Production[] = [
  p("list", "LIST COUNT? LIST? records", (_, list, count, _other, records) => listed(count, records, list)),
  p("list", "COUNT LIST records", (_, count, _list, records) => listed(count, records)),
  // "When was the last time someone edited a routing plan".
  p("list", "WITH LIST 'time'", () => ({ listing: true, limit: 1 })),
  p("list", "newest-first"),
  p("newest-first", "LIST? WITH? LIST OLDEST", () => ({ listing: true, limit: mostListed })),
  p("list", "~HOW_MANY records rest? ','? shown? newest-first &$", (_, records, rest) =>
    records.word?.isPlural ? both(listed({}, records), rest) : undefined,
  ),
  // "The most recent conversions of Acme, 10".
  p("list", "LIST records rest? ',' COUNT $", (_, list, records, rest, count) =>
    both(listed(count, records, list), rest),
  ),
  // "Who paused campaigns and when", "when was Acme paused".
  p("list", "AND 'when' &$|&','|&PERIOD", () => ({ listing: true })),
  p("list", "^ 'when' &names|&FLAG", ({ subject }) => (subject.name === "calls" ? undefined : { listing: true })),
  p("list", "'as'? LIST OF? $", (_, list) => ({
    listing: true,
    ...(isWhole(list) ? {} : { limit: 1 }),
  })),
  // "Failed calls of last week, list them", "refused requests, the last 10": behind what is listed.
  p(
    "list",
    "~HOW_MANY records rest? ','? shown? 'as'? LIST ALL? COUNT? &$|&WITH",
    (_, records, rest, _shown, list, count) => listedBehind(records, rest, list, count),
  ),
  // "The oldest 5 calls", "5 oldest calls".
  p("list", "OLDEST|COUNT OLDEST|COUNT? records", (setting, one, other, records) =>
    oldest(setting, one.word?.number === undefined ? other : one, records),
  ),
  // "Calls today, oldest first".
  p("list", "OLDEST OLDEST", (setting) => oldest(setting, { word: { number: mostListed } }, {})),
  p("list", "COUNT|SINGLE? LONGEST|SHORTEST COUNT? records", (setting, one, end, count, records) =>
    longest(setting, end, one.word?.number === undefined ? count : one, records),
  ),
  // "The last 20 calls with caller id and payout": what a list shows anyway.
  p("list", "AND column $", (_, { word: _word, ...column }) => ({ ...column, lists: true })),
  p("list", "!WITH_ONE WITH ALL|'their'|'its'? columns", (_, ...parts) => parts.at(-1)),
  // "With the amounts".
  p("list", "','? WITH anything|detail? $", () => ({ showsColumns: true })),
  p("detail", "ALL? 'details'|'detail'"),
  // "Calls over 10 minutes, longest first".
  p("list", "','? LONGEST|SHORTEST OLDEST", (setting, end) =>
    longest(setting, end, { word: { number: mostListed } }, {}),
  ),
  p("columns", "column"),
  p("columns", "column AND columns"),
  p("column", "DIM|KIND|QUANTITY|MEASURE", columnOf),
  p("records", "NOUN|FLAGGED|bound-records"),
  // "Refused requests", where they are a figure alone.
  p("records", "MEASURE", ({ subject }, figure) => {
    const fact = factCounted(subject, figure.measures?.[0] ?? "");
    return fact && figure.word?.isPlural ? { filters: [fact], word: figure.word } : undefined;
  }),
  // "Lost bids over $50".
  p("records", "MEASURE OF|WITH? amount", (setting, { measures: [name = ""] = [], ...figure }, bounds) => {
    const [fact, quantity] = [factCounted(setting.subject, name), numberNamed(setting, figure)];
    const part = quantity === undefined ? undefined : ofRecords(setting, { word: { quantity } }, bounds);
    return part && asWord(fact ? both({ filters: [fact] }, part) : part, figure.word);
  }),
  // "The 10 highest bids".
  p("list", "LIST COUNT? MEASURE", (setting, _list, count, figure) => {
    const { aggregate } = measureOf(setting.subject, figure.measures?.[0] ?? setting.subject.defaultMeasure);
    if ((aggregate.kind !== "highest" && aggregate.kind !== "lowest") || !figure.word?.isPlural) return undefined;
    const quantity = setting.subject.quantities.find(({ column }) => column === aggregate.column)?.name;
    const direction = aggregate.kind === "highest" ? "desc" : "asc";
    const filters = quantity === undefined ? [] : [{ field: quantity, op: "at_least" as const, values: [0] }];
    return both({ filters }, listedBy(setting, { direction }, count, figure, { word: { quantity: quantity ?? "" } }));
  }),
  p("records", "names OF NOUN", (_, names) => asWord({ filters: names.filters ?? [] }, names.word)),
  p("records", "NOUN? names", (setting, _noun, names) => deeds(setting, names)),
  p("list", "^ shown LIST? ALL? records", (_, _shown, _list, records) => ({ ...listed({}, records), shown: true })),
  p("list", "~HOW_MANY LIST|shown|'pull'? EACH thing", (_, _list, things) => listed({}, things)),
  p("list", "LIST|shown|'pull' EACH records", (_, _list, records) =>
    listed({}, asWord(records, { ...records.word, isPlural: true }) ?? {}),
  ),
  p("list", "LIST|shown|'pull' 'what' &names", (setting) =>
    setting.subject.name === "audit_logs" ? listed({}, { word: { isPlural: true } }) : undefined,
  ),
  p("list", "COUNT? NOUN WITH end QUANTITY", (setting, count, noun, end, number) =>
    listedBy(setting, end, count, noun, number),
  ),
  p(
    "list",
    "LIST? COUNT? end COUNT? NOUN when? OF|BY QUANTITY",
    (setting, _list, one, end, other, noun, when, ...parts) =>
      both(when, listedBy(setting, end, one.word ? one : other, noun, parts.at(-1) ?? {})),
  ),
  p("records", "names|FLAG|PERIOD records", (_, kind, records) =>
    asWord(unify(kind, records), kind.word?.isPlural ? kind.word : records.word),
  ),
];

/** "The oldest 5 calls": the list begins with what came first. */
function oldest({ subject }: Setting, count: Piece, records: Piece): Piece | undefined {
  const { isLatest: _, ...list } = listed(count, records);
  return { ...list, orderBy: subject.time, direction: "asc" };
}

function listedBehind(records: Piece, rest: Piece, list: Piece, count: Piece): Piece | undefined {
  if (!records.word?.isPlural || (count.word === undefined && !isWhole(list))) return undefined;
  return both(listed(count, records, list), rest);
}

/** What a list shows of each record; other columns it has none. */
function columnOf(
  { subject }: Setting,
  { groups: [group = ""] = [], measures: [measure] = [], word }: Piece,
): Piece | undefined {
  const aggregate = measure === undefined ? undefined : measureOf(subject, measure).aggregate;
  const column =
    findDimension(subject, group)?.column ??
    findQuantity(subject, word?.quantity ?? "")?.column ??
    (aggregate?.kind === "sum" ? aggregate.column : undefined);
  return column !== undefined && subject.listing.includes(column) ? { showsColumns: true } : undefined;
}
