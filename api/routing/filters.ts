import { type LocalTime, localTime } from "../../ingest/time-zone.ts";
import { memoizeByObject } from "../conditions/memoize.ts";
import { type Actual, type Texts, takesPatterns, toTest, toTexts } from "../conditions/operators.ts";
import { createPatternAllowance } from "../conditions/pattern.ts";
import { createStepBudget, type StepBudget } from "../conditions/step-budget.ts";
import type { Filters } from "../config/resources/shapes.ts";
import { nameOfWeekday } from "../config/weekday.ts";
import { toZip5 } from "./caller-location.ts";
import { nameOfState, toStateCode } from "./states-and-provinces.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Attributes of a call or a ping at the time of a decision, for filters. */
export interface Subject {
  /** E.164; null for an anonymous caller. */
  readonly caller: string | null;
  readonly zip: string | null;
  readonly state: string | null;
  readonly publisher: Named | null;
  readonly campaign: Named | null;
  /** The tracking number, E.164. */
  readonly number: string | null;
  readonly tags: Readonly<Record<string, string>>;
  readonly now: number;
  /** In which `day_of_week` and `hour` are read: the route's. */
  readonly timezone: string;
}

/** One condition as it is written in a filter. */
export interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
}
export type Combinator = "and" | "or";

/** `too_costly`: they have more patterns than may be compiled, or asking them took more steps than they may. */
export type Verdict = "passes" | "mismatch" | "too_costly";

/** Steps that the filters of one destination may take: 5 ms at the worst. */
export const filterSteps = 250_000;
/** Likewise all filters that a ping or a call is judged by at one time: 20 ms at the worst. */
const decisionSteps = 1_000_000;

/** The attributes of a subject as conditions compare them, each made when the first condition asks for it. */
export interface Facts {
  /** The wall clock of the subject's zone. */
  localTime(): LocalTime;
  field(field: SystemField): Texts;
  tag(name: string): Texts;
}

export function createFacts(subject: Subject): Facts {
  const fields = new Map<SystemField, Texts>();
  const tags = new Map<string, Texts>();
  let local: LocalTime | null = null;
  const facts: Facts = {
    localTime() {
      local ??= localTime(subject.timezone, subject.now);
      return local;
    },
    field(field) {
      const known = fields.get(field);
      if (known !== undefined) return known;
      const texts = toTexts(field.read(subject, facts));
      fields.set(field, texts);
      return texts;
    },
    tag(name) {
      const known = tags.get(name);
      if (known !== undefined) return known;
      const texts = toTexts(tagOf(subject.tags, name));
      tags.set(name, texts);
      return texts;
    },
  };
  return facts;
}

/** Conditions made ready to be asked, once for as long as the config has them. */
export interface Compiled {
  readonly isTooLarge: boolean;
  passes(facts: Facts, budget: StepBudget): boolean;
}

/** Conditions of a group all hold, and any group does, unless their combinators say otherwise. */
export const compileFilters = memoizeByObject((filters: Filters): Compiled => {
  const written = filters.enabled === true ? (filters.groups ?? []) : [];
  const compiler = createCompiler();
  const groups = written
    .filter(({ conditions }) => conditions.length > 0)
    .map(({ conditions, combinator = "and" }) => together(conditions.map(compiler.compile), combinator));
  const passes = groups.length === 0 ? () => true : together(groups, filters.combinator ?? "or");
  return { isTooLarge: compiler.isTooLarge(), passes };
});

interface Group {
  readonly conditions: readonly Condition[];
  readonly combinator: Combinator;
}

/** Groups that are asked each for itself, such as payout rules, and may have as many patterns together as filters have. */
export function compileGroups(groups: readonly Group[]): readonly Compiled[] {
  const compiler = createCompiler();
  return groups.map(({ conditions, combinator }) => {
    const passes = together(conditions.map(compiler.compile), combinator);
    return { isTooLarge: compiler.isTooLarge(), passes };
  });
}

/** The steps that all filters of one decision may take together. */
export const createFilterBudget = (): StepBudget => createStepBudget(decisionSteps);

/** Evaluates from left to right, and stops as soon as the verdict is known. */
export function ask({ isTooLarge, passes }: Compiled, facts: Facts, within?: StepBudget): Verdict {
  if (isTooLarge) return "too_costly";
  const budget = createStepBudget(filterSteps, within);
  const isPassed = passes(facts, budget);
  if (budget.isSpent()) return "too_costly";
  return isPassed ? "passes" : "mismatch";
}

type Holds = Compiled["passes"];

function together(all: readonly Holds[], combinator: Combinator): Holds {
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  if (combinator === "and") return (facts, budget) => all.every((holds) => holds(facts, budget));
  return (facts, budget) => all.some((holds) => holds(facts, budget));
}

/** Steps to come to a condition's field. */
const fieldSteps = 20;

function createCompiler() {
  const patterns = createPatternAllowance();

  function compile({ field, operator, values = [] }: Condition): Holds {
    if (takesPatterns(operator) && !patterns.take(values)) return () => false;
    const system = systemFields.get(foldName(field));
    const fold = system?.fold;
    const test = toTest(operator, fold === undefined || takesPatterns(operator) ? values : values.map(fold));
    if (system === undefined) return (facts, budget) => budget.spend(fieldSteps) && test(facts.tag(field), budget);
    return (facts, budget) => budget.spend(fieldSteps) && test(facts.field(system), budget);
  }

  return { compile, isTooLarge: () => patterns.isExceeded() };
}

export interface SystemField {
  /** The field's spellings, any of which a value may match; none where it is not known. */
  read(subject: Subject, facts: Facts): Actual;
  /** Brings a value into a spelling of the field. */
  fold?(value: string): string;
}

/** Returns a number with and without its plus; those of the United States and Canada with ten digits, too. */
const spellPhone = (e164: string | null): readonly string[] =>
  e164 === null ? [] : [e164, e164.slice(1), ...(/^\+1\d{10}$/.test(e164) ? [e164.slice(2)] : [])];
const foldPhone = (value: string): string => value.replace(/[\s().-]/g, "");

/** Code and full name. */
function spellState(state: string | null): readonly string[] {
  if (state === null) return [];
  const code = toStateCode(state);
  return code === null ? [state] : [code, nameOfState(code) ?? code];
}

const caller: SystemField = { read: (subject) => spellPhone(subject.caller), fold: foldPhone };
const number: SystemField = { read: (subject) => spellPhone(subject.number), fold: foldPhone };
const areaCode: SystemField = { read: (subject) => /^\+1(\d{3})\d{7}$/.exec(subject.caller ?? "")?.[1] };
const state: SystemField = { read: (subject) => spellState(subject.state) };
const zip: SystemField = { read: ({ zip }) => (zip === null ? undefined : toZip5(zip)), fold: toZip5 };
const weekday: SystemField = { read: (_subject, facts) => spellWeekday(facts.localTime().weekday) };
const hour: SystemField = { read: (_subject, facts) => spellHour(facts.localTime().hour) };

/** `monday`, `mon` and, from 0 for Sunday, the number, so that days can be compared. */
const spellWeekday = (day: number) => [nameOfWeekday(day), nameOfWeekday(day).slice(0, 3), String(day)];
const spellHour = (hour: number) => [String(hour), String(hour).padStart(2, "0")];

/** Keyed by their folded names. */
const systemFields: ReadonlyMap<string, SystemField> = new Map<string, SystemField>([
  ["callerid", caller],
  ["caller", caller],
  ["callernumber", caller],
  ["areacode", areaCode],
  ["callerareacode", areaCode],
  ["state", state],
  ["callerstate", state],
  ["zip", zip],
  ["zipcode", zip],
  ["callerzip", zip],
  ["callerzipcode", zip],
  ["publisherid", { read: ({ publisher }) => publisher?.id }],
  ["publishername", { read: ({ publisher }) => publisher?.name }],
  ["campaignid", { read: ({ campaign }) => campaign?.id }],
  ["campaignname", { read: ({ campaign }) => campaign?.name }],
  ["number", number],
  ["publishernumber", number],
  ["dayofweek", weekday],
  ["weekday", weekday],
  ["hour", hour],
  ["hourofday", hour],
]);

const foldName = (name: string): string => name.toLowerCase().replace(/[_\-\s.]/g, "");

const foldedTags = memoizeByObject((tags: Subject["tags"]): ReadonlyMap<string, string> => {
  const folded = new Map<string, string>();
  for (const [key, value] of Object.entries(tags)) {
    const name = foldName(key);
    if (!folded.has(name)) folded.set(name, value);
  }
  return folded;
});

/** Returns the tag with exactly this key, else the first one whose key folds to the same. */
const tagOf = (tags: Subject["tags"], field: string): string | undefined =>
  Object.hasOwn(tags, field) ? tags[field] : foldedTags(tags).get(foldName(field));
