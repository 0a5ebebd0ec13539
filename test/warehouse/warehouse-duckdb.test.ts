import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { describeWarehouse } from "../contract/warehouse.ts";

describeWarehouse("DuckDB", () => openDuckdbWarehouse({ path: ":memory:" }));
