import {
  addDimension,
  after,
  hasRole,
  indexesOf,
  measureAt,
  type Reading,
  range,
  senseAs,
  sensesAs,
  use,
} from "./reading.ts";
import { readRemoval, takesAway } from "./removal.ts";
import { crossGrains } from "./shape.ts";

/** "also by buyer", "add payout", "remove the state filter", "all states": what only an answer before gives sense to. */
export function readAdding(reading: Reading): void {
  const { draft } = reading;
  const also = indexesOf(reading, "also");
  if (also.length > 0) draft.adds = true;
  use(reading, ...also);
  draft.divides = indexesOf(reading, "by").some((index) =>
    /split|br[eo]ak|broken|slice|segment|separate/i.test(reading.items[index]?.said ?? ""),
  );
  for (const index of indexesOf(reading, "remove", "not")) if (takesAway(reading, index)) readRemoval(reading, index);
  for (const index of indexesOf(reading, "all")) readAllOf(reading, index);
  readThatPeriod(reading);
  readUnbound(reading);
  readComparedWith(reading);
  readTotal(reading);
  askOverall(reading);
  readBeside(reading);
  draft.instead = reading.items.some(({ said }) => /\binstead$/i.test(said));
  draft.plain = indexesOf(reading, "plain").length > 0;
  // "And without duplicates?" narrows what was asked.
  const narrows = hasRole(reading, 1, "not", "with");
  draft.turns = /^(and|(and )?(what|how) about)$/i.test(reading.items[0]?.said ?? "") && !narrows;
  for (const index of indexesOf(reading, "instead_of")) readReplaced(reading, index);
  const rate = indexesOf(reading, "as_rate");
  draft.asRate = rate.length > 0;
  use(reading, ...rate);
}

/** "All states", where only some were asked for before: no condition on them any more. */
function readAllOf(reading: Reading, index: number): void {
  const at = after(reading, index);
  const name = senseAs(reading, at, "dimension")?.name;
  const isFiltered = reading.planBefore?.filters.some(({ field }) => field === name) === true;
  const isAlone = reading.items.every(
    (item, each) =>
      each === index || each === at || item.kind === "stop" || hasRole(reading, each, "of", "follow", "and"),
  );
  if (name === undefined || !isFiltered || !isAlone) return;
  reading.draft.removed.push(name);
  use(reading, index, at);
}

/** "Bottom 3 campaigns in that period": of the answer before, if that had one. */
function readThatPeriod(reading: Reading): void {
  const said = indexesOf(reading, "that_period");
  if (said.length === 0 || !reading.planBefore?.period) return;
  reading.draft.keepsPeriod = true;
  use(reading, ...said);
}

/** "No minimum", "without the threshold": all groups again. */
function readUnbound(reading: Reading): void {
  if ((reading.planBefore?.having.length ?? 0) === 0) return;
  for (const index of indexesOf(reading, "not", "remove")) {
    const at = after(reading, index, "all");
    const isLast = /^(,|and|then|please)?$/i.test(reading.items[at + 1]?.said ?? "");
    if (!isLast || !/^(minimum|maximum|threshold|cutoff|bound|bounds)$/i.test(reading.items[at]?.said ?? "")) continue;
    reading.draft.unbounds = true;
    use(reading, index, at);
  }
}

/** "Split by day of week as well": beside hours of the day they cross; two units that do not cross are no answer. */
export function settleAdded(reading: Reading): void {
  const { draft, planBefore } = reading;
  const known = planBefore?.grain ?? null;
  const { grain } = draft;
  if (!draft.adds || grain === null || known === null || known === grain) return;
  crossGrains(reading, known, grain);
}

/** "Compare with Acme", of an answer about Best: each by itself, beside one another. */
function readComparedWith(reading: Reading): void {
  const { draft, planBefore } = reading;
  for (const index of indexesOf(reading, "versus")) {
    const at = after(reading, index, "of", "with");
    const names = sensesAs(reading, at, "value").map(({ name }) => name);
    const same = planBefore?.filters.find(({ field, op }) => op === "is" && names.includes(field));
    if (index !== firstOf(reading) || same === undefined) continue;
    draft.adds = true;
    addDimension(reading, same.field);
    use(reading, index);
  }
}

const firstOf = (reading: Reading): number =>
  reading.items.findIndex((item, at) => item.kind !== "stop" && !hasRole(reading, at, "and", "follow"));

const totals =
  /^(?:(?:show|give|me|us|just|only|the|a|no|without|remove|drop|drop the|in|as|please|now|instead|one|any) )*(?:grand )?(total|totals|breakdown|grouping|groups|split)(?: only| instead| please)*$/;

/** "Just the total", "no breakdown": the figures of all groups together. */
function readTotal(reading: Reading): void {
  const said = reading.items.map((item) => item.said.toLowerCase()).join(" ");
  if (!totals.test(said) || !/total|^(no|without|remove|drop)/.test(said)) return;
  reading.draft.ungroups = true;
  use(reading, ...reading.items.keys());
}

/** "Overall": of all groups, or of all time? */
function askOverall(reading: Reading): void {
  const said = reading.items.map((item) => item.said.toLowerCase()).join(" ");
  if (!/^(?:(?:and|just|only|show|me|now) )*overall$/.test(said)) return;
  reading.draft.problems.push({
    sentence: "Do you mean all groups together, or all time?",
    options: ["just the total", "for all time"],
  });
  use(reading, ...reading.items.keys());
}

/** "With margin": beside the figures of the answer before. */
function readBeside(reading: Reading): void {
  const { items, draft } = reading;
  const [first] = items.keys();
  const isList = items.every(
    (item, at) => item.kind === "stop" || hasRole(reading, at, "with", "and") || measureAt(reading, at) !== undefined,
  );
  if (first === 0 && /^with$/i.test(items[0]?.said ?? "") && isList) draft.adds = true;
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
