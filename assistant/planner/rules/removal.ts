import { addFilter, after, hasRole, measureAt, type Reading, senseAs, sensesAs, use } from "./reading.ts";

const filterWords = /^(filters?|conditions?)$/i;
const textAt = ({ items }: Reading, at: number): string => items[at]?.said.toLowerCase() ?? "";

/** "Drop profit" at the start, where "the drop in profit" is a change; "without the state filter". */
export function takesAway(reading: Reading, index: number): boolean {
  const { items, planBefore } = reading;
  if (hasRole(reading, index, "remove"))
    return (
      textAt(reading, index) !== "drop" ||
      items.slice(0, index).every((item) => item.kind === "stop" || leadsOn(item.said))
    );
  if (!/^(without|no)$/.test(textAt(reading, index))) return false;
  const at = after(reading, index, "all");
  const name = senseAs(reading, at, "dimension")?.name ?? "";
  const known = planBefore?.filters.some(({ field }) => field === name) || planBefore?.dimensions.includes(name);
  return items.slice(index).some(({ said }) => filterWords.test(said)) || known === true;
}
const leadsOn = (said: string): boolean => /^(and|now|ok|then|,)$/i.test(said);

/** "Remove the state filter", "forget Texas and Florida", "drop all filters". */
export function readRemoval(reading: Reading, index: number): void {
  const { draft, items, planBefore } = reading;
  let at = after(reading, index, "all", "of", "not");
  if (isOfAllFilters(reading, index)) {
    draft.removed.push(...(planBefore?.filters ?? []).map(({ field }) => field));
    use(reading, index);
    return;
  }
  while (at < items.length) {
    const name =
      senseAs(reading, at, "dimension")?.name ?? senseAs(reading, at, "flag")?.name ?? measureAt(reading, at);
    const value = senseAs(reading, at, "value")?.name;
    if (name === undefined && value === undefined) break;
    const said = sensesAs(reading, at, "value");
    const [only, other] = said;
    const fact = senseAs(reading, at, "flag");
    const isShown =
      planBefore?.filters.some(({ field }) => field === fact?.name) || planBefore?.measures.includes(name ?? "");
    if (only !== undefined && other === undefined && name === undefined) takeOut(reading, only);
    // "Drop the duplicates", where they are no figure and no condition of the answer before: without them.
    else if (
      fact !== undefined &&
      senseAs(reading, at, "dimension") === undefined &&
      !isShown &&
      isOfNoFigure(reading, at)
    )
      addFilter(reading, { field: fact.name, op: "is", values: [!fact.holds] });
    else draft.removed.push(value ?? name ?? "");
    use(reading, index, at);
    const joint = after(reading, at);
    at = hasRole(reading, joint, "and") ? after(reading, joint) : items.length;
  }
}

/** Of the figures before, none counts such records. */
const isOfNoFigure = ({ planBefore, subject, ...reading }: Reading, at: number): boolean =>
  !planBefore?.measures.includes(senseAs({ ...reading, subject, planBefore }, at, "measure")?.name ?? "");

const isOfAllFilters = (reading: Reading, index: number): boolean => {
  const rest = reading.items.slice(index + 1);
  const isBare = rest.every((item, step) => item.kind === "stop" || hasRole(reading, index + 1 + step, "all"));
  return isBare && rest.some(({ said }) => filterWords.test(said));
};

function takeOut(reading: Reading, { name, value }: { readonly name: string; readonly value: string }): void {
  addFilter(reading, { field: name, op: "is_not", values: [value] });
  reading.draft.takesOut = true;
}
