import { duckdbReportDialect } from "../../../warehouse/calls/report-dialect-duckdb.ts";
import { describeCallLog } from "../../contract/call-reports.ts";
import { describeCallSummary } from "../../contract/call-summary.ts";
import { openEmptyWarehouse } from "../../migrated-files.ts";

const open = async () => ({ warehouse: await openEmptyWarehouse(), dialect: duckdbReportDialect });

describeCallLog("DuckDB", open);
describeCallSummary("DuckDB", open);
