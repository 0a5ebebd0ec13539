/** Money is counted in whole ten-thousandths of a dollar and leaves as a JSON number of dollars. */
const unitsPerDollar = 10_000;

/** Dollars to ten-thousandths, rounded to the nearest. */
const toUnits = (dollars: number): number => Math.round(dollars * unitsPerDollar);

/** The exact difference of two amounts of dollars. */
export const subtract = (from: number, dollars: number): number => (toUnits(from) - toUnits(dollars)) / unitsPerDollar;

/** `percentage` of an amount of dollars, floored to the cent (semantics 8.11). */
export const percentOf = (dollars: number, percentage: number): number =>
  // 12 digits shave off what binary fractions add: 0.1 * 3 must not become a cent less or more.
  Math.floor(Number(((toUnits(dollars) * percentage) / unitsPerDollar).toPrecision(12))) / 100;
