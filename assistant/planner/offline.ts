import { isDeepStrictEqual } from "node:util";
import { catalog, findQuantity, measureOf, subjectOf } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import { capital } from "../phrasing/figure.ts";
import type { Plan } from "../plan.ts";
import { faultOf } from "../plan-faults.ts";
import { withoutAside } from "./asides.ts";
import { carriedTo, carry, unclearKinds } from "./carried.ts";
import { mostUnknown, suggest, understand } from "./correct-typos.ts";
import { countedAgain } from "./counted-again.ts";
import { towards } from "./direction.ts";
import { doubtAbout } from "./doubts.ts";
import { withoutUnits } from "./figure-units.ts";
import { listOf, toPlan } from "./finish.ts";
import { withPercentages } from "./fractions.ts";
import type { Item } from "./link/item.ts";
import type { Linking } from "./link/linking.ts";
import { isThanks, pointsAtRow, withoutGreeting, withoutManners } from "./manners.ts";
import { patch } from "./patch.ts";
import { restatedIn } from "./restated.ts";
import { fittingSubjects, isEmpty, namesSubject, read, unexplained } from "./rules/apply-rules.ts";
import type { Draft, Problem } from "./rules/draft.ts";
import { hasRole, type Reading, senses } from "./rules/reading.ts";
import { isFigureOnly, leans, swapsFigure, tooBare } from "./too-bare.ts";
import { figuresOf, isVagueRanking, isVagueState, sentenceOf, whichFigure, whichGroup, whichRank } from "./which.ts";
import { tellsWhy, whyIn } from "./why.ts";
import { toWords } from "./words/tokenize.ts";
import { withPlainTurns } from "./words/turns.ts";

export type Outcome =
  | { readonly kind: "plan"; readonly plan: Plan; readonly notes: readonly string[] }
  /** Why there is no answer. */
  | { readonly kind: "refused"; readonly sentence: string }
  | { readonly kind: "clarify"; readonly sentence: string; readonly options: readonly string[] };

export interface Question {
  readonly text: string;
  /** The plan that a follow-up patches. */
  readonly previous?: Plan | undefined;
}

const offTopic =
  "I answer questions about your calls, webhook deliveries, incoming webhook requests and RTB requests, such as “revenue by campaign last month”.";

/** Said of nothing but the answer before. */
const listsThose = /^(?:please )?(?:show|list|give|display)(?: me| us)? (?:those|these|them)[?.!]*$/i;

/** What takes longer to read is no question; it is handed back unread. */
const mostLetters = 1000;
const mostWords = 60;
const tooLong = `That question is too long; ${mostWords} words is the most I read.`;

/** The offline planner: no model, no guess. Every word is explained, or the question is handed back. */
export function planQuestion({ text: said, previous }: Question, linking: Linking): Outcome {
  if (said.length > mostLetters || toWords(said).length > mostWords) return { kind: "refused", sentence: tooLong };
  if (isThanks(said)) return { kind: "refused", sentence: "You are welcome." };
  const plain = withoutGreeting(said);
  const text = previous === undefined ? plain : withMaker(withUnit(withoutManners(plain), previous), previous);
  const restated = previous === undefined ? restatedIn(text, linking) : undefined;
  if (restated !== undefined) return planQuestion({ text: restated }, linking);
  const counted = previous === undefined ? undefined : countedAgain(text, previous);
  if (counted !== undefined) return { kind: "plan", plan: counted, notes: [] };
  const carried = previous === undefined ? undefined : planCarried(text, previous, linking);
  const outcome = carried ?? planWhy({ text, previous }, linking) ?? planWhole({ text, previous }, linking);
  if (previous !== undefined && outcome.kind === "refused" && pointsAtRow(text))
    return { kind: "refused", sentence: whichRow };
  return outcome.kind === "plan" ? outcome : (planWithoutAside({ text, previous }, linking) ?? outcome);
}

/** What is a remark beside the question is left out, and said to be. */
function planWithoutAside({ text, previous }: Question, linking: Linking): Outcome | undefined {
  const found = withoutAside(text, linking);
  const outcome = found && planQuestion({ text: found.text, previous }, linking);
  if (found === undefined || outcome?.kind !== "plan") return undefined;
  return { ...outcome, notes: [`I left out “${found.aside.trim()}”.`, ...outcome.notes] };
}

/** "Without the api key", behind an answer about changes: who made them, and no secret. */
const withMaker = (text: string, { subject }: Plan): string =>
  subject === "audit_logs"
    ? text.replace(/\b(without|excluding|except|only|not|no) (?:the |any |an )?api keys?\b/i, "$1 made by api key")
    : text;

/** "What about the last 30", behind an answer of the last 7 days: of days. */
function withUnit(text: string, { period }: Plan): string {
  const unit = /^last \d+ ([a-z]+)$/.exec(period?.label ?? "")?.[1];
  return unit === undefined ? text : text.replace(/\b((?:last|past|previous) \d+)(?=[?.!]*$)/i, `$1 ${unit}`);
}

const whichRow = "I do not see which row you point at. Please say it by its name, such as “only Texas”.";

/** "Same for webhooks": undefined where no other kind of records is named. */
function planCarried(text: string, previous: Plan, linking: Linking): Outcome | undefined {
  const subject = carriedTo(text, previous, linking);
  if (subject === undefined) {
    const kinds = unclearKinds(text, previous, linking).map(({ noun }) => noun.many);
    const options = kinds.map((kind) => `same for ${kind}`);
    return kinds.length === 0
      ? undefined
      : askBack({ sentence: "Of which records? Please ask it as a whole question.", options }, linking, previous);
  }
  const plan = carry(previous, subject);
  const sentence = "lack" in plan ? `${capital(subject.noun.many)} have no "${plan.lack}".` : faultOf(plan);
  if ("lack" in plan || sentence !== undefined) return { kind: "refused", sentence: sentence ?? "" };
  return { kind: "plan", plan, notes: [] };
}

/** "Why were pings rejected": by their reasons, where records have some; undefined where nothing of the kind is asked. */
function planWhy({ text, previous }: Question, linking: Linking): Outcome | undefined {
  const why = whyIn(text);
  if (why === undefined || (why.leans && previous === undefined)) return undefined;
  const outcome = planWhole({ text: why.text, previous }, linking);
  if (outcome.kind !== "plan" || !tellsWhy(outcome.plan)) return undefined;
  if (why.instead.length === 0) return outcome;
  return askBack({ sentence: "That is two questions. Which one first?", options: why.instead }, linking);
}

interface Whole extends Question {
  /** One of the readings of a question that fits several kinds of records: it is not asked back again. */
  readonly isReading?: boolean;
}

function planWhole({ text, previous, isReading = false }: Whole, linking: Linking): Outcome {
  const plain = withoutUnits(toWords(withPlainTurns(text)));
  const { words, notes } = withPercentages(plain.words);
  const { items, corrections, refusal } = understand(words, linking, previous !== undefined);
  if (refusal !== undefined) return { kind: "refused", sentence: refusal };
  const tells = items.some(({ kind }) => kind !== "stop" && kind !== "unknown" && kind !== "number");
  if (!tells && !(previous !== undefined && listsThose.test(text))) return { kind: "refused", sentence: offTopic };
  const unknown = items.filter(({ kind }) => kind === "unknown");
  if (unknown.length > mostUnknown) return { kind: "refused", sentence: mostlyUnknown(unknown, linking) };
  const doubt = doubtAbout(text, items);
  if (doubt !== undefined) return askBack(doubt, linking);
  const known = items.filter(({ kind }) => kind !== "unknown");
  const [subject, ...others] = towards(text, fittingSubjects(known, previous?.subject));
  if (subject === undefined) return { kind: "refused", sentence: mixed(known) };
  const competing = competitors([subject, ...others], items);
  if (competing !== undefined && isReading) return { kind: "refused", sentence: competing.sentence };
  if (competing !== undefined && previous === undefined) return askWhich(competing, linking);
  const reading = read(items, subject, {
    ...{ now: linking.now, zone: linking.zone, planBefore: previous },
    unitsBefore: previous?.measures.map((name) => measureOf(subjectOf(previous.subject), name).unit) ?? [],
    groupedBefore: previous !== undefined && previous.dimensions.length + (previous.grain === null ? 0 : 1) > 0,
  });
  const [problem] = reading.draft.problems;
  if (problem !== undefined && problem.options.length > 0) return { kind: "clarify", ...problem };
  if (problem !== undefined) return { kind: "refused", sentence: problem.sentence };
  const left = unexplained(reading);
  if (left.length > 0) return notUnderstood(left, reading, linking);
  const bare = tooBare(reading, previous);
  if (bare !== undefined) return askBack(bare, linking, previous);
  const owed = owes.test(text) ? [whatItCameTo] : [];
  return finish(reading, previous, [...corrections, ...plain.notes, ...notes, ...owed]);
}

const owes = /\bow(?:e|es|ed|ing)\b/i;
const whatItCameTo = "What has been paid since is not known here; this is what the calls came to.";

/** One reading that can be answered is the one that is meant. */
function askWhich({ sentence, options }: Problem, linking: Linking): Outcome {
  const outcomes = options.map((text) => ({ text, outcome: planWhole({ text, isReading: true }, linking) }));
  const sure = outcomes.filter(
    ({ outcome }, index) =>
      outcome.kind === "plan" && !outcomes.slice(0, index).some((other) => isDeepStrictEqual(other.outcome, outcome)),
  );
  const [only, ...others] = sure;
  if (only === undefined) return { kind: "refused", sentence };
  return others.length === 0 ? only.outcome : { kind: "clarify", sentence, options: sure.map(({ text }) => text) };
}

/** Offers only what can be answered; with nothing to offer it is a refusal. */
function askBack({ sentence, options }: Problem, linking: Linking, previous?: Plan): Outcome {
  const sure = options.filter((text) => planQuestion({ text, previous }, linking).kind === "plan");
  return sure.length > 0 ? { kind: "clarify", sentence, options: sure } : { kind: "refused", sentence };
}

function finish(reading: Reading, previous: Plan | undefined, corrections: readonly string[]): Outcome {
  const { draft, subject, zone, now } = reading;
  if (isEmpty(draft) && !namesSubject(reading)) return { kind: "refused", sentence: offTopic };
  const follows = previous !== undefined && isFollowUp(reading, previous);
  if (!follows && (draft.againstPrevious || draft.asRate || draft.removed.length + draft.replaced.length > 0))
    return { kind: "refused", sentence: withoutBefore };
  if (!follows && isVagueRanking(reading)) return { kind: "clarify", ...whichRank(reading) };
  if (draft.listsThem) {
    const listed = follows && previous !== undefined ? listOf(previous, subject, draft.limit) : undefined;
    return listed === undefined
      ? { kind: "refused", sentence: withoutBefore }
      : { kind: "plan", plan: listed, notes: corrections };
  }
  const base = follows && draft.listing && previous !== undefined ? listOf(previous, subject, null) : previous;
  if (follows && base === undefined) return { kind: "refused", sentence: withoutBefore };
  const isOwn = draft.keepsPeriod && draft.measures.length > 0 && draft.dimensions.length > 0 && !draft.adds;
  const plan =
    follows && isOwn && previous !== undefined
      ? toPlan({ ...draft, period: previous.period }, { subject, zone, hasNoun: namesSubject(reading) })
      : follows && base !== undefined
        ? patch(base, isFigureOnly(reading) ? withFigure(reading) : draft, { subject, zone, now })
        : toPlan(draft, { subject, zone, hasNoun: namesSubject(reading) });
  if (plan === undefined || (!follows && isVagueState(reading) && !namesSubject(reading)))
    return { kind: "clarify", ...whichFigure(reading) };
  if (draft.order !== null && (plan.order === null || isRankedByFigure(plan, subject)))
    return { kind: "clarify", ...whichGroup(reading) };
  const fault = futureFault(plan, now) ?? faultOf(plan);
  return fault === undefined
    ? { kind: "plan", plan, notes: [...corrections, ...draft.notes] }
    : { kind: "refused", sentence: fault };
}

/** "And calls?": the noun is the figure. */
const withFigure = ({ draft, subject }: Reading): Draft =>
  draft.measures.length > 0 ? draft : { ...draft, measures: [subject.defaultMeasure] };

/** A list of single records has no averages to rank them by. */
const isRankedByFigure = ({ columns, order }: Plan, subject: Subject): boolean =>
  columns.length > 0 && order !== null && order.by !== subject.time && findQuantity(subject, order.by) === undefined;

const futureFault = ({ period }: Plan, now: number): string | undefined =>
  period?.from && Date.parse(period.from) > now
    ? `${period.label} lies in the future; I can only report on what has happened.`
    : undefined;

/** A question that leans on the one before: it names no figure of its own, or says so ("only", "instead"). */
function isFollowUp(reading: Reading, previous: Plan): boolean {
  const { draft, items, subject } = reading;
  if (previous.subject !== subject.name) return false;
  if (draft.listing) return saysInstead(reading);
  if (draft.listsThem) return true;
  if (items.some((_, index) => hasRole(reading, index, "follow"))) return true;
  if (
    leans(reading) ||
    draft.adds ||
    draft.compareTo !== null ||
    isSorting(reading) ||
    draft.removed.length > 0 ||
    draft.replaced.length > 0 ||
    draft.plain ||
    draft.ungroups ||
    draft.unbounds ||
    draft.keepsPeriod ||
    (reading.groupedBefore && isFigureOnly(reading)) ||
    swapsFigure(reading, previous) ||
    draft.movesBack !== null ||
    draft.asRate ||
    draft.againstPrevious
  )
    return true;
  return draft.measures.length === 0 && !namesRecords(reading);
}

/** "The 10 latest converted ones instead": a list in place of the answer before, of the same records. */
const saysInstead = ({ items }: Reading): boolean =>
  items.some(({ said }) => /^instead$/i.test(said)) && items.some(({ said }) => /^(ones|those|them)$/i.test(said));

/** "Sort them by conversion rate": a ranking of nothing new. */
const isSorting = ({ draft }: Reading): boolean =>
  draft.order !== null && draft.dimensions.length === 0 && draft.grain === null && draft.period === undefined;

/** The noun that a grouping also bears ("by webhook") is no new question. */
const namesRecords = ({ items, subject }: Reading): boolean =>
  items.some((_, index) => {
    const all = senses({ items, subject }, index);
    return all.some(({ kind }) => kind === "subject") && !all.some(({ kind }) => kind === "dimension");
  });

const withoutBefore = "I am not sure what that goes on from. Please ask it as a whole question.";

/** Several subjects fit, none is the usual one: which is meant? */
function competitors(fitting: readonly Subject[], items: readonly Item[]) {
  const [first, second] = fitting;
  if (second === undefined || first === undefined || first.name === "calls") return undefined;
  const question = sentenceOf(items);
  return {
    sentence: `That can be asked of ${fitting.map(({ noun }) => noun.many).join(" and of ")}. Which do you mean?`,
    options: fitting.flatMap(({ noun }) => [
      placed(question, fitting, noun),
      `${stripped(question, fitting)} of ${noun.many}`.trim(),
    ]),
  };
}
/** "Ping volume" by the noun of one of them: "inbound RTB request volume". */
function placed(question: string, fitting: readonly Subject[], { one, many }: Subject["noun"]): string {
  const words = fitting
    .flatMap((subject) => subject.words.map((word) => `${word}s?`))
    .sort((a, b) => b.length - a.length);
  return question.replace(new RegExp(`\\b(?:${words.join("|")})\\b`, "i"), (said) => (said.endsWith("s") ? many : one));
}
const stripped = (question: string, fitting: readonly Subject[]): string =>
  fitting
    .flatMap(({ words }) => words)
    .reduce((text, word) => text.replace(new RegExp(`\\b${word}s?\\b`, "i"), "").replaceAll("  ", " "), question)
    .trim();

const mixed = (items: readonly Item[]): string => {
  const said = items.filter(({ kind }) => kind === "meanings");
  const named = catalog.filter((subject) => namesSubject({ items, subject }));
  const foreign = said.filter(
    (item) =>
      item.kind === "meanings" &&
      !item.meanings.some((meaning) => !("subject" in meaning) || meaning.subject === (named[0]?.name ?? "calls")),
  );
  const fields = foreign.map((item) => `"${item.said}"`).join(" or ") || "such field";
  const lack =
    named[0] === undefined ? `no kind of record has all of that; calls have no` : `${named[0].noun.many} have no`;
  return `I cannot combine these in one question: ${lack} ${fields}.`;
};

const quotedList = (items: readonly Item[]): string => items.map(({ said }) => `"${said}"`).join(", ");

/** When names were cut, the word may be one of those. */
const namesCut = ({ names }: Linking): string =>
  names.complete ? "" : " You have more names than I keep in mind, so I may not know all of them.";

const mostlyUnknown = (unknown: readonly Item[], linking: Linking): string =>
  `I did not understand ${quotedList(unknown.slice(0, mostUnknown))} and ${unknown.length - mostUnknown} more. Ask in fewer words, such as “revenue by campaign last month”.${namesCut(linking)}`;

/** Names what was not understood and what it may have meant. */
function notUnderstood(left: readonly Item[], { subject }: Reading, linking: Linking): Outcome {
  const foreign = left.filter(({ kind }) => kind === "unknown");
  const named = foreign.length > 0 ? foreign : left;
  const near = left.flatMap((item) => (item.kind === "unknown" ? suggest(item.said, linking) : [])).slice(0, 4);
  const unknown = left.some(({ kind }) => kind === "unknown");
  const hint =
    near.length > 0
      ? ` Did you mean ${near.map((word) => `"${word}"`).join(" or ")}?`
      : ` You can ask for ${figuresOf(subject).join(", ")} by ${subjectOf(subject.name)
          .dimensions.slice(0, 4)
          .map(({ words }) => words[0])
          .join(", ")}.`;
  return {
    kind: "refused",
    sentence: `I did not understand ${quotedList(named)}.${hint}${unknown ? namesCut(linking) : ""}`,
  };
}
