import { clickhouseOptions } from "../../api/settings/clickhouse.ts";
import { sql } from "../../warehouse/statement.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { connectEmptied, newDatabaseName } from "../chdb.ts";
import { describeWarehouse } from "../contract/warehouse.ts";

const endless = sql`SELECT count() AS n FROM numbers(100000000) AS a, numbers(100000) AS b WHERE a.number % 7 = b.number % 5`;

describeWarehouse("ClickHouse", {
  open: async () => openClickhouseWarehouse({ connection: await connectEmptied() }),
  endless,
});

/** A server, where there is one: over the wire the same holds. */
const server = clickhouseOptions(process.env);
if (server !== null) {
  describeWarehouse("a ClickHouse server", {
    open: async () => openClickhouseWarehouse({ ...server, database: newDatabaseName() }),
    endless,
  });
}
