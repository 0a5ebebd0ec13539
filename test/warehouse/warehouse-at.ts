import type { GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";

/** ClickHouse for an URL whose path is a database; DuckDB for a file. */
export async function openWarehouseAt(address: string): Promise<GuardedWarehouse> {
  if (!address.startsWith("http://")) return openDuckdbWarehouse({ path: address });
  const { origin, pathname } = new URL(address);
  return openClickhouseWarehouse({ url: origin, database: pathname.slice(1) });
}
