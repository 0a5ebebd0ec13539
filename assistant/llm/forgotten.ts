import type { Plan } from "../plan.ts";
import { withoutManners } from "../planner/around/manners.ts";
import { isPassing } from "../planner/around/narrowing.ts";
import { understand } from "../planner/correct-typos.ts";
import type { Item } from "../planner/link/item.ts";
import { toWords } from "../planner/words/tokenize.ts";
import type { Planning } from "../planning.ts";
import { limits } from "./question-words.ts";
import { wordsInPlan } from "./words-in-plan.ts";
import { itemsFor, wordsInSql } from "./words-in-sql.ts";

/** A model's answer to a question: a plan or a SELECT. */
export type Written = { readonly kind: "plan"; readonly plan: Plan } | { readonly kind: "sql"; readonly sql: string };

/**
 * Returns the words of a question that limit what is counted (names, numbers, periods, facts) and have no counterpart in
 * the model's plan or SQL. Words that the answer before had already are left out: a follow-up may take them back.
 */
export function forgotten({ text, previous, previousSql, linking }: Planning, written: Written): readonly string[] {
  // "Morning!" is no part of the day, and the "break" of "break it down" no part of a name.
  const words = toWords(withoutManners(text, linking));
  const understood = understand(words, linking).items.filter(
    (item) => !isPassing(item, linking) && !(/^break$/i.test(item.said) && divides.test(text)),
  );
  const items = written.kind === "sql" ? itemsFor(written.sql, understood) : understood;
  const bears = written.kind === "plan" ? wordsInPlan(written.plan) : wordsInSql(written.sql, items, linking);
  const before =
    previousSql === undefined ? previous && wordsInPlan(previous) : wordsInSql(previousSql, items, linking);
  const names = items.map((item) => (item.kind === "unknown" && isName(words, item) ? asValueSaid(item) : item));
  const lost = names.filter((item) => isCondition(item) && !bears(item) && before?.(item) !== true);
  return [...new Set(lost.map(({ said }) => said))];
}

/** "Break the revenue down by source": no failure. */
const divides = /\bbreak\b.*\b(?:down|out|up|by|into)\b/i;

const isName = (words: ReturnType<typeof toWords>, { from, to }: Item): boolean =>
  words.slice(from, to).every(({ original, quoted }) => quoted || (from > 0 && /^\p{Lu}/u.test(original)));

/** A word that is no known name is looked for as it was said. */
const asValueSaid = ({ from, to, said }: Item): Item => {
  const meaning = { kind: "value", subject: "calls", name: "", value: said } as const;
  return { from, to, said, kind: "meanings", meanings: [meaning] };
};

/** A word that also means something else, such as a grouping, is left to the answer that holds it. */
function isCondition(item: Item): boolean {
  if (item.kind === "period") return item.period !== null;
  if (item.kind === "meanings") return item.meanings.length > 0 && item.meanings.every(limits);
  // "One line per webhook" limits nothing, and hours from midnight on need no number.
  return (item.kind === "number" && item.said.toLowerCase() !== "one") || (item.kind === "hour" && item.hour !== 0);
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
