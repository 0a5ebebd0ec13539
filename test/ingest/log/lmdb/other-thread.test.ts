import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { onPartition } from "../../../contract/log-work.ts";
import { openTemporaryLog } from "../temporary-log.ts";

const source = fileURLToPath(new URL("../../../../ingest/log/log-lmdb.ts", import.meta.url));

/** Publishes a message when it is told to, and sets the flag when that is durable. */
const publisher = `
const { parentPort, workerData: { dir, flag } } = require("node:worker_threads");
import("tsx/esm/api").then(async ({ register }) => {
  register();
  const { openLmdbLog } = await import(${JSON.stringify(source)});
  const log = await openLmdbLog({ dir });
  parentPort.once("message", async () => {
    await log.publish([{ topic: "call-events", key: "a", value: "{}" }]);
    Atomics.store(flag, 0, 1);
    Atomics.notify(flag, 0);
    await log.close();
  });
  parentPort.postMessage("ready");
});`;

it("takes a place that another thread has just made, though this one has looked before", async () => {
  const { log, dir } = await openTemporaryLog();
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(publisher, { eval: true, execArgv: [], workerData: { dir, flag } });
  await once(worker, "message");
  await onPartition(log, { group: "loader", topic: "call-events", partition: 0 }, async (reader) => {
    // In one turn of the event loop, which keeps one view of the log.
    const looked = log.ends("call-events");
    worker.postMessage("publish");
    Atomics.wait(flag, 0, 0, 10_000);
    expect(() => reader.seek(1)).not.toThrow();
    expect(() => reader.seek(2)).toThrow("2 is not an offset of this partition; give a whole number from 0 to 1.");
    expect(await looked).toEqual([0]);
  });
  await once(worker, "exit");
});
