import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { watchProgress } from "../../../ingest/log/progress.ts";
import type { LoadedBatch } from "../../../warehouse/loader.ts";
import { raw, sql } from "../../../warehouse/statement.ts";
import { openWarehouseThread } from "../../../warehouse/thread/warehouse-thread.ts";
import { openDuckdbWarehouse } from "../../../warehouse/warehouse-duckdb.ts";
import { describeWarehouse } from "../../contract/warehouse.ts";
import { type Faults, withFaults } from "../../ingest/log/faulty-log.ts";
import { anOutgoingRequest } from "../../make.ts";
import { migratedWarehouse } from "../../migrated-files.ts";
import { temporaryFolder } from "../../temporary.ts";

/** Its process compiles sources when it starts: on a machine with much else to do that takes longer than a query may. */
const patient = { orgId: "org_1", timeoutMs: 60_000 };
const endless = sql`SELECT count(*) AS n FROM range(100000000) a, range(100000) b`;

interface Given {
  readonly folder?: string;
  readonly faults?: Faults;
}

async function openRig({ folder = temporaryFolder(), faults = {} }: Given = {}) {
  const logDir = join(folder, "log");
  const path = join(folder, "warehouse.duckdb");
  if (!existsSync(path)) copyFileSync(await migratedWarehouse(), path);
  const { log, places } = watchProgress(withFaults(await openLmdbLog({ dir: logDir }), faults));
  const warehouse = await openWarehouseThread({ path, logDir, retentionDays: null });
  const batches: LoadedBatch[] = [];
  const troubles: unknown[] = [];
  const consumers = warehouse.runLoader({
    log,
    onBatch: (batch) => batches.push(batch),
    onTrouble: (error) => troubles.push(error),
  });
  let closed: Promise<void> | undefined;
  const close = async () => {
    for (const consumer of consumers) await consumer.stop();
    await warehouse.close();
    await log.close();
  };
  const closeOnce = () => {
    closed ??= close();
    return closed;
  };
  onTestFinished(closeOnce);
  return {
    path,
    folder,
    log,
    places,
    warehouse,
    batches,
    troubles,
    consumers,
    close: closeOnce,
    publish: (values: readonly string[]) =>
      log.publish(values.map((value) => ({ topic: "webhook-deliveries", key: "k", value }))),
    stored: async () =>
      (await warehouse.query(sql`SELECT id FROM outgoing_webhook_requests ORDER BY id`)).rows.map(({ id }) => id),
  };
}
const aRecord = (id: string): string => JSON.stringify(anOutgoingRequest({ id }));

describe("its contract", { tags: ["slow"] }, () =>
  describeWarehouse("DuckDB in a thread", {
    async open() {
      const folder = temporaryFolder();
      const logDir = join(folder, "log");
      const log = await openLmdbLog({ dir: logDir });
      const path = join(folder, "warehouse.duckdb");
      copyFileSync(await migratedWarehouse(), path);
      const warehouse = await openWarehouseThread({ path, logDir, retentionDays: null });
      return {
        ...warehouse,
        async close() {
          await warehouse.close();
          await log.close();
        },
      };
    },
    endless,
  }),
);

describe("the embedded warehouse in a thread", () => {
  it("loads what the log has and what comes, and commits behind it", async () => {
    const folder = temporaryFolder();
    const before = await openLmdbLog({ dir: join(folder, "log") });
    await before.publish([{ topic: "webhook-deliveries", key: "k", value: aRecord("early") }]);
    await before.close();
    const { publish, stored, batches, places, log } = await openRig({ folder });
    await publish([aRecord("one"), aRecord("two")]);
    await vi.waitFor(async () => expect(await stored()).toEqual(["early", "one", "two"]));
    await vi.waitFor(() => expect(batches.reduce((sum, { stored }) => sum + stored, 0)).toBe(3));
    const place = places().find(({ topic }) => topic === "webhook-deliveries");
    await vi.waitFor(async () => expect(await place?.committed()).toBe(3));
    expect(place?.done()).toBe(3);
    expect(await log.ends("dead-letters")).toEqual([0]);
  });

  it("tells of what caused a batch and when it was stored, for its span here", async () => {
    const { log, batches } = await openRig();
    const traceparent = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
    const message = { topic: "webhook-deliveries", key: "k" } as const;
    await log.publish([{ ...message, value: aRecord("one"), traceparent }]);
    await vi.waitFor(() => expect(batches).toHaveLength(1));
    const [batch] = batches;
    expect(batch?.traced?.causes).toEqual({ parent: traceparent });
    expect(batch?.traced?.endedAt).toBeGreaterThanOrEqual(batch?.traced?.startedAt ?? Number.POSITIVE_INFINITY);
    await log.publish([{ ...message, value: aRecord("two") }]);
    await vi.waitFor(() => expect(batches).toHaveLength(2));
    expect(batches[1]).not.toHaveProperty("traced");
  });

  it("puts a message that no table takes among the dead letters, and says so", { tags: ["slow"] }, async () => {
    const { publish, stored, batches, log } = await openRig();
    await publish([aRecord("one"), "{broken", aRecord("two")]);
    await vi.waitFor(async () => expect(await stored()).toEqual(["one", "two"]));
    await vi.waitFor(() => expect(batches.reduce((sum, { deadLettered }) => sum + deadLettered, 0)).toBe(1));
    const letters: unknown[] = [];
    for await (const { value } of log.read({ topic: "dead-letters", partition: 0, offset: 0 }))
      letters.push(JSON.parse(value));
    expect(letters).toMatchObject([{ position: 1, reason: "refused_by_store", raw: "{broken" }]);
  });

  it("goes on where it was when it is opened again, and leaves its file to others once closed", {
    tags: ["slow"],
  }, async () => {
    const first = await openRig();
    await first.publish([aRecord("one")]);
    await vi.waitFor(async () => expect(await first.stored()).toEqual(["one"]));
    await first.close();
    const alone = await openDuckdbWarehouse({ path: first.path });
    expect(await alone.position("webhook-deliveries", 0)).toBe(1);
    await alone.close();
    const second = await openRig({ folder: first.folder });
    await second.publish([aRecord("two")]);
    await vi.waitFor(async () => expect(await second.stored()).toEqual(["one", "two"]));
    await vi.waitFor(() => expect(second.batches.map(({ consumed }) => consumed)).toEqual([1]));
  });

  it("keeps the codes of errors", { tags: ["slow"] }, async () => {
    const { warehouse } = await openRig();
    await expect(warehouse.query(raw("SELECT nothing"))).rejects.toMatchObject({
      name: "WarehouseError",
      code: "query_invalid",
      message: expect.stringContaining("nothing"),
    });
    const refused = warehouse.guarded.select({ ...patient, text: "SELECT * FROM secrets" });
    await expect(refused).rejects.toMatchObject({ code: "query_refused" });
  });

  it("runs SQL of analysts", { tags: ["slow"] }, async () => {
    const { warehouse } = await openRig();
    const { rows } = await warehouse.guarded.select({ ...patient, text: "SELECT count(*) AS calls FROM calls" });
    expect(rows).toEqual([{ calls: 0 }]);
  });

  it("reports a commit that is refused, and tries again", { tags: ["slow"] }, async () => {
    const { publish, batches, troubles, places } = await openRig({ faults: { refusedCommits: 1 } });
    await publish([aRecord("one")]);
    await vi.waitFor(() => expect(batches).toHaveLength(1));
    expect(troubles).toMatchObject([{ name: "LogError", code: "log_unavailable" }]);
    const place = places().find(({ topic }) => topic === "webhook-deliveries");
    expect(await place?.committed()).toBe(1);
  });

  it("refuses to start on a file that is not its own", { tags: ["slow"] }, async () => {
    const folder = temporaryFolder();
    const logDir = join(folder, "log");
    const log = await openLmdbLog({ dir: logDir });
    onTestFinished(() => log.close());
    const opening = openWarehouseThread({ path: join(folder, "log", "data.mdb"), logDir, retentionDays: null });
    await expect(opening).rejects.toThrow(/not a valid DuckDB/);
  });

  it("fails what waits for it and its consumers, when it ends by itself", async () => {
    const folder = temporaryFolder();
    const log = await openLmdbLog({ dir: join(folder, "log") });
    onTestFinished(() => log.close());
    const options = { path: join(folder, "w.duckdb"), logDir: join(folder, "log"), retentionDays: null };
    const warehouse = await openWarehouseThread(options, () => new Worker(crashing, { eval: true }));
    const consumers = warehouse.runLoader({ log, onTrouble: () => undefined });
    const failures = consumers.map(({ finished }) => finished.catch((error: unknown) => error));
    await expect(warehouse.query(sql`SELECT 1`)).rejects.toMatchObject({
      code: "unavailable",
      message: "The warehouse's thread has ended: Error: out of luck.",
    });
    for (const failure of failures) expect(await failure).toMatchObject({ code: "unavailable" });
    await expect(warehouse.position("call-events", 0)).rejects.toMatchObject({ code: "unavailable" });
  });
});

/** A thread that opens, and ends at the first question. */
const crashing = `
  const { parentPort } = require("node:worker_threads");
  parentPort.on("message", ({ id, method }) => {
    if (method === "query") throw new Error("out of luck");
    if (method === "open") parentPort.postMessage({ kind: "result", id });
  });`;
