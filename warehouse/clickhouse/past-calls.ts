import { Readable } from "node:stream";
import type { ClickHouseClient } from "@clickhouse/client";
import type { PastCalls } from "../past-calls.ts";

/** The engine keeps one of several sums with the same key. */
export async function insertPast(client: ClickHouseClient, all: readonly PastCalls[]): Promise<void> {
  const { stream } = await client.exec({
    query: "INSERT INTO stored_past_calls FORMAT JSONEachRow",
    values: Readable.from([Buffer.from(all.map((each) => JSON.stringify(each)).join("\n"))], { objectMode: false }),
    clickhouse_settings: { date_time_input_format: "best_effort" },
  });
  for await (const _ of stream);
}
