import { isDeepStrictEqual } from "node:util";
import { measureOf, subjectOf } from "../catalog/catalog.ts";
import { capital } from "../phrasing/figure.ts";
import type { Plan } from "../plan.ts";
import { faultOf } from "../plan-faults.ts";
import { withoutAside } from "./asides.ts";
import { carriedTo, carry, unclearKinds } from "./carried.ts";
import { competitors } from "./competitors.ts";
import { mostUnknown, type Understood, understand } from "./correct-typos.ts";
import { countedAgain } from "./counted-again.ts";
import { explain } from "./decline/about.ts";
import { ambiguityIn } from "./decline/ambiguous.ts";
import { askBack } from "./decline/ask-back.ts";
import { barred, outOfReach } from "./decline/out-of-reach.ts";
import { towards } from "./direction.ts";
import { withoutUnits } from "./figure-units.ts";
import { withMaker, withUnit } from "./follow-up-words.ts";
import { withPercentages } from "./fractions.ts";
import { planByGrammar, regroupedByGrammar } from "./grammar/plan-by-grammar.ts";
import type { Linking } from "./link/linking.ts";
import { isThanks, pointsAtRow, withoutGreeting, withoutManners } from "./manners.ts";
import { mixed, mostlyUnknown, notUnderstood, offTopic } from "./not-understood.ts";
import { type Outcome, toOutcome } from "./outcome.ts";
import { restatedIn } from "./restated.ts";
import { fittingSubjects, read, unexplained } from "./rules/apply-rules.ts";
import type { Problem } from "./rules/draft.ts";
import { tooBare } from "./too-bare.ts";
import { unansweredPart } from "./unanswered-part.ts";
import { tellsWhy, whyIn } from "./why.ts";
import { toWords } from "./words/tokenize.ts";
import { withPlainTurns } from "./words/turns.ts";

export interface Question {
  readonly text: string;
  /** The plan that a follow-up patches. */
  readonly previous?: Plan | undefined;
}

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
  if (previous === undefined) return planAlone(plain, linking);
  const text = withMaker(withUnit(withoutManners(plain), previous), previous);
  const counted = countedAgain(text, previous);
  if (counted !== undefined) return { kind: "plan", plan: counted, notes: [] };
  const carried = planCarried(text, previous, linking);
  const outcome = carried ?? planWhy({ text, previous }, linking) ?? planWhole({ text, previous }, linking);
  if (outcome.kind === "refused" && pointsAtRow(text)) return { kind: "refused", sentence: whichRow };
  return outcome.kind === "plan" ? outcome : (planWithoutAside({ text, previous }, linking) ?? outcome);
}

/** A question by itself: of records, of the catalog, or why it has no answer. */
function planAlone(text: string, linking: Linking): Outcome {
  const words = toWords(text);
  const understood = understand(words, linking);
  const { items } = understood;
  const told = explain(items, linking);
  const planOf = (option: string) => planIn(option, linking)?.plan;
  const sure = (options: readonly string[]) => options.filter((option) => planOf(option) !== undefined);
  if (told !== undefined) return { kind: "explained", sentence: told.sentence, options: sure(told.options) };
  const unclear = ambiguityIn(words, items);
  if (unclear !== undefined && sure(unclear.options).length > 0)
    return { kind: "clarify", sentence: unclear.sentence, options: sure(unclear.options) };
  const found = planIn(text, linking, understood);
  if (found !== undefined) return found;
  const why = planWhy({ text }, linking);
  if (why?.kind === "clarify") return why;
  const sentence = barred({ words, items }) ?? unclear?.sentence ?? outOfReach({ words, items });
  return sentence === undefined ? askBack({ items, linking, planOf }) : { kind: "refused", sentence };
}

type Planned = Extract<Outcome, { kind: "plan" }>;

const owes = /^ow(?:e|es|ed|ing)$/;
const whatItCameTo = "What has been paid since is not known here; this is what the calls came to.";

/** The plan of a question by itself; undefined where it has none. */
function planIn(text: string, linking: Linking, understood?: Understood): Planned | undefined {
  const planned = planRead(text, linking, understood);
  if (planned === undefined || !toWords(text).some((word) => owes.test(word.text))) return planned;
  return { ...planned, notes: [...planned.notes, whatItCameTo] };
}

function planRead(text: string, linking: Linking, known?: Understood): Planned | undefined {
  const words = toWords(text);
  const understood = known ?? understand(words, linking);
  if (ambiguityIn(words, understood.items) !== undefined) return undefined;
  const restated = restatedIn(text, linking);
  if (restated !== undefined) return planIn(restated, linking);
  const why = planWhy({ text }, linking);
  if (why !== undefined) return why.kind === "plan" ? why : undefined;
  const parsed = planByGrammar(text, linking, understood);
  if (parsed !== undefined) return { kind: "plan", ...parsed };
  const outcome = planWhole({ text }, linking);
  if (outcome.kind === "plan") return outcome;
  const aside = planWithoutAside({ text }, linking);
  return aside?.kind === "plan" ? aside : undefined;
}

/** What is a remark beside the question is left out, and said to be. */
function planWithoutAside({ text, previous }: Question, linking: Linking): Outcome | undefined {
  const found = withoutAside(text, linking);
  const outcome = found && planQuestion({ text: found.text, previous }, linking);
  if (found === undefined || outcome?.kind !== "plan") return undefined;
  return { ...outcome, notes: [`I left out “${found.aside.trim()}”.`, ...outcome.notes] };
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
      : askOneOf({ sentence: "Of which records? Please ask it as a whole question.", options }, linking, previous);
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
  const parsed = previous === undefined ? planByGrammar(why.text, linking) : undefined;
  const outcome: Outcome = parsed ? { kind: "plan", ...parsed } : planWhole({ text: why.text, previous }, linking);
  if (outcome.kind !== "plan" || !tellsWhy(outcome.plan)) return undefined;
  if (why.instead.length === 0) return outcome;
  return askOneOf({ sentence: "That is two questions. Which one first?", options: why.instead }, linking);
}

interface Whole extends Question {
  /** One of the readings of a question that fits several kinds of records: it is not asked back again. */
  readonly isReading?: boolean;
}

function planWhole({ text, previous, isReading = false }: Whole, linking: Linking): Outcome {
  const regrouped = previous === undefined ? undefined : regroupedByGrammar(text, previous, linking);
  if (regrouped !== undefined) return { kind: "plan", plan: regrouped, notes: [] };
  const plain = withoutUnits(toWords(withPlainTurns(text, linking.names.namesWith)));
  const { words, notes } = withPercentages(plain.words);
  const { items, corrections } = understand(words, linking);
  const refusal = barred({ words, items, follows: previous !== undefined });
  if (refusal !== undefined) return { kind: "refused", sentence: refusal };
  const tells = items.some(({ kind }) => kind !== "stop" && kind !== "unknown" && kind !== "number");
  if (!tells && !(previous !== undefined && listsThose.test(text))) return { kind: "refused", sentence: offTopic };
  const unknown = items.filter(({ kind }) => kind === "unknown");
  if (unknown.length > mostUnknown) return { kind: "refused", sentence: mostlyUnknown(unknown, linking) };
  const unclear = ambiguityIn(words, items, previous !== undefined);
  if (unclear !== undefined) return askOneOf(unclear, linking);
  const known = items.filter(({ kind }) => kind !== "unknown");
  const [subject, ...others] = towards(text, fittingSubjects(known, previous?.subject));
  if (subject === undefined) return { kind: "refused", sentence: mixed(known) };
  const competing = competitors([subject, ...others], items);
  if (competing !== undefined && isReading) return { kind: "refused", sentence: competing.sentence };
  if (competing !== undefined && previous === undefined) return askWhich(competing, linking);
  const reading = read(items, subject, {
    now: linking.now,
    zone: linking.zone,
    planBefore: previous,
    unitsBefore: previous?.measures.map((name) => measureOf(subjectOf(previous.subject), name).unit) ?? [],
    groupedBefore: previous !== undefined && previous.dimensions.length + (previous.grain === null ? 0 : 1) > 0,
  });
  const [problem] = reading.draft.problems;
  if (problem !== undefined && problem.options.length > 0) return { kind: "clarify", ...problem };
  if (problem !== undefined) return { kind: "refused", sentence: problem.sentence };
  const left = unexplained(reading);
  if (left.length > 0) return { kind: "refused", sentence: notUnderstood(left, reading, linking) };
  const bare = tooBare(reading, previous);
  if (bare !== undefined) return askOneOf(bare, linking, previous);
  const outcome = toOutcome(reading, previous, [...corrections, ...plain.notes, ...notes]);
  const lost = outcome.kind === "plan" ? unansweredPart(items, outcome.plan, previous !== undefined) : undefined;
  return lost === undefined ? outcome : askOneOf(lost, linking, previous);
}

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
function askOneOf({ sentence, options }: Problem, linking: Linking, previous?: Plan): Outcome {
  const sure = options.filter((text) => planQuestion({ text, previous }, linking).kind === "plan");
  return sure.length > 0 ? { kind: "clarify", sentence, options: sure } : { kind: "refused", sentence };
}
