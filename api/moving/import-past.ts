import { type PastCalls, pastCallsSchema, pastCallsTable } from "../../warehouse/past-calls.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { readGzipLines } from "./gzip-lines.ts";
import { historyFile, type Manifest } from "./manifest.ts";

interface PastOptions {
  readonly warehouse: Pick<Warehouse, "takePast">;
  readonly folder: string;
  readonly signal?: AbortSignal;
}

const sumsAtOnce = 5000;

/** Before calls come in, so that nothing adds up their days. All anew each time: what is there stays, and it is little. */
export async function importPast({ warehouse, folder, signal }: PastOptions, { files }: Manifest): Promise<void> {
  let sums: PastCalls[] = [];
  const take = async () => {
    await warehouse.takePast(sums);
    sums = [];
    signal?.throwIfAborted();
  };
  for await (const line of readGzipLines(historyFile(folder, pastCallsTable), files[pastCallsTable]?.bytes ?? 0)) {
    if (sums.push(pastCallsSchema.parse(JSON.parse(line))) === sumsAtOnce) await take();
  }
  if (sums.length > 0) await take();
}
