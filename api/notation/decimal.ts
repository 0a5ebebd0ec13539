/** The decimal number that a text is, NaN for anything else: an empty text is not 0, nor `0x1F` 31. */
export function toDecimal(text: string): number {
  const number = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}
