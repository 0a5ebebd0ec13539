import type { GuardedWarehouse } from "./guarded/guarded.ts";
import { type Warehouse, WarehouseError } from "./warehouse.ts";

const refuse = (): Promise<never> =>
  Promise.reject(new WarehouseError("disabled", "Analytics are turned off in this installation."));

/** In the place of a warehouse where an installation keeps none. */
export const disabledWarehouse: GuardedWarehouse = {
  store: refuse,
  position: refuse,
  takePast: refuse,
  query: refuse,
  guarded: { engine: "DuckDB", select: refuse },
  close: async () => undefined,
};

/** A warehouse that never had anything: what is known of the past then is what the log still has. */
export const nothingStored: Warehouse = {
  ...disabledWarehouse,
  position: async () => 0,
  query: async () => ({ columns: [], rows: [], truncated: false }),
};
