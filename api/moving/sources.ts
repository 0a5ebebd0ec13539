import { pastCallsTable } from "../../warehouse/past-calls.ts";
import { readPastCalls } from "../../warehouse/read-past-calls.ts";
import { messageTables, type Place, storedMessages, storedTables } from "../../warehouse/stored-messages.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";

/** How much of a table's file is written. */
export interface Written {
  readonly rows: number;
  readonly place: Place | null;
}
interface Lines {
  readonly values: readonly string[];
  readonly place: Place | null;
}

/** What of the warehouse is carried as lines of a file. */
export interface Source {
  readonly table: string;
  /** The lines behind those that are written. */
  read(warehouse: Pick<Warehouse, "query">, written: Written): AsyncIterable<Lines>;
}

async function* pastCalls(warehouse: Pick<Warehouse, "query">, { rows: from }: Written): AsyncGenerator<Lines> {
  for await (const rows of readPastCalls(warehouse, from)) {
    yield { values: rows.map((row) => JSON.stringify(row)), place: null };
  }
}

/** Rows as the messages that made them; of calls that are hidden, which nobody may read, what they add up to. */
export const sources: readonly Source[] = [
  { table: pastCallsTable, read: pastCalls },
  ...messageTables.map((table) => ({
    table: table.spec.table,
    read: (warehouse: Pick<Warehouse, "query">, { place }: Written) => storedMessages(warehouse, table, place),
  })),
];

/** What both sides are counted by. */
export const countedTables: readonly string[] = [pastCallsTable, ...storedTables];
