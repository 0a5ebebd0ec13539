import { findDimension, findQuantity } from "../../catalog/catalog.ts";
import { factCounted } from "../../catalog/fact-counted.ts";
import type { Filter } from "../../plan.ts";
import { distinct, rateOf } from "./figures.ts";
import type { Piece } from "./piece.ts";
import { mostListed, type Setting } from "./production.ts";

/** What the words come to in the end, where several of them together say another thing than each by itself. */
export const settled = (spoken: Piece, setting: Setting, notes: string[]): Piece =>
  [wholeCall, withThings, withReasons, contrasted, countOfRate, listedWhole, countedGroup, rankedWithin].reduce(
    (piece, settle) => settle(piece, setting),
    withBids(spoken, setting, notes),
  );

/** "Call 01a1…": all that is known of it. */
const wholeCall = (said: Piece, { subject }: Setting): Piece => {
  const isOne = subject.name === "calls" && said.filters?.some(({ field, op }) => field === "call" && op === "is");
  const isShaped = said.measures !== undefined || said.groups !== undefined || said.listing;
  if (!isOne || isShaped) return said;
  const { trend: _trend, ...call } = said;
  return { ...call, listing: true, limit: mostListed };
};

/** "Revenue of converted vs unconverted calls": each of the two by itself. */
function contrasted(said: Piece, { subject }: Setting): Piece {
  const { contrast, measures = [], groups = [], ...rest } = said;
  const flag = subject.flags.find(({ name }) => name === contrast);
  const rival = subject.flags.find(({ name }) => name === flag?.rival);
  const counts = [flag?.measure, flag?.unmeasure, rival?.measure];
  const others = measures.filter((name) => !counts.includes(name));
  if (flag === undefined || others.length === 0) return said;
  return { ...rest, measures: others, groups: [...groups, flag.name] };
}

/** "How many failed, and the failure rate": of the failed alone the rate would say nothing. */
function countOfRate(said: Piece, { subject }: Setting): Piece {
  const { measures = [], filters = [] } = said;
  const fact = filters.find(({ field, values }) => {
    const count = subject.flags.find(({ name }) => name === field)?.[values[0] === true ? "measure" : "unmeasure"];
    const rate = rateOf(subject, count ?? "");
    return rate !== undefined && measures.includes(rate);
  });
  const flag = subject.flags.find(({ name }) => name === fact?.field);
  const count = fact?.values[0] === true ? flag?.measure : flag?.unmeasure;
  if (fact === undefined || count === undefined || !(said.isGoingOn || measures.includes(subject.defaultMeasure)))
    return said;
  const figures = measures.map((name) => (name === subject.defaultMeasure ? count : name));
  return { ...said, measures: figures, filters: filters.filter((each) => each !== fact) };
}

/** "How many publishers sent us traffic": without a bound they are a figure of the catalog, of the records that are counted. */
function countedGroup(said: Piece, setting: Setting): Piece {
  const { groups: [group, other] = [], measures = [], having = [], overGroups, ...rest } = said;
  const isCount = overGroups?.length === 1 && overGroups[0] === "count" && having.length === 0;
  const found =
    isCount && group !== undefined && other === undefined ? distinct(setting, { groups: [group] }) : undefined;
  const { subject } = setting;
  const facts = measures.map((name) => (name === subject.defaultMeasure ? null : factCounted(subject, name)));
  // "Webhooks" are what is counted as often as what sends it.
  const isNoun = subject.words.some((word) => word.split(" ").includes(group ?? ""));
  if (found === undefined || isNoun || facts.includes(undefined)) return said;
  const filters = [...(said.filters ?? []), ...facts.filter((fact) => fact != null)];
  return { ...rest, ...found, ...(filters.length > 0 && { filters }) };
}

/** "For each campaign, which publisher had the most calls": ranked within each campaign. */
function rankedWithin(said: Piece): Piece {
  const { ranked, asked, each = [], groups = [], direction } = said;
  const [main, other] = groups.filter((name) => !each.includes(name));
  if (ranked !== undefined || asked === undefined || direction === undefined || each.length !== 1) return said;
  return main === undefined || other !== undefined ? said : { ...said, ranked: main };
}

/** Of single records what is asked for is shown, and a bound is of each. */
function listedWhole(said: Piece, { subject }: Setting): Piece {
  const { groups = [], having = [], measures = [], asked } = said;
  if (!said.listing) return said;
  const quantities = having.map(({ field }) => findQuantity(subject, field)?.name);
  const areOfEach = having.length > 0 && quantities.every((name) => name !== undefined);
  const { groups: _groups, asked: _asked, ...ungrouped } = said;
  const isColumn = (name: string) => subject.listing.includes(findDimension(subject, name)?.column ?? name);
  const isShown = asked !== undefined && groups.every(isColumn);
  const left = isShown ? ungrouped : said;
  if (!areOfEach) return left;
  const { having: _having, measures: _measures, ...plain } = left;
  const others = measures.filter((name) => !having.some(({ field }) => field === name));
  return {
    ...plain,
    filters: [...(said.filters ?? []), ...having],
    ...(others.length > 0 && { measures: others }),
  };
}

/** "What got deleted": by the things, unless they are listed or grouped otherwise. */
const withThings = (said: Piece): Piece =>
  said.things && !said.listing && !said.groups?.some((name) => name !== "actor")
    ? { ...said, groups: [...(said.groups ?? []), "entity"] }
    : said;

/** "Why": grouped by the reasons that such records have. */
function withReasons(said: Piece, { subject }: Setting): Piece {
  const reason = subject.dimensions.find(({ reasonOf }) => reasonOf !== undefined)?.name;
  const known = said.groups ?? [];
  return said.reasons && reason !== undefined && !known.includes(reason) ? { ...said, last: [reason] } : said;
}

/** What came to no bid, by the outcome that a question names. */
const bidless: Readonly<Record<string, string>> = {
  timeout: "timeouts",
  http_error: "http_errors",
  parse_error: "parse_errors",
};

/** "How many bids timed out": a bid that timed out is none; what is meant are the requests for one. */
function withBids(said: Piece, { subject }: Setting, notes: string[]): Piece {
  if (subject.name !== "outbound_rtb_requests" || !said.measures?.includes("bids")) return said;
  const isFailed = ({ field, values }: Filter) => field === "failed" && values[0] === true;
  const isBidless = ({ field, op, values: [outcome, other] }: Filter) =>
    field === "outcome" && op === "is" && other === undefined && bidless[String(outcome)] !== undefined;
  const cause = said.filters?.find((each) => isFailed(each) || isBidless(each));
  if (cause === undefined) return said;
  const name = isFailed(cause) ? "failed_pings" : (bidless[String(cause.values[0])] ?? "");
  notes.push("I counted the requests for a bid: one that failed has none.");
  return {
    ...said,
    measures: said.measures.map((each) => (each === "bids" ? name : each)),
    ...(said.orderBy === "bids" && { orderBy: name }),
    filters: (said.filters ?? []).filter((each) => each !== cause),
  };
}
