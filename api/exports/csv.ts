import { stringify } from "csv-stringify/sync";
import type { Row, Value } from "../../warehouse/warehouse.ts";
import type { ExportColumn } from "./columns.ts";
import type { RowEncoder } from "./encoder.ts";

/**
 * What a spreadsheet would run as a formula: its first sign, in either width, or a sign that it cuts away before it looks.
 * A number with its sign, such as a phone number of E.164, is none: it stays as it is for whoever reads it by machine.
 */
const isFormula = (text: string): boolean => /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^[+-]?\d+(?:\.\d+)?$/.test(text);

/** Such a cell begins with an apostrophe, which a spreadsheet takes for "text" and does not show. */
const disarm = (text: string): string => (isFormula(text) ? `'${text}` : text);

const toCell = (value: Value | undefined): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return disarm(value);
  return disarm(typeof value === "object" ? JSON.stringify(value) : String(value));
};

const toBytes = (records: readonly (readonly string[])[]): Uint8Array =>
  Buffer.from(stringify([...records], { record_delimiter: "windows" }));

/** RFC 4180 with a line of names; what is null is empty, what has parts is JSON. */
export const csvEncoder = (columns: readonly ExportColumn[]): RowEncoder => ({
  begin: () => toBytes([columns.map(({ name }) => name)]),
  add: (rows: readonly Row[]) => toBytes(rows.map((row) => columns.map(({ name }) => toCell(row[name])))),
  end: () => new Uint8Array(),
});
