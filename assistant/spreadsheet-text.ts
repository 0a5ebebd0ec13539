/**
 * The first character by which spreadsheets run a line as a formula, half or full width, or a tab, which they strip
 * first.
 */
const formulaStart = /^[=+\-@\t＝＋－＠]/;
/** A number with its sign, such as a phone number in E.164, which stays unchanged for programs that read the file. */
const signedNumber = /^[+-]?\d[\d.,]*$/;

const disarmLine = (line: string): string => (formulaStart.test(line) && !signedNumber.test(line) ? `'${line}` : line);

/**
 * Makes untrusted text safe as a cell of a spreadsheet. Each line that would be run as a formula gets an apostrophe,
 * which marks text and is not shown; so does a cell that begins with a line break: readers that ignore
 * quotes take the rest for a cell of its own.
 */
export function disarm(text: string): string {
  const lines = text.replace(/[^\r\n]+/g, disarmLine);
  return /^[\r\n]/.test(lines) ? `'${lines}` : lines;
}
