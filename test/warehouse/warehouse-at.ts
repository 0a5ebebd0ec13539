import type { GuardedWarehouse } from "../../warehouse/guarded/guarded.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { optionsAt } from "../clickhouse-server.ts";

/** ClickHouse for an URL whose path is a database; DuckDB for a file. */
export async function openWarehouseAt(address: string): Promise<GuardedWarehouse> {
  if (!address.startsWith("http://")) return openDuckdbWarehouse({ path: address });
  return openClickhouseWarehouse(optionsAt(address));
}
