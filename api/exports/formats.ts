import type { ExportColumn } from "./columns.ts";
import { csvEncoder } from "./csv.ts";
import type { RowEncoder } from "./encoder.ts";
import { ndjsonEncoder } from "./ndjson.ts";

export const exportFormats = ["csv", "ndjson", "parquet"] as const;
export type ExportFormat = (typeof exportFormats)[number];

interface FileType {
  readonly contentType: string;
  /** Whether gzip makes it smaller. */
  readonly isText: boolean;
  encoder(columns: readonly ExportColumn[]): RowEncoder | Promise<RowEncoder>;
}

export const fileTypes: Readonly<Record<ExportFormat, FileType>> = {
  csv: { contentType: "text/csv; charset=utf-8; header=present", isText: true, encoder: csvEncoder },
  ndjson: { contentType: "application/x-ndjson", isText: true, encoder: ndjsonEncoder },
  parquet: {
    contentType: "application/vnd.apache.parquet",
    isText: false,
    // Loaded for the first who asks: a start does not wait for its fifty modules.
    encoder: async (columns) => (await import("./parquet.ts")).parquetEncoder(columns),
  },
};
