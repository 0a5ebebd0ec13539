import type { Row } from "../../warehouse/warehouse.ts";
import type { ExportColumn } from "./columns.ts";
import { csvEncoder } from "./csv.ts";
import { ndjsonEncoder } from "./ndjson.ts";
import { parquetEncoder } from "./parquet.ts";

/** Makes rows the bytes of a file, some at a time. */
export interface RowEncoder {
  /** What the file begins with. */
  begin(): Uint8Array;
  /** Of these rows, or of those before; nothing where more are waited for. */
  add(rows: readonly Row[]): Uint8Array;
  /** What is left. */
  end(): Uint8Array;
}

export const exportFormats = ["csv", "ndjson", "parquet"] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface FileType {
  readonly contentType: string;
  /** Whether gzip makes it smaller. */
  readonly isText: boolean;
  encoder(columns: readonly ExportColumn[]): RowEncoder;
}

export const fileTypes: Readonly<Record<ExportFormat, FileType>> = {
  csv: { contentType: "text/csv; charset=utf-8; header=present", isText: true, encoder: csvEncoder },
  ndjson: { contentType: "application/x-ndjson", isText: true, encoder: ndjsonEncoder },
  parquet: { contentType: "application/vnd.apache.parquet", isText: false, encoder: parquetEncoder },
};
