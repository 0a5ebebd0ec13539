import type { FilterOp } from "../../plan.ts";
import { sentenceOf } from "../link/item.ts";
import { comparatorAt } from "./comparator.ts";
import {
  addDimension,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  type Reading,
  range,
  senseAs,
  use,
} from "./reading.ts";

/** Who or what calls come from, or to. */
const callers = ["caller", "number", "state", "area_code", "zip"];

/** "Callers who called more than twice", "callers with 3 or more calls", "numbers called at least 10 times": how often. */
export function readOften(reading: Reading): void {
  const head = reading.items.findIndex((_, at) => callers.includes(senseAs(reading, at, "dimension")?.name ?? ""));
  const name = senseAs(reading, head, "dimension")?.name;
  const bound = head < 0 ? undefined : boundBehind(reading, head);
  if (name === undefined || bound === undefined || reading.subject.name !== "calls") return;
  if (hasRole(reading, before(reading, head, "distinct"), "how_many")) {
    askWhich(reading, head, bound);
    return;
  }
  addDimension(reading, name);
  addMeasure(reading, "calls");
  reading.draft.having.push({ field: "calls", op: bound.op, values: [bound.count] });
  use(reading, head, ...bound.used, ...indexesOf(reading, "list").filter((at) => at < head));
}

interface Often {
  readonly op: FilterOp;
  readonly count: number;
  readonly used: readonly number[];
}

function boundBehind(reading: Reading, head: number): Often | undefined {
  const { items } = reading;
  for (const at of range(head + 1, items.length)) {
    const item = items[at];
    if (item?.kind !== "number" || (item.unit !== null && item.unit !== undefined)) continue;
    const [left, right] = [before(reading, at), after(reading, at)];
    const said = comparatorAt(reading, left);
    const behind = [right, before(reading, items.length)].find((each) => hasRole(reading, each, "or_more", "or_less"));
    const op =
      said ?? (behind === undefined ? undefined : hasRole(reading, behind, "or_more") ? "at_least" : "at_most");
    const noun = [right, right + 1].find((each) => senseAs(reading, each, "subject") !== undefined);
    const isOften = /^(once|twice)$/i.test(item.said) || /^times?$/i.test(items[at + 1]?.said ?? "");
    const isOfCalls =
      senseAs(reading, head, "dimension")?.name === "caller" &&
      noun !== undefined &&
      hasRole(reading, before(reading, said === undefined ? at : left), "with");
    if (op === undefined || !(isOften || isOfCalls) || !Number.isInteger(item.value)) continue;
    const verbs = range(head + 1, at).filter((each) => senseAs(reading, each, "subject") !== undefined);
    const marks = [said === undefined ? behind : left, isOfCalls ? noun : undefined].filter(
      (each) => each !== undefined,
    );
    return { op, count: item.value, used: [at, ...verbs, ...marks] };
  }
  return undefined;
}

/** How many such groups there are is no figure; which they are can be shown. */
function askWhich(reading: Reading, head: number, { used }: Often): void {
  const { draft, items } = reading;
  const asked = items.filter((_, at) => at >= head || !hasRole(reading, at, "how_many", "distinct", "of"));
  draft.problems.push({
    sentence: `I do not count the ${items[head]?.said} for which that holds; I can show which they are.`,
    options: [sentenceOf(asked)],
  });
  use(reading, head, ...used);
}
