// @module-tag clickhouse
import { expect, vi } from "vitest";
import { clickhouseDialect } from "../../assistant/compile/dialect-clickhouse.ts";
import { createClickhouse } from "../../sql/clickhouse.ts";
import { clickhouseReportDialect } from "../../warehouse/calls/report-dialect-clickhouse.ts";
import { raw, sql } from "../../warehouse/statement.ts";
import { allTables, storedIn } from "../../warehouse/tables.ts";
import { openClickhouseWarehouse } from "../../warehouse/warehouse-clickhouse.ts";
import { clickhouseDatabase } from "../clickhouse-server.ts";
import { describeRetention } from "../contract/retention.ts";

const tables = [
  ...allTables.map(({ table, time }) => ({ name: storedIn(table), at: time })),
  { name: "loader_counts", at: "toDateTime(slot * if(unit = 'day', 86400, 60))" },
];

describeRetention("ClickHouse", async () => {
  const options = await clickhouseDatabase();
  return {
    open: async (days, clock) => openClickhouseWarehouse(options, { retention: { days, clock } }),
    dialect: clickhouseReportDialect,
    assistant: clickhouseDialect,
    comments: sql`
      SELECT name, comment FROM system.tables WHERE database = currentDatabase() UNION ALL
      SELECT concat(table, '.', name), comment FROM system.columns WHERE database = currentDatabase()`,
    async untilDeleted(warehouse) {
      const client = createClickhouse(options);
      for (const { name, at } of tables) {
        const old = raw(`SELECT count(*) AS n FROM ${name} WHERE ${at} < now() - toIntervalDay(70)`);
        await vi.waitFor(async () => {
          await client.command({ query: `OPTIMIZE TABLE ${name} FINAL` });
          expect((await warehouse.query(old)).rows, name).toEqual([{ n: 0 }]);
        });
      }
      await client.close();
    },
  };
});
