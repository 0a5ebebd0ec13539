import { duckdbDialect } from "../../../../assistant/compile/dialect-duckdb.ts";
import { describeOverview } from "../../../contract/overview.ts";
import { openEmptyWarehouse } from "../../../migrated-files.ts";

describeOverview("DuckDB", async () => ({ warehouse: await openEmptyWarehouse(), dialect: duckdbDialect }));
