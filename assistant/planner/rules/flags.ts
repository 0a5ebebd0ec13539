import { findMeasure } from "../../catalog/catalog.ts";
import { readBothWays } from "./both-ways.ts";
import { negation } from "./negation.ts";
import { isOnlyBehind } from "./only.ts";
import {
  addFilter,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  measureOfFlag,
  type Reading,
  senseAs,
  senses,
  sensesAs,
  use,
} from "./reading.ts";

/** "missed", "not converted", "revenue of converted calls"; as a noun of its own it is left to be a measure. */
export function readFlags(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const flags = sensesAs(reading, index, "flag");
    const flag = flags[0];
    if (flag === undefined) return;
    const not = negation(reading, index);
    if (not === undefined && flag.holds && isListed(reading, index)) {
      addMeasure(reading, measureOfFlag(reading, flag.name));
      use(reading, index, after(reading, index), ...indexesOf(reading, "side_by_side"));
      use(reading, ...indexesOf(reading, "versus").filter((at) => at < index));
      return;
    }
    if (not !== undefined && isOfGroup(reading, not, index)) {
      noneOf(reading, index, measureOfFlag(reading, flag.name));
      use(reading, not);
      return;
    }
    const isMeasure = senseAs(reading, index, "measure") !== undefined;
    const ofMeasure = hasRole(reading, before(reading, index), "of", "with") || hasRole(reading, index - 1, "of");
    const qualifies = ofMeasure && reading.draft.measures.length + earlierMeasures(reading, index) > 0;
    const only = isOnlyBehind(reading, index);
    if (isMeasure && flag.noun && flag.holds && not === undefined && isOwner(reading, index)) {
      addFilter(reading, { field: flag.name, op: "is", values: [true] }, index);
      addMeasure(reading, reading.subject.defaultMeasure);
      use(reading, index);
      return;
    }
    if (isMeasure && flag.noun && not === undefined && !qualifies && !reading.draft.listing && !only) return;
    if (readBothWays(reading, index, flag.name)) return;
    addFilter(reading, { field: flag.name, op: "is", values: [flag.holds === (not === undefined)] }, index);
    use(reading, index, ...(not === undefined ? [] : [not, ...alternatives(reading, not, index)]));
  });
}

/** "Auctioned calls and their revenue", "calls sold by auction, count and revenue": the revenue of those alone. */
const isOwner = (reading: Reading, index: number): boolean =>
  isOnlyFact(reading, index) &&
  reading.items.some(({ said }, at) => {
    const [left = "", right = ""] = [reading.items[at - 1]?.said, reading.items[at + 1]?.said];
    const isTheirs = /^their$/i.test(said) && /^(and|with|,)$/i.test(left);
    const isCounted = /^(counts?|how many)$/i.test(said) && /^(and|,)$/i.test(right);
    return at > index && (isTheirs || isCounted);
  });

/** "Converted calls and failed calls and their revenue": of both, so of neither alone. */
const isOnlyFact = (reading: Reading, index: number): boolean =>
  reading.items.every((_, at) => at === index || senses(reading, at).every(({ kind }) => kind !== "flag"));

/** "Not converted or connected": neither of the two. */
const alternatives = (reading: Reading, not: number, index: number): readonly number[] =>
  reading.items.flatMap((_, at) => (at > not && at < index && hasRole(reading, at, "or") ? [at] : []));

/** "Publishers with no conversions", "publishers with calls but no conversions": of the group's figure, not of each row. */
function isOfGroup(reading: Reading, not: number, index: number): boolean {
  const { items } = reading;
  if (!/^(no|without|without any)$/i.test(items[not]?.said ?? "")) return false;
  if (senseAs(reading, index, "flag")?.noun !== true) return false;
  const nouns = items
    .slice(0, not)
    .flatMap((_, at) => senses(reading, at).filter(({ kind }) => kind === "dimension" || kind === "subject"));
  const ofRows = nouns.findIndex(({ kind }) => kind === "subject");
  const isJoined = hasRole(reading, before(reading, not, "with"), "but", "and");
  return nouns.length > 0 && (ofRows < 0 || (ofRows > 0 && isJoined));
}

function noneOf(reading: Reading, index: number, measure: string): void {
  addMeasure(reading, measure);
  reading.draft.having.push({ field: measure, op: "at_most", values: [0] });
  use(reading, index);
}

/** "converted and missed calls", "won vs lost bids": two counts, not one count of what is both. */
function isListed(reading: Reading, index: number): boolean {
  const joint = after(reading, index);
  const next = after(reading, joint);
  if (!hasRole(reading, joint, "and", "versus") || reading.draft.listing) return false;
  if (senseAs(reading, next, "flag")?.noun === true) return hasRole(reading, joint, "and");
  const counted = findMeasure(reading.subject, senseAs(reading, next, "measure")?.name ?? "")?.aggregate;
  return counted?.kind === "count" && counted.where !== undefined;
}

const earlierMeasures = (reading: Reading, index: number): number =>
  reading.items.slice(0, index).filter((_, at) => senseAs(reading, at, "measure") !== undefined).length;
