import { stringify } from "csv-stringify/sync";
import { disarm } from "../../assistant/spreadsheet-text.ts";
import type { Row, Value } from "../../warehouse/warehouse.ts";
import type { ExportColumn, RowEncoder } from "./columns.ts";

/** Text is disarmed, so that no spreadsheet takes it for a formula; numbers need no such care. */
const toCell = (value: Value | undefined): string => {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return disarm(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};

/** Quotes lone line breaks, too, as RFC 4180 requires: by default the library quotes record delimiters only. */
function toBytes(records: readonly (readonly string[])[]): Uint8Array {
  // An empty line would not be a record of one empty cell.
  const quoted_match = records[0]?.length === 1 ? /[\r\n]|^$/ : /[\r\n]/;
  return Buffer.from(stringify([...records], { record_delimiter: "windows", quoted_match }));
}

/** RFC 4180 with a header line; null is empty, objects and arrays are JSON. */
export const csvEncoder = (columns: readonly ExportColumn[]): RowEncoder => ({
  begin: () => toBytes([columns.map(({ name }) => disarm(name))]),
  add: (rows: readonly Row[]) => toBytes(rows.map((row) => columns.map(({ name }) => toCell(row[name])))),
  end: () => new Uint8Array(),
});

/** One JSON object a line, as in lists. */
const ndjsonEncoder = (columns: readonly ExportColumn[]): RowEncoder => {
  const toLine = (row: Row) => `${JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, row[name]])))}\n`;
  return {
    begin: () => new Uint8Array(),
    add: (rows) => Buffer.from(rows.map(toLine).join("")),
    end: () => new Uint8Array(),
  };
};

export const exportFormats = ["csv", "ndjson", "parquet"] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface FileType {
  readonly contentType: string;
  /** Text is sent compressed by gzip. */
  readonly isText: boolean;
  encoder(columns: readonly ExportColumn[]): RowEncoder | Promise<RowEncoder>;
}

export const fileTypes: Readonly<Record<ExportFormat, FileType>> = {
  csv: { contentType: "text/csv; charset=utf-8; header=present", isText: true, encoder: csvEncoder },
  ndjson: { contentType: "application/x-ndjson", isText: true, encoder: ndjsonEncoder },
  parquet: {
    contentType: "application/vnd.apache.parquet",
    isText: false,
    // Imported at the first use: its fifty modules would slow the start.
    encoder: async (columns) => (await import("./parquet.ts")).parquetEncoder(columns),
  },
};
