import type { Filters } from "../config/resources/shapes.ts";
import { localTime } from "../notation/local-time.ts";
import { type Actual, matches, toOperator } from "../notation/operators.ts";
import { nameOfWeekday } from "../notation/weekday.ts";
import { firstFive } from "./place.ts";
import { nameOfState, toStateCode } from "./states.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What filters ask about: a call, or a ping, at the time of a decision. */
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

/** Conditions of a group all hold, and any group does, unless their combinators say otherwise (semantics 8.3). */
export function passesFilters(filters: Filters | undefined, subject: Subject): boolean {
  if (filters?.enabled !== true) return true;
  const groups = (filters.groups ?? []).filter(({ conditions }) => conditions.length > 0);
  if (groups.length === 0) return true;
  const passes = ({ conditions, combinator = "and" }: (typeof groups)[number]) =>
    holdsTogether(conditions, combinator, subject);
  return filters.combinator === "and" ? groups.every(passes) : groups.some(passes);
}

/** Asked from left to right, and no further than the answer needs. */
export function holdsTogether(conditions: readonly Condition[], combinator: Combinator, subject: Subject): boolean {
  const holds = (condition: Condition) => holdsFor(condition, subject);
  return combinator === "and" ? conditions.every(holds) : conditions.some(holds);
}

function holdsFor({ field, operator, values = [] }: Condition, subject: Subject): boolean {
  const system = systemFields.get(foldName(field));
  if (system === undefined) return matches(operator, tagOf(subject.tags, field), values);
  const isPattern = ["regex", "not_regex"].includes(toOperator(operator) ?? "");
  return matches(operator, system.read(subject), isPattern || !system.fold ? values : values.map(system.fold));
}

interface SystemField {
  /** The field's spellings, any of which a value may match; none where it is not known. */
  read(subject: Subject): Actual;
  /** Brings a value into a spelling of the field. */
  fold?(value: string): string;
}

/** With and without the plus, and of the United States and Canada the ten digits that people there write. */
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
const zip: SystemField = { read: ({ zip }) => (zip === null ? undefined : firstFive(zip)), fold: firstFive };
const weekday: SystemField = { read: ({ timezone, now }) => spellWeekday(localTime(timezone, now).weekday) };
const hour: SystemField = { read: ({ timezone, now }) => spellHour(localTime(timezone, now).hour) };

/** `monday`, `mon` and, from 0 for Sunday, the number, so that days can be compared. */
const spellWeekday = (day: number) => [nameOfWeekday(day), nameOfWeekday(day).slice(0, 3), String(day)];
const spellHour = (hour: number) => [String(hour), String(hour).padStart(2, "0")];

/** By their folded names. */
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

/** By its key as it is written, else by the one that folds to the same. */
function tagOf(tags: Readonly<Record<string, string>>, field: string): string | undefined {
  if (Object.hasOwn(tags, field)) return tags[field];
  const folded = foldName(field);
  return Object.entries(tags).find(([key]) => foldName(key) === folded)?.[1];
}
