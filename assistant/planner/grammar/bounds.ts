import { findQuantity, measureOf } from "../../catalog/catalog.ts";
import type { FilterOp } from "../../plan.ts";
import type { Bound, Piece } from "./piece.ts";
import type { Setting } from "./production.ts";

const bounded = (...bounds: readonly Bound[]): Piece => ({ word: { bounds } });
const boundOf = (op: FilterOp, { word }: Piece): Bound => ({ op, value: word?.number ?? 0, unit: word?.unit ?? null });

/** "Over 5 minutes". */
export const amount = (op: FilterOp, number: Piece): Piece => bounded(boundOf(op, number));

/** "Between 2 and 5 minutes": the first number borrows the unit of the second. */
export function between(low: Piece, high: Piece): Piece | undefined {
  const [from, to] = [boundOf("at_least", low), boundOf("at_most", high)];
  const scale = from.unit === null && to.unit === "seconds" ? secondsOf(high.word?.said ?? "") : 1;
  const start = { ...from, value: from.value * scale, unit: from.unit ?? to.unit };
  return start.value > to.value ? undefined : bounded(start, to);
}

const secondsOf = (said: string): number => (/h(ou)?rs?$/.test(said) ? 3600 : /m|min(ute)?s?$/.test(said) ? 60 : 1);

/** A condition on a number of each record: on the one that is named, else on its length. */
export function ofRecords({ subject }: Setting, { word }: Piece, amounts: Piece): Piece | undefined {
  const bounds = amounts.word?.bounds ?? [];
  const quantity = findQuantity(subject, word?.quantity ?? subject.length ?? "");
  const isNamed = word?.quantity !== undefined;
  if (quantity === undefined || bounds.some(({ unit }) => unit === null && !isNamed)) return undefined;
  const filters = bounds.map(({ op, value, unit }) => ({
    field: quantity.name,
    op,
    values: [scaled(value, unit, quantity.unit)],
  }));
  return filters.every(({ values }) => !Number.isNaN(values[0])) ? { filters } : undefined;
}

/** A condition on the figure of each group, which is shown, too. */
export function ofGroups({ subject }: Setting, { measures: [name] = [] }: Piece, amounts: Piece): Piece | undefined {
  if (name === undefined) return undefined;
  const measure = measureOf(subject, name);
  const having = (amounts.word?.bounds ?? []).map(({ op, value, unit }) => ({
    field: name,
    op,
    values: [scaled(value, unit, measure.unit)],
  }));
  return having.every(({ values }) => !Number.isNaN(values[0])) ? { measures: [name], having } : undefined;
}

/** NaN where the number was said in a unit that is not the field's. */
function scaled(value: number, said: string | null, expected: string): number {
  if (said === null || said === expected) return value;
  return said === "seconds" && expected === "ms" ? value * 1000 : Number.NaN;
}

/** From the one hour to the other, over midnight where the later comes first. */
export function ofHours({ from, to }: { readonly from?: Piece; readonly to?: Piece }): Piece | undefined {
  const [first, last] = [from?.word?.hour, to?.word?.hour];
  const hours = (op: FilterOp, ...values: readonly number[]) => ({ field: "hour_of_day", op, values: [...values] });
  if (first !== undefined && last !== undefined && first > last) {
    const around = Array.from({ length: 24 - first + last }, (_, step) => (first + step) % 24);
    return { filters: [hours("is", ...around)] };
  }
  // Every hour is before midnight.
  if (first === last || last === 0) return undefined;
  return {
    filters: [
      ...(first === undefined ? [] : [hours("at_least", first)]),
      ...(last === undefined ? [] : [hours("less_than", last)]),
    ],
  };
}
