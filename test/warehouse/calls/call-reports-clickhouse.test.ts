import { clickhouseReportDialect } from "../../../warehouse/calls/report-dialect-clickhouse.ts";
import { openClickhouseWarehouse } from "../../../warehouse/warehouse-clickhouse.ts";
import { connectChdb } from "../../chdb.ts";
import { describeCallLog } from "../../contract/call-reports.ts";
import { describeCallSummary } from "../../contract/call-summary.ts";

const open = async () => ({
  warehouse: openClickhouseWarehouse({ connection: await connectChdb() }),
  dialect: clickhouseReportDialect,
});

describeCallLog("ClickHouse", open);
describeCallSummary("ClickHouse", open);
