import { addMeasure, after, hasRole, indexesOf, type Reading, senses, use } from "./reading.ts";
import { addRate } from "./side-by-side.ts";

/** "calls vs conversions by month": side by side. Over two periods it is neither that nor a comparison. */
export function readVersusMeasures(reading: Reading): void {
  const { items, draft } = reading;
  const at = items.findIndex((_, index) => hasRole(reading, index, "versus"));
  const isOfPeriods = items[at - 1]?.kind === "period" && items[at + 1]?.kind === "period";
  if (at < 0 || isOfPeriods) return;
  const figures = items.map((_, index) => figuresAt(reading, index));
  const side = (from: number, to?: number) => [...new Set(figures.slice(from, to).flat())].sort().join();
  const [left, right] = at === 0 ? halves(figures) : [side(0, at), side(at + 1)];
  if (left === "" || right === "" || left === right) return;
  const periods = new Set(items.flatMap((item) => (item.kind === "period" ? [item.said.toLowerCase()] : [])));
  if (periods.size > 1) {
    const sentence = "I compare one figure over two periods, or several figures over one; not both at once.";
    draft.problems.push({ sentence, options: [] });
    return;
  }
  for (const name of figures.flat()) addMeasure(reading, name);
  figures.forEach((names, index) => {
    if (names.length > 0) use(reading, index);
  });
  use(reading, ...items.map((_, index) => index).filter((index) => hasRole(reading, index, "versus")));
}

const figuresAt = (reading: Reading, index: number): readonly string[] =>
  reading.used.has(index)
    ? []
    : senses(reading, index).flatMap((sense) =>
        sense.kind === "measure" ? [sense.name] : sense.kind === "subject" ? [reading.subject.defaultMeasure] : [],
      );

/** "compare calls and conversions". */
function halves(figures: readonly (readonly string[])[]): readonly [string, string] {
  const [first, ...others] = figures.filter((names) => names.length > 0).map((names) => names.join());
  return [first ?? "", others.join()];
}

/** "Texas vs Florida", "compare Acme and Best": side by side, so grouped by what they are. */
export function readVersusValues(reading: Reading): void {
  const values = comparedValues(reading);
  const roles = [...indexesOf(reading, "versus", "side_by_side", "better"), ...eachAlone(reading)];
  const [first = [], ...others] = values;
  const field = first.find((each) => others.length > 0 && others.every((fields) => fields.includes(each)));
  if (roles.length === 0 || field === undefined) return;
  if (!reading.draft.dimensions.includes(field)) reading.draft.dimensions.push(field);
  for (const at of reading.items.keys()) addRate(reading, at);
  const isOpen = indexesOf(reading, "versus").some((at) => !isOfField(reading, after(reading, at, "by", "of"), field));
  if (!isOpen || values.length === 0) use(reading, ...roles);
}

/** Whether what stands there may be such a name, or only leads to one. */
const isOfField = (reading: Reading, at: number, field: string): boolean => {
  const all = senses(reading, at);
  return (
    all.some((sense) => (sense.kind === "value" || sense.kind === "dimension") && sense.name === field) ||
    all.every(({ kind }) => kind !== "dimension" && kind !== "grain" && kind !== "value")
  );
};

/** "Ann and Bob: changes each made": no group stands behind it. */
const eachAlone = (reading: Reading): readonly number[] =>
  indexesOf(reading, "by").filter(
    (at) =>
      /^each$/i.test(reading.items[at]?.said ?? "") &&
      senses(reading, after(reading, at, "of")).every(({ kind }) => kind !== "dimension" && kind !== "grain"),
  );

/** The fields of the names that are held against one another: beside "vs" where that stands between two, else all of them. */
function comparedValues(reading: Reading): readonly (readonly string[])[] {
  const { items } = reading;
  const fields = items.map((_, at) =>
    senses(reading, at).flatMap((sense) => (sense.kind === "value" ? [sense.name] : [])),
  );
  const versus = items.findIndex((_, at) => hasRole(reading, at, "versus"));
  const left = fields.slice(0, Math.max(0, versus)).findLast((each) => each.length > 0);
  const right = fields.slice(versus + 1).find((each) => each.length > 0);
  if (left?.some((field) => right?.includes(field)) && right !== undefined) return [left, right];
  return fields.filter((each) => each.length > 0);
}
