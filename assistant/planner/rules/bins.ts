import { binName } from "../../catalog/bins.ts";
import { findMeasure, findQuantity } from "../../catalog/catalog.ts";
import type { Aggregate } from "../../catalog/field.ts";
import {
  addDimension,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  type Reading,
  senseAs,
  senses,
  use,
} from "./reading.ts";

/** "distribution of call duration", "how are call lengths distributed", "calls by duration in buckets of 30 seconds". */
export function readBins(reading: Reading): void {
  const [spread = -1] = indexesOf(reading, "spread");
  const [steps = -1] = indexesOf(reading, "steps");
  if (spread < 0 && steps < 0) return;
  const found = steps < 0 ? spreadOf(reading, spread) : steppedBy(reading, steps);
  if (found === undefined) return;
  const width = steps < 0 ? undefined : widthAt(reading, steps, found);
  if (width === null) return;
  addDimension(reading, binName(found.quantity, width?.value));
  // "distribution of": how many there are of each.
  if (spread >= 0) addMeasure(reading, reading.subject.defaultMeasure);
  use(reading, ...[spread, steps].filter((index) => index >= 0), found.at, ...(width?.used ?? []));
}

interface Found {
  readonly at: number;
  readonly quantity: string;
  readonly unit: string;
}

function quantityAt(reading: Reading, at: number): Found | undefined {
  const { subject } = reading;
  const measure = findMeasure(subject, senseAs(reading, at, "measure")?.name ?? "");
  const column = measure && columnOf(measure.aggregate);
  const found =
    findQuantity(subject, senseAs(reading, at, "quantity")?.name ?? measure?.name ?? "") ??
    subject.quantities.find((each) => each.column === column);
  return found && { at, quantity: found.name, unit: found.unit };
}

/** Of "revenue per call" the revenue of a call. */
function columnOf(aggregate: Aggregate): string | undefined {
  if (aggregate.kind === "ratio") return columnOf(aggregate.part);
  return aggregate.kind === "average" || aggregate.kind === "sum" ? aggregate.column : undefined;
}

/** Behind "distribution of", behind the "by" of "distribution of calls by duration", or before "distributed". */
function spreadOf(reading: Reading, spread: number): Found | undefined {
  const next = after(reading, spread, "of", "all");
  const behind = quantityAt(reading, next);
  if (behind !== undefined) return isShareOfGroups(reading, next) ? undefined : behind;
  const [by = -1] = indexesOf(reading, "by").filter((index) => index > spread);
  const grouped = by < 0 ? undefined : quantityAt(reading, after(reading, by, "all"));
  return grouped ?? quantityAt(reading, before(reading, spread, "verb"));
}

/** "Distribution of revenue by campaign": the parts that campaigns have in it. */
function isShareOfGroups(reading: Reading, at: number): boolean {
  const kind = findMeasure(reading.subject, senseAs(reading, at, "measure")?.name ?? "")?.aggregate.kind;
  const isTotal = kind === "sum" || kind === "count";
  return (
    isTotal &&
    reading.items.some((_, index) =>
      senses(reading, index).some((each) => each.kind === "dimension" || each.kind === "grain"),
    )
  );
}

/** The figure nearest before the steps, or the one behind them: "duration buckets", "30 second bins of talk time". */
function steppedBy(reading: Reading, steps: number): Found | undefined {
  for (let at = steps - 1; at >= 0; at--) {
    const found = quantityAt(reading, at);
    if (found !== undefined) return found;
  }
  return quantityAt(reading, after(reading, steps, "of"));
}

interface Width {
  readonly value: number;
  readonly used: readonly number[];
}

/** "of 30 seconds" behind, "30 second" before, also before the figure; undefined where none is said, null where it does not fit the figure. */
function widthAt(reading: Reading, steps: number, { at: figure, unit }: Found): Width | undefined | null {
  const near = [after(reading, steps, "of"), steps - 1, figure - 1];
  for (const at of near) {
    const item = reading.items[at];
    if (item?.kind !== "number") continue;
    const fits = (item.unit === null || item.unit === unit) && item.value > 0 && item.value < 1e9;
    const value = Number(item.value.toFixed(2));
    const between = Array.from({ length: Math.max(0, at - steps - 1) }, (_, step) => steps + 1 + step);
    const joints = between.filter((index) => hasRole(reading, index, "of"));
    return fits && value === item.value ? { value, used: [at, ...joints] } : null;
  }
  return undefined;
}
