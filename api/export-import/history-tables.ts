import { pastCallsTable } from "../../warehouse/past-calls.ts";
import {
  messageTables,
  type Place,
  readPastCalls,
  storedMessages,
  storedTables,
} from "../../warehouse/stored-messages.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";

/** Progress of a table's file. */
export interface Written {
  readonly rows: number;
  readonly place: Place | null;
}
interface Lines {
  readonly values: readonly string[];
  readonly place: Place | null;
}

/** A table of the warehouse that is exported as lines of a file. */
export interface HistoryTable {
  readonly table: string;
  /** Reads the lines after those that are written. */
  read(warehouse: Pick<Warehouse, "query">, written: Written): AsyncIterable<Lines>;
}

async function* pastCalls(warehouse: Pick<Warehouse, "query">, { rows: from }: Written): AsyncGenerator<Lines> {
  for await (const rows of readPastCalls(warehouse, from)) {
    yield { values: rows.map((row) => JSON.stringify(row)), place: null };
  }
}

/** Exported tables: rows as the messages that made them, and of calls hidden by retention their daily sums. */
export const historyTables: readonly HistoryTable[] = [
  { table: pastCallsTable, read: pastCalls },
  ...messageTables.map((table) => ({
    table: table.spec.table,
    read: (warehouse: Pick<Warehouse, "query">, { place }: Written) => storedMessages(warehouse, table, place),
  })),
];

/** Tables whose rows are counted on both sides and compared. */
export const countedTables: readonly string[] = [pastCallsTable, ...storedTables];
