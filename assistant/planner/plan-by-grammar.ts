import { catalog, subjectOf } from "../catalog/catalog.ts";
import { factCounted } from "../catalog/fact-counted.ts";
import type { Subject } from "../catalog/field.ts";
import { listOf } from "../phrasing/figure.ts";
import type { Plan, SubjectName } from "../plan.ts";
import { type Understood, understand } from "./correct-typos.ts";
import { barred, noSecrets } from "./decline/out-of-reach.ts";
import { applyEdit } from "./grammar/apply-edit.ts";
import type { Parsed } from "./grammar/complete.ts";
import type { Unfit } from "./grammar/edited-slots.ts";
import { rateOf } from "./grammar/figures.ts";
import type { Piece } from "./grammar/piece.ts";
import type { Setting, Terminals } from "./grammar/production.ts";
import { parse } from "./grammar/readings.ts";
import { terminalsOf } from "./grammar/terminals.ts";
import { besideOthers } from "./link/beside.ts";
import {
  begins,
  goesOtherWay,
  type Item,
  inward,
  mayBe,
  meaningsOf,
  outward,
  pointsAtSeveral,
  pointsBack,
  pointsWithin,
  senses,
} from "./link/item.ts";
import type { Linking } from "./link/name-index.ts";
import { functionWords } from "./words/small-words.ts";
import { toWords } from "./words/tokenize.ts";

const endOfSentence = /[?!]\s+(?=\S)/g;

/** "Talk time" by itself is a figure; "how long until someone answers" is a question. */
const mostBareWords = 2;

/** The plan of a question every word of which the grammar explains, in one way; undefined for any other question. */
export function planByGrammar(text: string, linking: Linking, understood?: Understood, near?: SubjectName) {
  const whole = text.replace(endOfSentence, ", ");
  const { items, corrections } =
    whole === text && understood !== undefined ? understood : understand(toWords(whole), linking);
  const fitting = fittingSubjects(items, near);
  const [subject, ...rivals] = towards(text, fitting, near);
  if (subject === undefined || items.some((item) => goesOtherWay(item, subject.name))) return undefined;
  // Several kinds of records fit: of calls it is asked most.
  if (rivals.length > 0 && subject.name !== near && subject.name !== "calls") return undefined;
  if (pointsBack(items) && !pointsWithin({ items, subject })) return undefined;
  const places = terminalsOf(besideOthers(items, subject), subject);
  const isBare = places.length < 2 && toWords(text).length <= mostBareWords && !/^total\b/i.test(text);
  const [found, other] = parse(places, { subject, now: linking.now, zone: linking.zone });
  // What is live has no other time than now.
  if (found === undefined || other !== undefined || (isBare && !found.plan.measures.includes("live_calls")))
    return undefined;
  if (isOfAllToo(text, found.plan, subject) || mayExcludeBound(text, found.plan)) return undefined;
  const plan = pointsAtSeveral(items) ? ofThoseCounted(found.plan, subject) : found.plan;
  const mayGoOut = fitting.some(({ name }) => name === "outbound_rtb_requests");
  const assumed = mayGoOut && subject.name === "inbound_rtb_requests" && isOfPings(text) ? [pingsIn] : [];
  const notes = [...corrections, ...assumed, ...namesTaken(items, plan), ...found.notes];
  return { plan, notes, phrases: found.phrases ?? [] };
}

/** "I took “Harborline” for …": the names that a part of them stands for. */
const namesTaken = (items: readonly Item[], { filters, portion }: Plan): readonly string[] =>
  items.flatMap((item) =>
    [...filters, ...portion].flatMap(({ values }) => {
      const meant = values.map(String).filter((value) => mayBe(item, "value") && begins(value, item.said));
      return meant.length > 1 ? [`I took “${item.said}” for ${listOf(meant)}.`] : [];
    }),
  );

/** "Revenue of converted calls and number of all calls": a plan's conditions are those of all its figures. */
function isOfAllToo(text: string, { filters, portion, measures }: Plan, subject: Subject): boolean {
  const isOfFact = filters.some(({ values: [value] }) => typeof value === "boolean");
  const all = `\\ball (?:the |our )?(?:${subject.words.join("|")})s?\\b`;
  const ofAll = new RegExp(`(?:\\b(?:and|vs|versus)\\b|,).*${all}`, "i");
  const allToo = new RegExp(`\\b(?:and|vs|versus) (?:the )?(?:number of |count of )?${all}`, "i");
  const isLost = !measures.includes(subject.defaultMeasure) && allToo.test(text);
  return portion.length === 0 && (isLost || (isOfFact && measures.length > 1 && ofAll.test(text)));
}

const exclusion =
  /\b(?:except|excluding|excludes?|without|other than|apart from|not)\b.*\b(?:and|or|nor) (?:those|every ?thing|anything)\b/i;
/** "Except Texas and those under 30 seconds": whether the bound is of what is left out cannot be told. */
const mayExcludeBound = (text: string, { filters }: Plan): boolean =>
  exclusion.test(text) && filters.some(({ op }) => /^(?:more|less)_than$|^at_/.test(op));

/** "How many failed calls, and what did they cost us": the other figures are those of the calls that the first one counts. */
function ofThoseCounted(plan: Plan, subject: Subject): Plan {
  // "How many of last week's calls were sold by auction, and what did they bring in": those that were.
  const isBesideAll = plan.measures[0] === subject.defaultMeasure && plan.measures.length > 2;
  const [first = "", ...others] = isBesideAll ? plan.measures.slice(1) : plan.measures;
  const fact = factCounted(subject, first);
  // Of the converted alone every one converted.
  const isOfAll = others.some(
    (name) => name === subject.defaultMeasure || name === rateOf(subject, first) || factCounted(subject, name),
  );
  const isPlain = plan.dimensions.length === 0 && plan.portion.length === 0;
  if (fact === undefined || others.length === 0 || isOfAll || !isPlain) return plan;
  return { ...plan, measures: [first, ...others], filters: [...plan.filters, fact] };
}

/** What a follow-up comes to: the next plan, why there is none, or that the grammar cannot explain every word in one way. */
export type Edited =
  | ({ readonly kind: "plan"; readonly leans: boolean } & Parsed)
  | { readonly kind: "refused"; readonly sentence: string }
  | { readonly kind: "clarify"; readonly sentence: string; readonly options: readonly string[] }
  /**
   * `leans`: it goes on from the answer before, or says that it does; `isTimed`: it says over which time; `points`: it
   * has a pronoun; `names`: the records of which it says anything but who did it.
   */
  | {
      readonly kind: "unread";
      readonly leans: boolean;
      readonly isTimed: boolean;
      readonly points: boolean;
      readonly names: readonly SubjectName[];
    };

export function editByGrammar(text: string, previous: Plan, linking: Linking): Edited {
  const words = toWords(text);
  const { items, corrections } = understand(words, linking);
  const subject = subjectOf(previous.subject);
  const refusal = barred({ words, items, follows: true });
  // That a change was made by an API key is no secret.
  const mayPass = subject.name === "audit_logs" && refusal === noSecrets;
  const known = { kind: "unread", names: namedIn(items), points: pointsAtSeveral(items) } as const;
  if (refusal !== undefined && !mayPass) return { ...known, leans: false, isTimed: true };
  const places = terminalsOf(besideOthers(items, subject), subject, { previous });
  const isTimed = items.some(({ kind }) => kind === "period");
  const unread: Edited = { ...known, leans: leansOnBefore(places), isTimed };
  const unfit: Unfit[] = [];
  const complete = (said: Piece, setting: Setting) => {
    const edited = applyEdit(said, setting);
    if (typeof edited !== "object" || !("unfit" in edited)) return edited;
    unfit.push(edited);
    return undefined;
  };
  const setting = { subject, now: linking.now, zone: linking.zone, previous };
  const [found, other] = parse(places, setting, { symbol: "edit", complete });
  const first = unfit.find(({ options }) => options !== undefined) ?? unfit[0];
  if (first?.options !== undefined) return { kind: "clarify", sentence: first.unfit, options: first.options };
  const notes = found ? [...corrections, ...namesTaken(items, found.plan)] : [];
  if (found !== undefined && other === undefined)
    return { ...found, kind: "plan", notes: [...notes, ...found.notes], leans: found.leans === true };
  if (found === undefined && first !== undefined) return { kind: "refused", sentence: first.unfit };
  return unread;
}

/** "Who made the least": who does it could be asked of any records. */
const namedIn = (items: readonly Item[]): readonly SubjectName[] =>
  items.flatMap(meaningsOf).flatMap((each) => ("subject" in each && each.kind !== "dimension" ? [each.subject] : []));

const leading = ["AND", "BUT", "ONLY", "NOW", "ALSO"];
const pointing = ["SAME", "MAKE", "WHAT_ABOUT", "INSTEAD", "THAT_PERIOD"];

/** It begins as what goes on, or says so. */
const leansOnBefore = (places: readonly Terminals[]): boolean =>
  leading.some((kind) => places[0]?.has(kind)) || places.some((place) => pointing.some((kind) => place.has(kind)));

/** The subjects in which every item means something, the ones that the question names by their noun first. */
function fittingSubjects(items: readonly Item[], previous: SubjectName | undefined): readonly Subject[] {
  const fits = catalog.filter((subject) =>
    items.every(
      (item, index) =>
        item.kind !== "meanings" ||
        senses({ items, subject }, index).length > 0 ||
        functionWords.has(item.said.toLowerCase()),
    ),
  );
  const named = fits.filter((subject) =>
    items.some((_, index) => senses({ items, subject }, index).some(({ kind }) => kind === "subject")),
  );
  if (named.length > 0) return named;
  const same = previous === undefined ? [] : fits.filter(({ name }) => name === previous);
  return same.length > 0 ? same : fits;
}

const comes =
  /\b(?:(?:we|i|us) (?:get|got|getting|receive|received|are getting|are receiving)|(?:did|do|have|are) we (?:get|got|getting|receive|received|receiving)|receiv(?:ed|ing)|(?:came|come|comes|coming) in|sent (?:to )?us|send(?:s|ing)? us|hit us|incoming|inbound)\b/i;
const goes =
  /\b(?:(?:did|do|have|are) we (?:send|sent|sending|fire|fired|make|made)|we (?:send|sent|fire|fired|make|made)|(?:sent|send|sending|went|go|going) out|(?:sent|send|sending) to (?!us\b)|(?:who|(?:which |our )?(?:bidders?|buyers?)) (?:rejects?|refuses?|declines?|rejected|refused|declined)|outgoing|outbound)\b/i;

/** Who rejects us is asked for bids. */
const rejects =
  /\b(?:who|(?:which |our )?(?:bidders?|buyers?)) (?:rejects?|refuses?|declines?|rejected|refused|declined) (?:us|our|the|to bid)\b/i;

const pingsIn = "I took pings for those of publishers; those to bidders are outbound pings.";
const isOfPings = (text: string): boolean => /\bpings?\b/i.test(text) && !comes.test(text) && !goes.test(text);

/** "How many pings did we get": what one gets comes in, what one sends goes out; pings are those that come in. */
function towards(text: string, fitting: readonly Subject[], near?: SubjectName): readonly Subject[] {
  const bids = fitting.find(({ name }) => name === "outbound_rtb_requests");
  if (bids !== undefined && rejects.test(text)) return [bids];
  const isOut = goes.test(text);
  const isIn = comes.test(text) || (isOfPings(text) && fitting.every(({ name }) => name !== near));
  if (isIn === isOut) return fitting;
  const told = fitting.filter(({ name }) => (isIn ? inward : outward).includes(name));
  const isOfTwo = fitting.every(({ name }) => inward.includes(name) || outward.includes(name));
  return isOfTwo && told.length > 0 ? told : fitting;
}
