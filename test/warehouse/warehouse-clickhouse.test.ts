// @module-tag clickhouse
import { sql } from "../../warehouse/statement.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { emptiedDatabase } from "../clickhouse-server.ts";
import { describeWarehouse } from "../contract/warehouse.ts";

const endless = sql`SELECT count() AS n FROM numbers(100000000) AS a, numbers(100000) AS b WHERE a.number % 7 = b.number % 5`;

describeWarehouse("ClickHouse", {
  open: async () => openClickhouseWarehouse(await emptiedDatabase()),
  endless,
});
