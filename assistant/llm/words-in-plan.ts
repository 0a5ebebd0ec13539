import { findFlag, subjectOf } from "../catalog/catalog.ts";
import { factCounted } from "../catalog/fact-counted.ts";
import { alternatives, type Period, type Plan } from "../plan.ts";
import { isSame } from "./both-readings.ts";
import { type Bears, type Condition, hasNumber, someMeaning } from "./question-words.ts";

/** Returns a test for a stretch of the question: true where the plan has a counterpart of it. */
export function wordsInPlan(plan: Plan): Bears {
  const subject = subjectOf(plan.subject);
  const counted = plan.measures.flatMap((name) => factCounted(subject, name) ?? []);
  const filters = [...plan.filters, ...plan.portion, ...plan.having, ...counted].flatMap(alternatives);
  const said = JSON.stringify({ ...plan, period: null, compare: null }).toLowerCase();
  const values = filters.flatMap((filter) => filter.values.map((value) => String(value).toLowerCase()));

  /** A plan that groups by the fact tells both sides; one whose figure is a rate of it holds it. */
  const holdsFlag = (name: string): boolean => {
    const measure = findFlag(subject, name)?.measure ?? name;
    const isAbout = (each: string) => each.includes((measure.split("_")[0] ?? measure).slice(0, lettersOfStem));
    return (
      filters.some(({ field }) => field === name) ||
      plan.dimensions.includes(name) ||
      [...plan.measures, ...plan.columns].some(isAbout)
    );
  };

  /** "Failed" as a value of the status is a fact of its own. */
  const holdsValue = ({ name, value }: Extract<Condition, { kind: "value" }>, word: string): boolean => {
    const column = subject.dimensions.find((dimension) => dimension.name === name)?.column;
    const flag = subject.flags.find(({ condition }) => condition === `${column} = '${value}'`);
    const isHeld = [value.toLowerCase(), word].some((each) => values.some((known) => known.includes(each)));
    return isHeld || (flag !== undefined && holdsFlag(flag.name));
  };

  const holds = (meaning: Condition, word: string): boolean => {
    switch (meaning.kind) {
      case "value":
        return holdsValue(meaning, word);
      case "flag":
        return holdsFlag(meaning.name);
      case "days":
        return /day_of_week|kind_of_day/.test(said);
      case "parts":
        return /hour_of_day|part_of_day/.test(said);
      // A figure can be said in many ways; the rules' plan tells another one.
      default:
        return true;
    }
  };

  return (item) => {
    if (item.kind === "period") return [plan.period, plan.compare].some((period) => covers(period, item.period));
    if (item.kind === "hour") return /hour_of_day|part_of_day/.test(said) || plan.period !== null;
    if (item.kind === "number") return hasNumber(said, item.value);
    return someMeaning(item, holds);
  };
}

/** "convert" of "converted_calls" and of "conversion_rate". */
const lettersOfStem = 6;

/** One of two periods that are put together, such as "October or November", is part of the plan's. */
function covers(period: Period | null, said: Period | null): boolean {
  if (period === null || said === null) return period === said;
  if (isSame(period, said)) return true;
  const hasEnd = period.from === null || period.from === said.from || period.to === said.to;
  return hasEnd && (period.from ?? "") <= (said.from ?? "") && period.to >= said.to;
}
