import { z } from "zod";
import type { OrgId } from "../../ingest/primitives.ts";
import { exportRows, findRowKey } from "../../warehouse/history/export-rows.ts";
import type { HistoryList, HistoryStore } from "../../warehouse/history/list.ts";
import type { Row } from "../../warehouse/warehouse.ts";
import { refuseQuery } from "../serve/cursor-pages.ts";
import { ApiError } from "../serve/errors.ts";
import type { StreamAnswer } from "../serve/send-stream.ts";
import type { ExportColumn } from "./columns.ts";
import { type ExportFormat, exportFormats, fileTypes } from "./formats.ts";

const fromText = (text: unknown) => (typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text);

/** The query parameters of every export. */
export const exportShape = {
  format: z.enum(exportFormats).default("csv"),
  after: z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      "The id of a row: the export goes on behind it. To resume one that broke off, that of its last whole row.",
    ),
  limit: z
    .preprocess(fromText, z.int().min(1).max(100_000_000).optional())
    .describe("Rows at the most; all unless given."),
  columns: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe("Names of the columns of the file by commas, in their order; all unless given."),
};

export interface Exporting {
  readonly store: HistoryStore;
  readonly list: HistoryList;
  readonly columns: readonly ExportColumn[];
  toRow(row: Row): Row;
  /** The file's name without its extension. */
  readonly name: string;
}
interface ExportQuery {
  readonly format: ExportFormat;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly columns?: string | undefined;
}

/** The columns of the names, in their order; throws 422 for a name that no column has and one that is given twice. */
function chosenColumns(columns: readonly ExportColumn[], names: string): readonly ExportColumn[] {
  const wanted = names.split(",").map((name) => name.trim());
  return wanted.map((name, index) => {
    const found = columns.find((column) => column.name === name);
    if (found === undefined) throw refuseQuery("columns", `${JSON.stringify(name)} is no column of this export.`);
    if (wanted.indexOf(name) !== index) throw refuseQuery("columns", `${JSON.stringify(name)} is given twice.`);
    return found;
  });
}

/** Concurrent exports of one organization in one process: each holds rows and queries the warehouse repeatedly. */
const maxConcurrent = 4;

/** Creates the exports of a platform, limited for each organization. */
export function createExports() {
  const { enter, leave } = createConcurrencyLimit();

  async function* counted(orgId: OrgId, parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    enter(orgId);
    try {
      yield* parts;
    } finally {
      leave(orgId);
    }
  }

  return {
    /** Exports all rows of a list as a file; throws 422 if `after` is not the id of a row, or for a wrong column. */
    async toExport(exporting: Exporting, { format, after, limit, columns }: ExportQuery): Promise<StreamAnswer> {
      const { store, list, name } = exporting;
      const chosen = columns === undefined ? exporting.columns : chosenColumns(exporting.columns, columns);
      const key = after === undefined ? null : await findRowKey(store, list, after);
      if (after !== undefined && key === null) throw refuseQuery("after", "is the id of no row of yours");
      const { contentType, isText } = fileTypes[format];
      const pages = exportRows(store, list, { after: key, limit: limit ?? null });
      return {
        contentType,
        isText,
        fileName: `${name}.${format}`,
        body: counted(list.orgId, encode({ ...exporting, columns: chosen }, format, pages)),
      };
    },
  };
}
export type Exports = ReturnType<typeof createExports>;

async function* encode(
  { columns, toRow }: Exporting,
  format: ExportFormat,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = await fileTypes[format].encoder(columns);
  let hasBegun = false;
  for await (const rows of pages) {
    // The first rows are read before the first bytes are sent, so that a store's failure is answered as an error.
    if (!hasBegun) yield encoder.begin();
    hasBegun = true;
    yield encoder.add(rows.map(toRow));
  }
  if (!hasBegun) yield encoder.begin();
  yield encoder.end();
}

function createConcurrencyLimit() {
  const running = new Map<OrgId, number>();
  return {
    enter(orgId: OrgId): void {
      const others = running.get(orgId) ?? 0;
      if (others >= maxConcurrent) {
        const message = `${maxConcurrent} exports of your organization are running: wait until one of them is done.`;
        throw new ApiError(429, "too_many_exports", message, { headers: { "Retry-After": "10" } });
      }
      running.set(orgId, others + 1);
    },
    leave(orgId: OrgId): void {
      const others = (running.get(orgId) ?? 1) - 1;
      if (others > 0) running.set(orgId, others);
      else running.delete(orgId);
    },
  };
}
