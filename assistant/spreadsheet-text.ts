/** What makes a spreadsheet run a line as a formula: its first sign, in either width, or a tab that it cuts away before it looks. */
const formulaStart = /^[=+\-@\t＝＋－＠]/;
/** A number with its sign, such as a phone number of E.164: it stays as it is for whoever reads it by machine. */
const signedNumber = /^[+-]?\d[\d.,]*$/;

const disarmLine = (line: string): string => (formulaStart.test(line) && !signedNumber.test(line) ? `'${line}` : line);

/**
 * Text of others as a cell for spreadsheets. Each of its lines that would be run as a formula begins with an apostrophe,
 * which they take for "text" and do not show; so does a cell that begins with a line break: readers that do not heed
 * quotes take what stands behind one for a cell of its own.
 */
export function disarm(text: string): string {
  const lines = text.replace(/[^\r\n]+/g, disarmLine);
  return /^[\r\n]/.test(lines) ? `'${lines}` : lines;
}
