// @module-tag clickhouse
import { clickhouseReportDialect } from "../../../warehouse/calls/report-dialect-clickhouse.ts";
import { openClickhouseWarehouse } from "../../../warehouse/warehouse-clickhouse.ts";
import { clickhouseDatabase } from "../../clickhouse-server.ts";
import { describeCallLog } from "../../contract/call-reports.ts";
import { describeCallSummary } from "../../contract/call-summary.ts";

const open = async () => ({
  warehouse: openClickhouseWarehouse(await clickhouseDatabase()),
  dialect: clickhouseReportDialect,
});

describeCallLog("ClickHouse", open);
describeCallSummary("ClickHouse", open);
