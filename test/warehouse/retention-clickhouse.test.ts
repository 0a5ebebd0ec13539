import { expect, vi } from "vitest";
import { clickhouseDialect } from "../../assistant/compile/dialect-clickhouse.ts";
import { clickhouseReportDialect } from "../../warehouse/calls/report-dialect-clickhouse.ts";
import { raw } from "../../warehouse/statement.ts";
import { allTables, storedIn } from "../../warehouse/tables.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { connectChdb, newDatabaseName } from "../chdb.ts";
import { describeRetention } from "../contract/retention.ts";

const tables = [
  ...allTables.map(({ table, time }) => ({ name: storedIn(table), at: time })),
  { name: "loader_counts", at: "toDateTime(slot * if(unit = 'day', 86400, 60))" },
];

describeRetention("ClickHouse", async () => {
  const database = newDatabaseName();
  return {
    async open(days, clock) {
      const [connection, guardConnection] = [await connectChdb(database), await connectChdb(database)];
      return openClickhouseWarehouse({ connection }, { guardConnection, retention: { days, clock } });
    },
    dialect: clickhouseReportDialect,
    assistant: clickhouseDialect,
    async untilDeleted(warehouse) {
      const connection = await connectChdb(database);
      for (const { name, at } of tables) {
        const old = raw(`SELECT count(*) AS n FROM ${name} WHERE ${at} < now() - toIntervalDay(70)`);
        await vi.waitFor(async () => {
          await connection.command({ query: `OPTIMIZE TABLE ${name} FINAL` });
          expect((await warehouse.query(old)).rows, name).toEqual([{ n: 0 }]);
        });
      }
      await connection.close();
    },
  };
});
