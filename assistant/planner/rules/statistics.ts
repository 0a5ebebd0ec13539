import { findMeasure, findQuantity, measureOf } from "../../catalog/catalog.ts";
import { addsUp, readAverageOfTotal, readAverageOverTime } from "./average-over-time.ts";
import { readLength, readOfSingle } from "./longest.ts";
import { named, quantityAt } from "./named-statistic.ts";
import { readOfCounted, readOfEach, readPerSuch } from "./of-such.ts";
import { addMeasure, after, hasRole, indexesOf, measureAt, type Reading, senseAs, senses, use } from "./reading.ts";

/** "median revenue", "90th percentile of call duration", "average calls per day". */
export function readStatistics(reading: Reading): void {
  reading.items.forEach((_, index) => {
    const statistic = senseAs(reading, index, "statistic")?.statistic;
    if (statistic === undefined) return;
    const near = behindStatistics(reading, index);
    // "average postback latency": the kind of record stands before what is measured of it.
    const isNoun = senseAs(reading, near, "subject") !== undefined && senseAs(reading, near, "measure") === undefined;
    const target =
      isNoun && measureAt(reading, after(reading, near)) !== undefined && statistic !== "sum" && !isPer(reading, near)
        ? after(reading, near)
        : near;
    if (statistic === "avg" && readAverageOverTime(reading, index, target)) return;
    if (readBehind(reading, index, statistic) || readBesideEnd(reading, index, statistic)) return;
    const quantity =
      readOfCounted(reading, target) ??
      quantityAt(reading, target) ??
      (statistic === "avg" ? undefined : readOfEach(reading, target));
    const measure = measureAt(reading, target);
    if (quantity !== undefined) {
      addMeasure(reading, named(reading, statistic, quantity));
      reading.draft.statistics.set(target, named(reading, statistic, quantity));
      readPerSuch(reading, target);
      readAlsoOf(reading, { target, statistic });
      // Of several statistics the last one takes what they are of.
      use(reading, index, ...(isJoined(reading, index) ? [] : [target]));
    } else if (statistic === "avg" && measure !== undefined && !addsUp(measureOf(reading.subject, measure)))
      // A rate is an average already.
      use(reading, index);
  });
  for (const index of reading.items.keys()) readAverageOfTotal(reading, index);
  reading.items.forEach((_, index) => {
    const { aggregate } = findMeasure(reading.subject, senseAs(reading, index, "measure")?.name ?? "") ?? {};
    if (aggregate?.kind === "average") readAlsoOf(reading, { target: index, statistic: "avg" });
    if (aggregate?.kind === "average" || aggregate?.kind === "quantile") readPerSuch(reading, index);
  });
  readOfSingle(reading);
  for (const index of indexesOf(reading, "longest", "shortest")) readLength(reading, index);
}

/** "Median and p95 of the response time": both are of what stands behind the last of them. */
function behindStatistics(reading: Reading, index: number): number {
  const near = after(reading, index, "of", "all");
  if (!isJoined(reading, index)) return near;
  use(reading, near);
  return behindStatistics(reading, after(reading, near, "and"));
}

function isJoined(reading: Reading, index: number): boolean {
  const near = after(reading, index, "of", "all");
  return hasRole(reading, near, "and") && senseAs(reading, after(reading, near, "and"), "statistic") !== undefined;
}

/** "Average talk time and wait": of both. */
function readAlsoOf(
  reading: Reading,
  { target, statistic }: { readonly target: number; readonly statistic: string },
): void {
  const joint = after(reading, target);
  const at = after(reading, joint);
  const quantity = senses(reading, at).every(({ kind }) => kind === "quantity") ? quantityAt(reading, at) : undefined;
  if (!hasRole(reading, joint, "and") || quantity === undefined) return;
  const own = senseAs(reading, target, "measure")?.name;
  // Where a statistic stands before it, it is shown already.
  if (own !== undefined && findQuantity(reading.subject, own) === undefined) addMeasure(reading, own);
  addMeasure(reading, named(reading, statistic, quantity));
  use(reading, joint, at);
}

/** "Average and highest bid": of what the other one is of. */
function readBesideEnd(reading: Reading, index: number, statistic: string): boolean {
  const joint = after(reading, index);
  let at = after(reading, joint);
  // "Min, average and max".
  while (hasRole(reading, at, "and") || senseAs(reading, at, "statistic") !== undefined) at = after(reading, at);
  const { aggregate } = findMeasure(reading.subject, senseAs(reading, at, "measure")?.name ?? "") ?? {};
  if (!hasRole(reading, joint, "and") || aggregate === undefined || !("column" in aggregate)) return false;
  const isOfRows = ["highest", "lowest", "average", "quantile"].includes(aggregate.kind);
  const quantity = reading.subject.quantities.find(({ column }) => column === aggregate.column);
  if (!isOfRows || quantity === undefined) return false;
  addMeasure(reading, named(reading, statistic, quantity.name));
  use(reading, index, joint);
  return true;
}

/** "Bid latency p95 by buyer": said behind what it is of. */
function readBehind(reading: Reading, index: number, statistic: string): boolean {
  if (!/^(p\d+|median)$/.test(statistic)) return false;
  const { subject } = reading;
  const { aggregate } = findMeasure(subject, senseAs(reading, index - 1, "measure")?.name ?? "") ?? {};
  const ofMean = aggregate?.kind === "average" ? aggregate.column : undefined;
  const quantity =
    senseAs(reading, index - 1, "quantity")?.name ?? subject.quantities.find(({ column }) => column === ofMean)?.name;
  const next = after(reading, index, "of", "all");
  if (quantity === undefined || quantityAt(reading, next) !== undefined || measureAt(reading, next) !== undefined)
    return false;
  addMeasure(reading, named(reading, statistic, quantity));
  use(reading, index - 1, index);
  return true;
}

const isPer = (reading: Reading, index: number): boolean => hasRole(reading, after(reading, index), "by");
