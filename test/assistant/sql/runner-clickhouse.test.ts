// @module-tag clickhouse
import { expect, it, onTestFinished } from "vitest";
import { createSqlRunner } from "../../../assistant/sql/runner.ts";
import { orgOne } from "../../make.ts";
import { openClickhouseExample } from "../example-assistant.ts";
import { now } from "../example-data.ts";
import { golds } from "../gold-questions.ts";

it("SQL of an analyst's own may be the SQL of any answer on ClickHouse, too", { timeout: 60_000 }, async () => {
  const example = await openClickhouseExample();
  onTestFinished(() => example.close());
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const run = createSqlRunner({ guarded: example.warehouse.guarded, clock });
  const others = [["calls between 9am and 5pm on weekends"], ["calls by day last 7 days"]];
  for (const [question = ""] of [...golds, ...others]) {
    const { sql, data } = await example.ask(question);
    expect((await run({ orgId: orgOne, sql })).rows, sql).toEqual(data.rows);
  }
});
