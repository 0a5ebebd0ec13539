import { once } from "node:events";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it, onTestFinished } from "vitest";
import { watchMemory } from "../../../warehouse/guarded/memory-duckdb.ts";

/** As many as node gives to engines, unless told otherwise. */
const threads = Number(process.env["UV_THREADPOOL_SIZE"] ?? 4);
const endless = "SELECT count(*) FROM range(30000000000) AS r(i) WHERE i % 7 = 3";

it("ends only when its question is answered, however late: the engine does not survive it being cut off", async () => {
  const instance = await DuckDBInstance.create(":memory:");
  onTestFinished(() => instance.closeSync());
  const connections = await Promise.all(Array.from({ length: threads }, () => instance.connect()));
  // Below all that there is: it is over at the first look.
  const memory = await watchMemory(instance, Number.NEGATIVE_INFINITY);
  const busy = connections.map((connection) => connection.run(endless).catch(() => "interrupted"));
  await once(memory.signal, "abort");

  const ended = memory.end().then(() => "ended");
  const soon = new Promise((resolve) => setImmediate(() => resolve("waits")));
  expect(await Promise.race([ended, soon])).toBe("waits");

  for (const connection of connections) connection.interrupt();
  expect(await Promise.all(busy)).toEqual(connections.map(() => "interrupted"));
  expect(await ended).toBe("ended");
  for (const connection of connections) connection.closeSync();
});
