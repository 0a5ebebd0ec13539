import { dayMs, isoDate, partHours, partNames, startOf, toLocal } from "../calendar.ts";
import { findFlag, subjectOf } from "../catalog/catalog.ts";
import { factCounted } from "../catalog/fact-counted.ts";
import type { Period, Plan } from "../plan.ts";
import { understand } from "../planner/correct-typos.ts";
import type { Item } from "../planner/link/item.ts";
import type { Meaning } from "../planner/link/lexicon.ts";
import type { Linking } from "../planner/link/linking.ts";
import { toWords } from "../planner/words/tokenize.ts";
import type { Planning } from "../planning.ts";
import { isSame } from "./both-readings.ts";

/** What a model answered a question with. */
export type Written = { readonly kind: "plan"; readonly plan: Plan } | { readonly kind: "sql"; readonly sql: string };

/**
 * The words of a question that limit what is counted, such as a name, a number or a period, and that what was written
 * does not bear. Words that a follow-up may take back are none of them.
 */
export function forgotten({ text, previous, linking }: Planning, written: Written): readonly string[] {
  const words = toWords(text);
  const { items } = understand(words, linking);
  const bears = written.kind === "plan" ? inPlan(written.plan) : inSql(written.sql, linking);
  const before = previous === undefined ? undefined : inPlan(previous);
  const names = items.map((item) => (item.kind === "unknown" && isName(words, item) ? asValueSaid(item) : item));
  const lost = names.filter((item) => isCondition(item) && !bears(item) && before?.(item) !== true);
  return [...new Set(lost.map(({ said }) => said))];
}

type Bears = (item: Item) => boolean;

const isName = (words: ReturnType<typeof toWords>, { from, to }: Item): boolean =>
  words.slice(from, to).every(({ original, quoted }) => quoted || (from > 0 && /^\p{Lu}/u.test(original)));

/** A word that is no known name is looked for as it was said. */
const asValueSaid = ({ from, to, said }: Item): Item => {
  const meaning = { kind: "value", subject: "calls", name: "", value: said } as const;
  return { from, to, said, kind: "meanings", meanings: [meaning] };
};

type Condition = Extract<Meaning, { kind: "value" | "flag" | "days" | "parts" }>;

const limits = (meaning: Meaning): meaning is Condition => ["value", "flag", "days", "parts"].includes(meaning.kind);

/** A word that also means something else, such as a measure, is left to the plan that holds it. */
function isCondition(item: Item): boolean {
  if (item.kind === "period") return item.period !== null;
  if (item.kind === "meanings") return item.meanings.length > 0 && item.meanings.every(limits);
  return item.kind === "number" || item.kind === "hour";
}

function inPlan(plan: Plan): Bears {
  const subject = subjectOf(plan.subject);
  const counted = plan.measures.flatMap((name) => factCounted(subject, name) ?? []);
  const filters = [...plan.filters, ...plan.portion, ...plan.having, ...counted];
  const periods = [plan.period, plan.compare];
  const said = JSON.stringify({ ...plan, period: null, compare: null }).toLowerCase();
  const values = filters.flatMap((filter) => filter.values.map((value) => String(value).toLowerCase()));
  /** A plan that groups by the fact tells both sides; one whose figure is a rate of it holds it. */
  const holdsFlag = (name: string): boolean =>
    filters.some(({ field }) => field === name) ||
    plan.dimensions.includes(name) ||
    [...plan.measures, ...plan.columns].some((each) => isAbout(each, findFlag(subject, name)?.measure ?? name));
  const holds = (meaning: Condition, word: string): boolean => {
    switch (meaning.kind) {
      case "value":
        return (
          [meaning.value.toLowerCase(), word].some((each) => values.some((value) => value.includes(each))) ||
          isFlagOf(meaning)
        );
      case "flag":
        return holdsFlag(meaning.name);
      case "days":
        return /day_of_week|kind_of_day/.test(said);
      default:
        return /hour_of_day|part_of_day/.test(said);
    }
  };
  /** "Failed" as a value of the status is a fact of its own. */
  const isFlagOf = ({ name, value }: Extract<Meaning, { kind: "value" }>): boolean => {
    const column = subject.dimensions.find((dimension) => dimension.name === name)?.column;
    const flag = subject.flags.find(({ condition }) => condition === `${column} = '${value}'`);
    return flag !== undefined && holdsFlag(flag.name);
  };
  return (item) => {
    if (item.kind === "meanings")
      return item.meanings.some((meaning) => limits(meaning) && holds(meaning, item.said.toLowerCase()));
    if (item.kind === "period") return periods.some((period) => overlaps(period, item.period));
    if (item.kind === "hour") return /hour_of_day|part_of_day/.test(said) || plan.period !== null;
    return item.kind !== "number" || numbersNear(item.value).some((number) => hasNumber(said, number));
  };
}

/** "converted_calls" and "conversion_rate" are about conversion. */
const isAbout = (name: string, measure: string): boolean => {
  const stem = (measure.split("_")[0] ?? measure).slice(0, 6);
  return name.includes(stem);
};

/** One of two periods that are put together, such as "October or November", is part of the plan's. */
function overlaps(period: Period | null, said: Period | null): boolean {
  if (period === null || said === null) return period === said;
  if (isSame(period, said)) return true;
  const begins = period.from === null || (said.from !== null && period.from === said.from);
  return (begins || period.to === said.to) && spansOther(period, said);
}

/** Longer than what was said, so that it holds the other one, too. */
const spansOther = (period: Period, said: Period): boolean =>
  (period.from ?? "") <= (said.from ?? "") && period.to >= said.to;

const numbersNear = (value: number): readonly number[] => [value, value / 60, value / 3600, value * 1000, value / 100];
const hasNumber = (text: string, number: number): boolean =>
  new RegExp(`(?<![\\d.])${String(number).replace(".", "\\.")}(?:\\.0+)?(?![\\d.]*\\d)`).test(text);

const flagWords = /[a-z]{4,}/g;

function inSql(sql: string, linking: Linking): Bears {
  const said = sql.toLowerCase();
  const holds = (meaning: Condition, word: string): boolean => {
    switch (meaning.kind) {
      case "value":
        return [meaning.value.toLowerCase(), word].some((each) => said.includes(each.replaceAll("'", "''")));
      case "flag": {
        const flag = findFlag(subjectOf(meaning.subject), meaning.name);
        return [...(flag?.condition ?? meaning.name).toLowerCase().matchAll(flagWords)].some(([word]) =>
          said.includes(word),
        );
      }
      case "days":
        return /dow|week|dayname|%[aw]/.test(said);
      default:
        return meaning.parts.some((part) => hasNumber(said, partNames.indexOf(part) * partHours));
    }
  };
  return (item) => {
    if (item.kind === "meanings")
      return item.meanings.some((meaning) => limits(meaning) && holds(meaning, item.said.toLowerCase()));
    if (item.kind === "period") return item.period === null || hasPeriod(said, item.period, linking);
    if (item.kind === "hour") return hasNumber(said, item.hour);
    return item.kind !== "number" || numbersNear(item.value).some((number) => hasNumber(said, number));
  };
}

/** Each end by its date, in UTC or the organization's zone; the end also by the last day within, or not where it is now. */
function hasPeriod(sql: string, { from, to }: Period, { zone, now }: Linking): boolean {
  const has = (ms: number): boolean => [ms, toLocal(ms, zone)].some((each) => sql.includes(isoDate(each)));
  const end = Date.parse(to);
  return (from === null || has(Date.parse(from))) && (end >= startOf("day", now) || has(end) || has(end - dayMs));
}

/** The periods that a question names, for SQL: in UTC, as its times are. */
export function periodsIn({ text, linking }: Pick<Planning, "text" | "linking">) {
  const utc = (at: string): string => at.slice(0, 19).replace("T", " ");
  return understand(toWords(text), linking).items.flatMap((item) => {
    if (item.kind !== "period" || item.period === null) return [];
    const { from, to } = item.period;
    return [{ said: item.said, from: from === null ? null : utc(from), to: utc(to) }];
  });
}
