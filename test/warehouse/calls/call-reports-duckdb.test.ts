import { duckdbReportDialect } from "../../../warehouse/calls/report-dialect-duckdb.ts";
import { openDuckdbWarehouse } from "../../../warehouse/warehouse-duckdb.ts";
import { describeCallLog } from "../../contract/call-reports.ts";
import { describeCallSummary } from "../../contract/call-summary.ts";

const open = async () => ({ warehouse: await openDuckdbWarehouse({ path: ":memory:" }), dialect: duckdbReportDialect });

describeCallLog("DuckDB", open);
describeCallSummary("DuckDB", open);
