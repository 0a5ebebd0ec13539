import type { Dimension, Quantity, Subject, Unit } from "./field.ts";

/**
 * Names of bins, a quantity in steps of one width: `bin:duration:30`; `bin:duration` leaves the width to the range of
 * the values. Widths have at most two decimals, so that both engines cut alike.
 */
const pattern = /^bin:([a-z][a-z_]*)(?::(\d{1,9}(?:\.\d{1,2})?))?$/;

export interface Bin {
  readonly quantity: Quantity;
  /** In the quantity's unit. */
  readonly width: number;
  /** True where the plan itself has the width. */
  readonly isSettled: boolean;
}

/** Default widths, for plans that are compiled without a look at the values. */
const usualWidths: Readonly<Record<Unit, number>> = {
  seconds: 30,
  money: 10,
  ms: 100,
  percent: 10,
  count: 1,
  number: 1,
};

export const binName = (quantity: string, width?: number): string =>
  width === undefined ? `bin:${quantity}` : `bin:${quantity}:${width}`;

export const isBin = (dimension: string): boolean => dimension.startsWith("bin:");

/** Returns undefined where the name is no bin, or the subject lacks the quantity. */
export function findBin(subject: Subject, name: string): Bin | undefined {
  const [, ofWhat, said] = pattern.exec(name) ?? [];
  const quantity = subject.quantities.find((each) => each.name === ofWhat);
  if (quantity === undefined) return undefined;
  const width = said === undefined ? usualWidths[quantity.unit] : Number(said);
  return width > 0 ? { quantity, width, isSettled: said !== undefined } : undefined;
}

/** The answer's column with the beginning of each step. */
export const binAlias = (name: string): string => `${name.split(":")[1]}_from`;

export const binDimension = (name: string, bin: Bin | undefined): Dimension | undefined =>
  bin && {
    name,
    column: bin.quantity.column,
    words: [bin.quantity.words[0]],
    definition: `Where the step begins that it falls into. ${bin.quantity.definition}`,
  };

/** About the number of steps in which a histogram shows its shape. */
const goodSteps = 20;
const clockSteps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 43_200, 86_400];
const finest: Partial<Record<Unit, number>> = { money: 0.01, percent: 0.01, number: 0.01 };

/** Returns a round width that cuts a span into about twenty steps; the default where all values are the same. */
export function roundWidth(span: number, unit: Unit): number {
  if (!(span > 0) || !Number.isFinite(span)) return usualWidths[unit];
  const wanted = span / goodSteps;
  const onClock = unit === "seconds" ? clockSteps.find((step) => step >= wanted) : undefined;
  if (onClock !== undefined) return onClock;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const round = [1, 2, 5, 10].map((step) => step * power).find((step) => step >= wanted * (1 - 1e-9)) ?? 10 * power;
  return Math.min(Math.max(Number(round.toFixed(2)), finest[unit] ?? 1), 999_999_999);
}
