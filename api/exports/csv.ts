import { stringify } from "csv-stringify/sync";
import { disarm } from "../../assistant/spreadsheet-text.ts";
import type { Row, Value } from "../../warehouse/warehouse.ts";
import type { ExportColumn } from "./columns.ts";
import type { RowEncoder } from "./encoder.ts";

/** A number is ours, and none of its signs begins a formula. */
const toCell = (value: Value | undefined): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return disarm(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** With what RFC 4180 has quoted, a lone line break too: by itself the library quotes none but the delimiter of records. */
function toBytes(records: readonly (readonly string[])[]): Uint8Array {
  // An empty line would be no record of one empty cell.
  const quoted_match = records[0]?.length === 1 ? /[\r\n]|^$/ : /[\r\n]/;
  return Buffer.from(stringify([...records], { record_delimiter: "windows", quoted_match }));
}

/** RFC 4180 with a line of names; what is null is empty, what has parts is JSON. */
export const csvEncoder = (columns: readonly ExportColumn[]): RowEncoder => ({
  begin: () => toBytes([columns.map(({ name }) => disarm(name))]),
  add: (rows: readonly Row[]) => toBytes(rows.map((row) => columns.map(({ name }) => toCell(row[name])))),
  end: () => new Uint8Array(),
});
