import { describe, expect, it, onTestFinished } from "vitest";
import { raw, sql } from "../../warehouse/statement.ts";
import { describeWarehouse } from "../contract/warehouse.ts";
import { withCpuTime } from "../cpu-time.ts";
import { openEmptyWarehouse } from "../migrated-files.ts";

const endless = sql`SELECT count(*) AS n FROM range(100000000) a, range(100000) b`;

describeWarehouse("DuckDB", { open: () => openEmptyWarehouse(), endless });

describe("the embedded warehouse", () => {
  const open = async () => {
    const warehouse = await openEmptyWarehouse();
    onTestFinished(() => warehouse.close());
    return warehouse;
  };

  it.each([
    "SELECT * FROM read_csv('/etc/passwd')",
    "COPY (SELECT 1 AS a) TO '/tmp/out.csv'",
    "ATTACH '/tmp/other.duckdb' AS other",
  ])("refuses %s", async (statement) => {
    const warehouse = await open();
    await expect(warehouse.query(raw(statement))).rejects.toMatchObject({ code: "query_invalid" });
  });

  it("reads no more of a large result than it is asked for", async () => {
    const warehouse = await open();
    const large = sql`SELECT range AS a, repeat('x', 50) || range AS b FROM range(20000000)`;
    const before = process.memoryUsage().rss;
    const { cpuMs, result } = await withCpuTime(() => warehouse.query(large, { maxRows: 10 }));
    const { rows, truncated } = result;
    expect({ rows: rows.length, truncated }).toEqual({ rows: 10, truncated: true });
    // Made whole it takes 1.9 GB and about 3 s.
    expect(cpuMs).toBeLessThan(1000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it("lets queries wait their turn no longer than they may take", async () => {
    const warehouse = await open();
    const stop = new AbortController();
    const busy = Array.from({ length: 8 }, () => warehouse.query(endless, { signal: stop.signal }).catch(String));
    const quick = sql`SELECT 1 AS a`;
    await expect(warehouse.query(quick, { timeoutMs: 50 })).rejects.toMatchObject({ code: "query_timeout" });
    const gone = new AbortController();
    const asked = warehouse.query(quick, { signal: gone.signal });
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: "query_cancelled" });
    const patient = warehouse.query(quick);
    stop.abort();
    expect((await patient).rows).toEqual([{ a: 1 }]);
    expect((await Promise.all(busy)).every((answer) => String(answer).includes("cancelled"))).toBe(true);
  });
});
