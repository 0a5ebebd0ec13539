import { catalog } from "../../catalog/catalog.ts";
import type { Subject } from "../../catalog/field.ts";
import { capital } from "../../phrasing/figure.ts";
import { labelOf } from "../../phrasing/scope.ts";
import type { Plan } from "../../plan.ts";
import { suggest } from "../correct-typos.ts";
import type { Piece } from "../grammar/piece.ts";
import { type Attempt, attempt } from "../grammar/readings.ts";
import { itemsThatTell, terminalsOf } from "../grammar/terminals.ts";
import { besideOthers } from "../link/beside.ts";
import { goesOtherWay, type Item, mayBe, meaningsOf, pointsBack, sentenceOf } from "../link/item.ts";
import type { Linking } from "../link/name-index.ts";
import type { Outcome } from "../outcome.ts";
import type { Role } from "../words/small-words.ts";
import {
  type Asking,
  asQuestion,
  completed,
  mostOptions,
  offered,
  overWhichTime,
  quoted,
  refused,
  whatLacks,
  withInstead,
} from "./offers.ts";
import { offTopic } from "./out-of-reach.ts";

/** Says what of a question is not understood, what it lacks, or which readings it has; offers questions that have a plan. */
export function askBack(asking: Asking): Outcome {
  const { items, linking } = asking;
  const told = items.filter(({ kind }) => kind !== "stop" && kind !== "number");
  if (told.length > 0 && told.every(isUnknown)) return refused(`${notKnown(told, linking)} ${offTopic}`);
  const [best, ...others] = bestReadings(items, linking);
  // "How are we doing".
  const saysNothing = told.length === 0 && (best.over.length > 0 || best.lack === undefined);
  if (saysNothing) return refused(offTopic);
  const unknown = items.filter(isUnknown);
  if (unknown.length > 0) return whatIsUnknown(unknown, asking, best);
  const { foreign, over, plans, lack, subject } = best;
  if (foreign.length > 0)
    return offered(`${capital(subject.noun.many)} have no ${quoted(foreign, "or")}.`, [], subject);
  if (over.length > 0) return whatIsOver(best, asking);
  const rivals = others.filter((other) => other.plans.length > 0);
  if (plans.length > 0 && rivals.length > 0 && subject.name !== "calls") return whichRecords([best, ...rivals], asking);
  if (plans.length > 1)
    return whichReading(
      plans.map(({ plan }) => plan),
      asking,
    );
  if (lack !== undefined) return whatLacks(lack, subject, asking);
  if (plans.length === 0) return refused("I cannot read that as one question; ask for one thing at a time.");
  const pronoun = items.find((item) => pointsBack([item]));
  if (pronoun !== undefined)
    return refused(`I do not see what “${pronoun.said}” goes on from. Please ask it as a whole question.`);
  return saysFigure(best)
    ? overWhichTime(asking, subject)
    : whatLacks({ lacks: "figure", piece: best.piece }, subject, asking);
}

const saysFigure = ({ piece }: Reading): boolean => piece.measures !== undefined || piece.noun === true;

const mostNamed = 5;

/** Names the words that are not known; when names were cut, a word may be one of those. */
function notKnown(unknown: readonly Item[], { names: { complete: isAll } }: Linking): string {
  const more = unknown.length > mostNamed ? ` and ${unknown.length - mostNamed} more words` : "";
  const cut = isAll ? "" : " You have more names than I keep in mind, so I may not know all of them.";
  const named = unknown.slice(0, mostNamed);
  const said = more === "" ? quoted(named, "or") : named.map((item) => `“${item.said}”`).join(", ");
  return `I do not know ${said}${more}.${cut}`;
}

/** Offers the question with a known word in the place of the unknown one, else what is left of it without that. */
function whatIsUnknown(unknown: readonly Item[], asking: Asking, best: Reading): Outcome {
  const sentence = notKnown(unknown, asking.linking);
  const [first, other] = unknown;
  const near = first === undefined || other !== undefined ? [] : suggest(first.said, asking.linking);
  const likely = first === undefined ? [] : withInstead(first, near, asking);
  if (likely.length > 0) return offered(`${sentence} Did you mean one of these?`, likely, best.subject);
  const isNumber = unknown.some(({ said }) => /\d/.test(said));
  const isOne = !isNumber && unknown.every((item, at) => at === 0 || item.from === unknown[at - 1]?.to);
  const mayLeaveOut = isOne && !unknown.some(({ said }) => negative.test(said));
  const rest = mayLeaveOut && best.foreign.length + best.over.length === 0 ? planned(best, asking) : [];
  return offered(rest.length > 0 ? `${sentence} Without that I can answer this:` : sentence, rest, best.subject);
}

/** Without it a question says the opposite. */
const negative = /^(nobody|no one|none|nothing|nowhere|hardly|barely|scarcely|less|least)$/i;

/** The plan of what was understood, as a question. */
const planned = ({ plans }: Reading, asking: Asking): readonly string[] =>
  plans.length === 1 ? plans.flatMap(({ plan }) => asQuestion(plan, asking)) : [];

/** The constructions that words belong to, for words that stand where they fit nothing. */
const constructions: readonly (readonly [readonly Role[], string])[] = [
  [["not", "empty", "but"], "what is left out"],
  [["more_than", "at_least", "less_than", "at_most", "between", "or_more", "or_less"], "a limit"],
  [["top", "bottom", "busiest", "longest", "shortest", "descending", "ascending", "sort"], "a ranking"],
  [["by"], "a grouping"],
  [["share"], "a share"],
  [["ratio"], "a ratio"],
  [["versus", "over_over", "previous_period", "year_before"], "a comparison"],
  [["change", "running", "trend"], "a change over time"],
  [["spread", "steps"], "a distribution"],
  [["list", "oldest", "single"], "a list"],
  [["how_many", "distinct"], "a count"],
  [["idle"], "what there is none of"],
  [["follow", "also", "remove", "instead_of"], "a change to an answer"],
  [["contains"], "a search"],
  [["or"], "a choice"],
];

/** Names the words that fit nothing, and the construction that the first of them is for. */
function whatIsOver(reading: Reading, asking: Asking): Outcome {
  const { over, subject, piece } = reading;
  const telling = over.filter((item) => !isJoint(item));
  const first = telling[0] ?? over[0];
  if (first === undefined) return refused(offTopic);
  const periods = asking.items.filter(({ kind }) => kind === "period");
  if (first.kind === "period" && periods.length > 1)
    return refused(`I read more than one period: ${quoted(periods, "and")}. Which one do you mean?`);
  const [group] = piece.groups ?? [];
  if (group !== undefined && isNone(first, asking.items)) return whichHaveFewest(group, reading, asking);
  const known = asking.items.indexOf(first);
  const next = asking.items[known + 1];
  if (mayBe(first, "quantity") && !mayBe(first, "measure")) return whichStatistic(first, asking, subject);
  const isKind = mayBe(first, "dimension");
  if (isKind && next !== undefined && over.length === over.filter((item) => isJoint(item) || item === first).length)
    return offered(`“${next.said}” is no ${first.said}.`, planned(reading, asking), subject);
  const what = constructionOf(first);
  const said = runOf(first, asking.items, over);
  return offered(`I cannot place “${said}”${what === undefined ? "" : `, ${what},`} in this question.`, [], subject);
}

/** A number of each record says no figure by itself. */
function whichStatistic(item: Item, asking: Asking, subject: Subject): Outcome {
  const figures = ["average", "total", "median", "highest"].map((statistic) => `${statistic} ${item.said}`);
  return offered(`Which figure of ${item.said} do you want to see?`, withInstead(item, figures, asking), subject);
}

/** The words around one that are left over, too. */
function runOf(first: Item, items: readonly Item[], over: readonly Item[]): string {
  const isOver = (item: Item | undefined): boolean => item !== undefined && (over.includes(item) || item.said === ",");
  let from = items.indexOf(first);
  let to = from;
  while (isOver(items[from - 1])) from--;
  while (isOver(items[to + 1])) to++;
  return from < 0 ? first.said : sentenceOf(items.slice(from, to + 1));
}

/** "Inactive", "no calls", "did not take any calls". */
function isNone(item: Item, items: readonly Item[]): boolean {
  const behind = items.slice(items.indexOf(item) + 1);
  const next = behind.find((each) => each.kind !== "stop" && !mayBe(each, "role", "all"));
  return mayBe(item, "role", "idle") || (mayBe(item, "role", "not") && mayBe(next, "subject"));
}

/** "Which buyers got no calls": nothing is grouped that has no records. */
function whichHaveFewest(group: string, { subject, piece }: Reading, asking: Asking): Outcome {
  const label = labelOf(subject, group);
  const { defaultMeasure: by, noun } = subject;
  const { period, filters } = piece;
  const all: Piece = { groups: [group], measures: [by], ...(period && { period }), ...(filters && { filters }) };
  const fewest: Piece = { ...all, ranked: group, orderBy: by, direction: "asc", limit: 10 };
  return offered(
    `I group the ${noun.many} that there are, so a ${label} without any does not show. I can show those with the fewest.`,
    completed([fewest, all], subject, asking),
    subject,
  );
}

function constructionOf(item: Item): string | undefined {
  if (item.kind === "period") return "a period";
  if (item.kind === "number") return "a number";
  if (item.kind === "hour") return "a time of day";
  return constructions.find(([roles]) => mayBe(item, "role", ...roles))?.[1];
}

function whichOf(what: string, options: readonly string[]): Outcome {
  const sentence = `${what} Which do you mean?`;
  return options.length > 1 ? { kind: "clarify", sentence, options } : refused(sentence);
}

function whichRecords(readings: readonly Reading[], asking: Asking): Outcome {
  const kinds = readings.map(({ subject }) => subject.noun.many);
  const options = readings.flatMap((reading) => planned(reading, asking));
  return whichOf(`That can be asked of ${kinds.join(" and of ")}.`, options);
}

/** A name that several things bear is said to be one of these; else it is how the words stand together. */
function whichReading(plans: readonly Plan[], asking: Asking): Outcome {
  const options = [...new Set(plans.flatMap((plan) => asQuestion(plan, asking)))].slice(0, mostOptions);
  const isSeveral = (item: Item) =>
    !mayBe(item, "measure") &&
    new Set(meaningsOf(item).flatMap((each) => (each.kind === "value" ? [`${each.name} ${each.value}`] : []))).size > 1;
  const name = asking.items.find(isSeveral);
  const what =
    name === undefined ? "That can be read in more than one way." : `“${name.said}” can mean different things.`;
  return whichOf(what, options);
}

/** The best reading of one kind of records. */
interface Reading extends Attempt {
  readonly subject: Subject;
  /** Words that mean something of other records alone, and known ones that the best reading leaves over. */
  readonly foreign: readonly Item[];
  readonly over: readonly Item[];
}

const isUnknown = ({ kind }: Item): boolean => kind === "unknown";

function readingOf(items: readonly Item[], subject: Subject, { now, zone }: Linking): Reading {
  const known = items.filter((item) => !isUnknown(item));
  const isForeign = (item: Item) =>
    goesOtherWay(item, subject.name) ||
    (item.kind === "meanings" &&
      !item.meanings.some((meaning) => !("subject" in meaning) || meaning.subject === subject.name));
  // "Inactive buyers": what there is none of is no part of a plan.
  const isIdle = (item: Item) => mayBe(item, "role", "idle");
  const own = besideOthers(
    known.filter((item) => !isForeign(item) && !isIdle(item)),
    subject,
  );
  const tried = attempt(terminalsOf(own, subject, { isOpen: true }), { subject, now, zone, isOpen: true });
  const telling = itemsThatTell(own, subject);
  // "By publisher instead": without an answer before there is nothing that it goes on from.
  const over = tried.left.flatMap((at) => telling[at] ?? []).filter((item) => !mayBe(item, "role", "follow"));
  over.unshift(...known.filter(isIdle));
  return { ...tried, subject, foreign: known.filter(isForeign), over };
}

const names = (items: readonly Item[], subject: Subject): boolean =>
  items.some((item) => meaningsOf(item).some((each) => each.kind === "subject" && each.subject === subject.name));

const joints: readonly Role[] = ["of", "with", "and", "or", "by", "all", "which", "verb"];
/** A small word that only joins others: it stands alone where one of them does not fit. */
const isJoint = (item: Item): boolean =>
  item.kind === "stop" ||
  (item.kind === "meanings" && item.meanings.every((each) => each.kind === "role" && joints.includes(each.role)));

/** The readings that leave the least over; those of records that are named come first, then in the catalog's order. */
function bestReadings(items: readonly Item[], linking: Linking): readonly [Reading, ...Reading[]] {
  const weight = ({ foreign, over, subject, plans }: Reading) =>
    4 * foreign.length +
    3 * over.filter((item) => !isJoint(item)).length +
    over.length / 2 +
    (names(items, subject) ? 0 : subject.name === "calls" ? 1 : 4) +
    (plans.length === 0 ? 0.5 : 0);
  const readings = catalog.map((subject) => readingOf(items, subject, linking));
  const least = Math.min(...readings.map(weight));
  const [first, ...others] = readings.filter((reading) => weight(reading) === least);
  if (first === undefined) throw new Error("The catalog is empty.");
  return [first, ...others];
}
