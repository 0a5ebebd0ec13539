import { setImmediate as giveWay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { subjectOf } from "../catalog/catalog.ts";
import { alternatives, type Plan, type SubjectName } from "../plan.ts";
import { withoutAsides } from "./around/asides.ts";
import { isThanks, withoutManners } from "./around/manners.ts";
import { isStatement } from "./around/remarks.ts";
import { type Understood, understand } from "./correct-typos.ts";
import { explain } from "./decline/about.ts";
import { ambiguityIn } from "./decline/ambiguous.ts";
import { askBack } from "./decline/ask-back.ts";
import { barred, noForecast, noSecrets, outOfReach } from "./decline/out-of-reach.ts";
import { hasRateOf } from "./grammar/figures.ts";
import { TooManyWaysError } from "./grammar/production.ts";
import type { Linking } from "./link/name-index.ts";
import type { Outcome, Planned, Problem } from "./outcome.ts";
import { editByGrammar, planByGrammar } from "./plan-by-grammar.ts";
import { withScope } from "./scope-before.ts";
import { toWords } from "./words/tokenize.ts";

interface Question {
  readonly text: string;
  /** The plan that a follow-up patches. */
  readonly previous?: Plan | undefined;
}

/** What takes longer to read is no question; it is handed back unread. */
const mostLetters = 1000;
const mostWords = 60;
const tooLong = `That question is too long; ${mostWords} words is the most I read.`;

const tooManyWays = "That question can be read in too many ways; please ask it in shorter parts.";

/** The offline planner: no model, no guess. Every word is explained, or the question is handed back. */
export function planQuestion(question: Question, linking: Linking): Outcome {
  try {
    return planSaid(question, linking);
  } catch (error) {
    if (error instanceof TooManyWaysError) return { kind: "refused", sentence: tooManyWays };
    throw error;
  }
}

function planSaid({ text: said, previous }: Question, linking: Linking): Outcome {
  if (said.length > mostLetters || toWords(said).length > mostWords) return { kind: "refused", sentence: tooLong };
  if (isThanks(said)) return { kind: "refused", sentence: "You are welcome." };
  const text = withoutManners(said, linking);
  if (previous === undefined) return planAlone(text, linking);
  const outcome = planFollowing(text, previous, linking);
  return outcome.kind === "plan" ? outcome : (planWithoutAside({ text, previous }, linking) ?? outcome);
}

/** A question by itself: of records, of the catalog, or why it has no answer. */
function planAlone(text: string, linking: Linking, near?: SubjectName): Outcome {
  const words = toWords(text);
  const understood = understand(words, linking);
  const { items } = understood;
  const told = explain(items, linking);
  const planOf = (option: string) => planIn(option, linking)?.plan;
  const sure = (options: readonly string[]) => options.filter((option) => planOf(option) !== undefined);
  if (told !== undefined) return { kind: "explained", sentence: told.sentence, options: sure(told.options) };
  // A command is none because the grammar could read its words. That a change was made by an API key is no secret.
  const refusal = barred({ words, items });
  if (refusal === noForecast) return planWithoutAside({ text }, linking) ?? { kind: "refused", sentence: refusal };
  if (refusal !== undefined && refusal !== noSecrets) return { kind: "refused", sentence: refusal };
  const unclear = ambiguityIn(words, items);
  if (unclear !== undefined && sure(unclear.options).length > 0)
    return { kind: "clarify", sentence: unclear.sentence, options: sure(unclear.options) };
  const found = planIn(text, linking, { understood, near });
  if (found !== undefined) return found;
  const statement = items.some(({ kind }) => kind === "unknown") ? undefined : statementIn(text, linking);
  const sentence = refusal ?? unclear?.sentence ?? outOfReach({ words, items }) ?? (statement && mayLimit(statement));
  return sentence === undefined ? askBack({ items, linking, planOf }) : { kind: "refused", sentence };
}

/** What is known of a question before it is planned; of several kinds of records the one that is `near` is meant. */
interface Known {
  readonly understood?: Understood;
  readonly near?: SubjectName | undefined;
}

const owes = /^ow(?:e|es|ed|ing)$/;
const whatItCameTo = "What has been paid since is not known here; this is what the calls came to.";

/** The plan of a question by itself; undefined where it has none. */
function planIn(text: string, linking: Linking, known: Known = {}): Planned | undefined {
  const planned = planRead(text, linking, known);
  if (planned === undefined || planned.notes.includes(whatItCameTo)) return planned;
  if (!toWords(text).some((word) => owes.test(word.text))) return planned;
  return { ...planned, notes: [...planned.notes, whatItCameTo] };
}

const isTwo = /\?\s+\S/;
const endOfTold = /(?<=[\p{L}\d)]{2})[.!]\s+(?=\S)|(?<=^(?:as|since|because|given that)\s[^,.?!]+),\s/iu;
/** Returns the first sentence or clause in front of the question that tells something and asks for nothing, if there is one. */
const statementIn = (text: string, linking: Linking): string | undefined =>
  text
    .split(endOfTold)
    .slice(0, -1)
    .find((sentence) => isStatement(sentence, linking));
const mayLimit = (statement: string): string =>
  `I cannot tell whether “${statement}” says what your question is about. Please ask it in one sentence.`;

function planRead(text: string, linking: Linking, { near, ...known }: Known): Planned | undefined {
  const words = toWords(text);
  const understood = known.understood ?? understand(words, linking);
  if (ambiguityIn(words, understood.items) !== undefined) return undefined;
  // The grammar would read both questions as one.
  const restated = isTwo.test(text) ? planWithoutAside({ text }, linking, { restates: true }) : undefined;
  if (restated !== undefined) return restated;
  // "Keystone only wants evening calls. How many did they get": what is told is no condition of what is asked.
  if (statementIn(text, linking) !== undefined) return planWithoutAside({ text }, linking);
  return planWhole(text, linking, { understood, near }) ?? planWithoutAside({ text }, linking);
}

/** "Last month, actually this month" compares nothing. */
const corrects =
  /(?:[,.;:–-]|\s(?:or|no)[ ,])\s*(?:no,? )?(?:wait|actually|rather|oops|sorry|pardon|scratch that|(?:or|no) better|i mean(?:t)?)[,:]? (?!compar|versus|vs|against)/iu;

/** A rate of failures, or the part that failed, of those that failed for a reason, a share of one group: all or none. */
const isForegone = ({ measures, filters, portion, share, dimensions }: Plan): boolean =>
  // "Each buyer's share", of one buyer.
  (share ? filters : portion)
    .flatMap(alternatives)
    .some(({ field, op, values }) => op === "is" && values.length === 1 && dimensions.includes(field)) ||
  ((measures.some((name) => /^(?:delivery_failure|failure|connect|delivery|refusal)_rate$/.test(name)) ||
    portion.some((each) => "field" in each && each.field === "failed")) &&
    filters.some(({ field, op }) => op === "is" && /^(?:failure_reason|error_class|outcome)$/.test(field)));

/** "Do new callers convert? Their conversion rate": the fact of the first sentence limits the rate of the second to all or none. */
const isRateOfOwn = ({ subject, measures, filters }: Plan): boolean =>
  filters.some((each) => hasRateOf(subjectOf(subject), measures, each));

/** The plan of a question whose every word the grammar explains. */
function planWhole(text: string, linking: Linking, { understood, near }: Known = {}): Planned | undefined {
  const parsed = planByGrammar(text, linking, understood, near);
  if (parsed !== undefined && parsed.plan.compare !== null && corrects.test(text)) return undefined;
  if (parsed !== undefined && (isForegone(parsed.plan) || (/[?!]\s/.test(text) && isRateOfOwn(parsed.plan))))
    return undefined;
  return parsed && { kind: "plan", plan: parsed.plan, notes: parsed.notes };
}

const leading = /^(?:(?:and|but|now|also),? )+/i;

/** A question of its own, also where it is led on to: "and calls by campaign". */
function planLed(text: string, near: SubjectName, linking: Linking): Outcome {
  const whole = planAlone(text, linking, near);
  if (whole.kind === "plan" || !leading.test(text)) return whole;
  const bare = planAlone(text.replace(leading, ""), linking, near);
  return bare.kind === "plan" ? bare : whole;
}

/** A follow-up, else a question of its own; one that might be either is its own where it says all that it needs. */
function planFollowing(text: string, previous: Plan, linking: Linking): Outcome {
  const edited = editByGrammar(text, previous, linking);
  if (edited.kind === "refused") return edited;
  if (edited.kind === "plan" && isDeepStrictEqual(edited.plan, previous) && asksForGroup.test(text))
    return { kind: "refused", sentence: nothingNew };
  if (edited.kind === "clarify")
    return askOneOf({ sentence: edited.sentence, options: edited.options }, linking, previous);
  if (edited.kind === "plan" && edited.leans) return { kind: "plan", plan: edited.plan, notes: edited.notes };
  const own = planLed(text, previous.subject, linking);
  if (edited.kind === "plan" && own.kind !== "plan") return { kind: "plan", plan: edited.plan, notes: edited.notes };
  if (own.kind !== "plan" && pointsAtRow(text)) return { kind: "refused", sentence: whichRow };
  if (edited.kind === "plan" || own.kind === "refused" || own.kind === "explained") return own;
  if (own.kind === "clarify") return edited.leans ? lost : own;
  return withScope(own, previous, edited) ?? lost;
}

const ambiguous = (text: string, linking: Linking): boolean => {
  const words = toWords(text);
  return ambiguityIn(words, understand(words, linking).items) !== undefined;
};

/** What is a remark beside the question is left out, and said to be. */
function planWithoutAside(
  { text, previous }: Question,
  linking: Linking,
  { restates = false }: { readonly restates?: boolean } = {},
): Planned | undefined {
  const planOf = (said: string) => {
    if (previous === undefined) return ambiguous(said, linking) ? undefined : planWhole(said, linking);
    const outcome = planFollowing(said, previous, linking);
    return outcome.kind === "plan" ? outcome : undefined;
  };
  const found = withoutAsides(text, linking, {
    isPlanned: (said) => planOf(said) !== undefined,
    follows: previous !== undefined,
  });
  const planned = found !== undefined && (!restates || found.restates) ? planOf(found.text) : undefined;
  return planned && { ...planned, notes: [...(found?.notes ?? []), ...planned.notes] };
}

const lost: Outcome = {
  kind: "refused",
  sentence: "I am not sure what that goes on from. Please ask it as a whole question.",
};
/** "On which things": what is asked for by a group changes the plan, or it was not read. */
const asksForGroup = /\b(?:which|what|by|per|each)\b/i;
const nothingNew = "The answer before shows just that. Please say what you want to see instead.";
const whichRow = "I do not see which row you point at. Please say it by its name, such as “only Texas”.";

const pointing =
  /\b(?:the )?(?:first|second|third|fourth|fifth|last) (?:one|row|entry|bar)\b|\b(?:that|this) (?:one|row|entry|bar|campaign|publisher|buyer|target|bidder|state|webhook|source|day|week|month|hour)\b|\bboth\b|\bthe two\b/i;

/** "Drill into the first one": a row of the answer before, which a plan does not know. */
const pointsAtRow = (text: string): boolean => pointing.test(text);

/** Offers only what can be answered; with nothing to offer it is a refusal. */
function askOneOf({ sentence, options }: Problem, linking: Linking, previous?: Plan): Outcome {
  const sure = options.filter((text) => planQuestion({ text, previous }, linking).kind === "plan");
  return sure.length > 0 ? { kind: "clarify", sentence, options: sure } : { kind: "refused", sentence };
}

/**
 * The plan that the questions of one conversation come to, each read after the one before; null where to none. Between two
 * questions everything else that waits has its turn: together they take seconds at the worst.
 */
export async function planInTurn(questions: readonly string[], linking: Linking): Promise<Plan | null> {
  let previous: Plan | undefined;
  for (const text of questions) {
    await giveWay();
    const outcome = planQuestion({ text, previous }, linking);
    if (outcome.kind === "plan") previous = outcome.plan;
  }
  return previous ?? null;
}

/** Whether the plan before gives a question another meaning than it has alone. */
export function leansOn(text: string, previous: Plan | undefined, linking: Linking): boolean {
  const [alone, after] = [planQuestion({ text }, linking), planQuestion({ text, previous }, linking)];
  if (alone.kind !== "plan" || after.kind !== "plan") return after.kind === "plan";
  return !isDeepStrictEqual(alone.plan, after.plan);
}
