import { join } from "node:path";
import { onTestFinished } from "vitest";
import { clickhouseReportDialect } from "../../warehouse/calls/report-dialect-clickhouse.ts";
import { duckdbReportDialect } from "../../warehouse/calls/report-dialect-duckdb.ts";
import type { HistoryDialect } from "../../warehouse/history/dialect.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { newClickhouseUrl } from "../clickhouse-server.ts";
import { temporaryFolder } from "../temporary.ts";
import { openWarehouseAt } from "./warehouse-at.ts";

/** Where loaders under test store: for each of them a warehouse of its own on the same rows. */
export interface LoaderStore {
  /** For `openWarehouseAt`, also in another process. */
  readonly address: string;
  /** Loaders that may store at the same time: a file is one process's. */
  readonly loadersAtOnce: 1 | 2;
  readonly dialect: HistoryDialect;
  open(): Promise<Warehouse>;
  /** What readers see; of a file by the loader of this process that has it, or when no loader has. */
  read<T>(look: (warehouse: Warehouse) => Promise<T>): Promise<T>;
}

export async function openDuckdbStore(): Promise<LoaderStore> {
  const address = join(temporaryFolder(), "warehouse.duckdb");
  let opened: Warehouse | undefined;
  return {
    address,
    loadersAtOnce: 1,
    dialect: duckdbReportDialect,
    async open() {
      const warehouse = await openWarehouseAt(address);
      opened = warehouse;
      return {
        ...warehouse,
        async close() {
          opened = undefined;
          await warehouse.close();
        },
      };
    },
    async read(look) {
      if (opened !== undefined) return look(opened);
      const warehouse = await openWarehouseAt(address);
      return look(warehouse).finally(() => warehouse.close());
    },
  };
}

async function openClickhouseStore(): Promise<LoaderStore> {
  const address = await newClickhouseUrl();
  const reader = await openWarehouseAt(address);
  onTestFinished(() => reader.close());
  return {
    address,
    loadersAtOnce: 2,
    dialect: clickhouseReportDialect,
    open: () => openWarehouseAt(address),
    read: (look) => look(reader),
  };
}

export const loaderStores = [
  { engine: "DuckDB", openStore: openDuckdbStore },
  { engine: "ClickHouse", openStore: openClickhouseStore },
] as const;
