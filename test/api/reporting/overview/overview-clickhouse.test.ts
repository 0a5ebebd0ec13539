// @module-tag clickhouse
import { clickhouseDialect } from "../../../../assistant/compile/dialect-clickhouse.ts";
import { openClickhouseWarehouse } from "../../../../warehouse/warehouse-clickhouse.ts";
import { clickhouseDatabase } from "../../../clickhouse-server.ts";
import { describeOverview } from "../../../contract/overview.ts";

describeOverview("ClickHouse", async () => ({
  warehouse: openClickhouseWarehouse(await clickhouseDatabase()),
  dialect: clickhouseDialect,
}));
