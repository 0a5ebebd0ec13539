const plain = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });
const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Formats a duration: under a minute to the hundredth of a second, under an hour to the second, else to the minute. */
function writeLength(seconds: number): string {
  const sign = seconds < 0 ? "-" : "";
  const whole = Math.round(Math.abs(seconds));
  if (whole < 60) return `${plain.format(seconds)} s`;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return `${sign}${plain.format(hours)} h${minutes > 0 ? ` ${minutes} min` : ""}`;
  return `${sign}${minutes} min${rest > 0 ? ` ${rest} s` : ""}`;
}

/**
 * Formats a figure by its unit, in an answer's sentence and in its table alike: the page imports this file, so
 * it imports nothing.
 */
export const writeFigure = {
  count: (value: number) => plain.format(value),
  number: (value: number) => plain.format(value),
  money: (value: number) => money.format(value),
  seconds: writeLength,
  /** A percentage, on the scale of 0 to 100. */
  percent: (value: number) => `${plain.format(value)}%`,
  ms: (value: number) => (Math.abs(value) < 1000 ? `${plain.format(value)} ms` : writeLength(value / 1000)),
} as const;
