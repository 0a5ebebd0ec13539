import { randomUUID } from "node:crypto";

/** A ClickHouse server where tests may make databases; `npm run test:services` starts its engine in a process. */
export const testClickhouseUrl = process.env["TEST_CLICKHOUSE_URL"] || undefined;

/**
 * The address of a database of that server that nobody has; whoever first asks something of it makes it. It stays there:
 * the engine tries without a pause to drop a table that a query which failed still has.
 */
export function newClickhouseUrl(): string {
  if (testClickhouseUrl === undefined) throw new Error("TEST_CLICKHOUSE_URL is not set");
  const url = new URL(testClickhouseUrl);
  url.pathname = `/test_${randomUUID().replaceAll("-", "")}`;
  return url.href;
}
