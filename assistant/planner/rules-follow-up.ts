import { after, hasRole, indexesOf, measureAt, type Reading, senseAs, use } from "./reading.ts";

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
}

function readRemoval(reading: Reading, index: number): void {
  const { draft, items } = reading;
  let at = after(reading, index, "all", "of", "not");
  while (at < items.length) {
    const name =
      senseAs(reading, at, "dimension")?.name ?? senseAs(reading, at, "flag")?.name ?? measureAt(reading, at);
    const value = senseAs(reading, at, "value")?.name;
    if (name === undefined && value === undefined) break;
    draft.removed.push(value ?? name ?? "");
    use(reading, index, at);
    const joint = after(reading, at);
    at = hasRole(reading, joint, "and") ? after(reading, joint) : items.length;
  }
}
