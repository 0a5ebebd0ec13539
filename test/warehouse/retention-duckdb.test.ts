// @module-tag slow
import { join } from "node:path";
import { expect, vi } from "vitest";
import { duckdbDialect } from "../../assistant/compile/dialect-duckdb.ts";
import { duckdbReportDialect } from "../../warehouse/calls/report-dialect-duckdb.ts";
import { cutoffOf, graceDays } from "../../warehouse/retention.ts";
import { sql, time } from "../../warehouse/statement.ts";
import { openDuckdbWarehouse } from "../../warehouse/warehouse-duckdb.ts";
import { describeRetention } from "../contract/retention.ts";
import { temporaryFolder } from "../temporary.ts";

describeRetention("DuckDB", async () => {
  const path = join(temporaryFolder(), "warehouse.duckdb");
  return {
    open: (days, clock) => openDuckdbWarehouse({ path, retention: { days, clock } }),
    dialect: duckdbReportDialect,
    assistant: duckdbDialect,
    comments: sql`
      SELECT view_name AS name, comment FROM duckdb_views() UNION ALL
      SELECT table_name || '.' || column_name, comment FROM duckdb_columns()`,
    async untilDeleted(warehouse, clock) {
      const before = time(cutoffOf(60 + graceDays, clock.now()));
      await vi.waitFor(async () => {
        const { rows } = await warehouse.query(sql`
          SELECT (SELECT count(*) FROM stored_calls WHERE started_at < ${before})
               + (SELECT count(*) FROM stored_audit_logs WHERE created_at < ${before}) AS rows,
                 (SELECT count(*) FROM stored_call_traces WHERE occurred_at < ${before}) AS traces`);
        expect(rows).toEqual([{ rows: 0, traces: 0 }]);
      });
    },
  };
});
