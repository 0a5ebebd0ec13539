import { addFilter, after, hasRole, indexesOf, measureAt, type Reading, senseAs, sensesAs, use } from "./reading.ts";

/** "also by buyer", "add payout", "remove the state filter", "all states": what only an answer before gives sense to. */
export function readAdding(reading: Reading): void {
  const { draft } = reading;
  const also = indexesOf(reading, "also");
  if (also.length > 0) draft.adds = true;
  use(reading, ...also);
  draft.divides = indexesOf(reading, "by").some((index) =>
    /split|br[eo]ak|broken|slice|segment|separate/i.test(reading.items[index]?.said ?? ""),
  );
  for (const index of indexesOf(reading, "remove")) readRemoval(reading, index);
  for (const index of indexesOf(reading, "instead_of")) readReplaced(reading, index);
  const rate = indexesOf(reading, "as_rate");
  draft.asRate = rate.length > 0;
  use(reading, ...rate);
}

/** "By campaign instead of buyer", "profit rather than revenue": what stands behind goes. */
function readReplaced(reading: Reading, index: number): void {
  const at = after(reading, index, "of", "by", "all");
  const name =
    senseAs(reading, at, "dimension")?.name ??
    senseAs(reading, at, "grain")?.grain ??
    measureAt(reading, at) ??
    (reading.items[at]?.kind === "period" ? "period" : senseAs(reading, at, "value")?.name);
  if (name === undefined) return;
  reading.draft.replaced.push(name);
  use(reading, index, at, ...range(index, at));
}
const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from }, (_, step) => from + step);

function readRemoval(reading: Reading, index: number): void {
  const { draft, items } = reading;
  let at = after(reading, index, "all", "of", "not");
  while (at < items.length) {
    const name =
      senseAs(reading, at, "dimension")?.name ?? senseAs(reading, at, "flag")?.name ?? measureAt(reading, at);
    const value = senseAs(reading, at, "value")?.name;
    if (name === undefined && value === undefined) break;
    const said = sensesAs(reading, at, "value");
    const [only, other] = said;
    if (only !== undefined && other === undefined && name === undefined)
      addFilter(reading, { field: only.name, op: "is_not", values: [only.value] });
    else draft.removed.push(value ?? name ?? "");
    use(reading, index, at);
    const joint = after(reading, at);
    at = hasRole(reading, joint, "and") ? after(reading, joint) : items.length;
  }
}
