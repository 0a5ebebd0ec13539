/** Money is counted in whole ten-thousandths of a dollar and leaves as a JSON number of dollars. */
const unitsPerDollar = 10_000;

/** Dollars to ten-thousandths, rounded to the nearest. */
export const toUnits = (dollars: number): number => Math.round(dollars * unitsPerDollar);

/** Ten-thousandths to dollars. */
export const toDollars = (units: number): number => units / unitsPerDollar;

/** An amount of dollars with four decimals at most. */
export const roundMoney = (dollars: number): number => toDollars(toUnits(dollars));

/** The exact difference of two amounts of dollars. */
export const subtract = (from: number, dollars: number): number => toDollars(toUnits(from) - toUnits(dollars));

/** The exact sum of two amounts of dollars. */
export const add = (one: number, other: number): number => toDollars(toUnits(one) + toUnits(other));

/** `percentage` of an amount of dollars, floored to the cent. */
export function percentOf(dollars: number, percentage: number): number {
  // Whole numbers, or binary fractions would make it a cent less or more.
  const product = BigInt(toUnits(dollars)) * BigInt(Math.round(percentage * partsPerPercent));
  return Number(product / BigInt(unitsPerDollar * partsPerPercent)) / 100;
}

/** Percentages count with six decimals. */
const partsPerPercent = 1_000_000;
