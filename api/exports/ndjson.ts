import type { Row } from "../../warehouse/warehouse.ts";
import type { ExportColumn } from "./columns.ts";
import type { RowEncoder } from "./encoder.ts";

/** One JSON object a line, as lists show it. */
export const ndjsonEncoder = (columns: readonly ExportColumn[]): RowEncoder => {
  const toLine = (row: Row) => `${JSON.stringify(Object.fromEntries(columns.map(({ name }) => [name, row[name]])))}\n`;
  return {
    begin: () => new Uint8Array(),
    add: (rows) => Buffer.from(rows.map(toLine).join("")),
    end: () => new Uint8Array(),
  };
};
