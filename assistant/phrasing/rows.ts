import type { Row } from "../../warehouse/warehouse.ts";
import { findBin } from "../catalog/bins.ts";
import { dimensionAlias, measureOf, movingName, runningName, shareName } from "../catalog/catalog.ts";
import type { Measure, Subject } from "../catalog/field.ts";
import { isGrain, isRecurring, type Plan } from "../plan.ts";
import { nameBucket } from "./dates.ts";
import { listOf, toFigure, toName, toWidth } from "./figure.ts";

export interface Told {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly rows: readonly Row[];
  readonly truncated: boolean;
}

/** The name of a row's group: "Acme", "Oct 1, Acme", "from 30 s to 1 min". */
export function nameOf({ plan, subject }: Told, row: Row): string {
  const keys = [...(plan.grain === null ? [] : [plan.grain]), ...plan.dimensions];
  return keys
    .map((key) => {
      if (isGrain(key) && !isRecurring(key)) return nameBucket(key, row[key], plan);
      const [bin, value] = [findBin(subject, key), row[dimensionAlias(key)]];
      if (bin === undefined || typeof value !== "number") return toName(value, key);
      const { unit } = bin.quantity;
      return `from ${toWidth(value, unit)} to ${toWidth(value + bin.width, unit)}`;
    })
    .join(", ");
}

/** A row's figure: "12"; "12 against 10" with a compared period; "12 (34%)" with its share. */
export function figureOf({ plan, subject }: Told, row: Row, name: string): string {
  const { unit } = measureOf(subject, name);
  const figure = toFigure(row[name], unit);
  if (plan.compare !== null) return `${figure} against ${toFigure(row[`${name}_before`], unit)}`;
  if (plan.running === "total") return toFigure(row[runningName(name)], unit);
  if (plan.running === "average") return toFigure(row[movingName(name)], unit);
  if (plan.running === "change") return `${figure}${changeOf(row, name)}`;
  const isPart = plan.share || plan.portion.length > 0;
  return isPart ? `${figure} (${toFigure(row[shareName(name)], "percent")})` : figure;
}

/** " (+12%)"; empty where the compared period has no figure. */
export function changeOf(row: Row, name: string): string {
  const change = row[`${name}_change`];
  return typeof change === "number" ? ` (${change >= 0 ? "+" : ""}${toFigure(change, "percent")})` : "";
}

const addsUp = ({ aggregate }: Measure): boolean => aggregate.kind === "count" || aggregate.kind === "sum";

export function totals({ plan, subject, rows, truncated }: Told): string {
  const measures = plan.measures.map((name) => measureOf(subject, name)).filter(addsUp);
  const isOther = plan.portion.length > 0 || plan.running !== null || plan.average_per !== null;
  if (measures.length === 0 || rows.length < 2 || truncated || isOther) return "";
  if (plan.limit !== null || plan.having.length > 0) return "";
  return `; in all ${listOf(measures.map((measure) => toFigure(sumOf(rows, measure.name), measure.unit)))}`;
}
const sumOf = (rows: readonly Row[], name: string): number =>
  rows.reduce((sum, row) => sum + (typeof row[name] === "number" ? row[name] : 0), 0);
