import { readdirSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { topics } from "../../../ingest/log/log.ts";
import { openKafkaLog } from "../../../ingest/log/log-kafka.ts";
import { brokersOf, createPrefix, testBrokers } from "../../kafka-server.ts";
import { createDatabase, testDatabaseUrl } from "../../postgres-server.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runCommandOf, spawnCommand } from "./run-command.ts";

const upToDate = "event log: up to date\nwarehouse: up to date\nconfig: up to date\n";

describe("npm run migrate", () => {
  it("makes the stores of an embedded installation, and changes nothing the next time", {
    tags: ["slow"],
  }, async () => {
    const dataDir = temporaryFolder();
    const settings = { DATA_DIR: dataDir };
    const done = { code: 0, out: upToDate, err: "" };
    expect(await runCommandOf("migrate", [], settings)).toEqual(done);
    expect(await spawnCommand("migrate", { args: [], settings })).toEqual(done);
    expect(readdirSync(dataDir).sort()).toEqual(["log", "platform.sqlite", "warehouse.duckdb"]);
  });

  it("tells which store it cannot reach and why, when it has waited long enough", async () => {
    const settings = { DATA_DIR: temporaryFolder(), DATABASE_URL: "postgresql://127.0.0.1:1/nowhere" };
    const { code, out, err } = await runCommandOf("migrate", ["--wait", "0"], settings);
    expect([code, out]).toEqual([1, "event log: up to date\nwarehouse: up to date\n"]);
    expect(err).toMatch(/^config: PostgreSQL cannot be reached: .*Check DATABASE_URL\.\n$/s);
  });

  it("refuses to wait for what is no time", async () => {
    const given = await runCommandOf("migrate", ["--wait", "long"], { DATA_DIR: temporaryFolder() });
    expect(given).toMatchObject({ code: 2, err: "--wait long is no number of seconds from 0 to 99999. See --help.\n" });
  });
});

describe.skipIf(testBrokers === undefined || testDatabaseUrl === undefined)(
  "npm run migrate on services (TEST_REDPANDA_BROKERS, TEST_DATABASE_URL)",
  () => {
    it("makes topics and tables once, whoever else does so at the same time", async () => {
      const { url, remove } = await createDatabase();
      onTestFinished(remove);
      const { prefix, remove: removeTopics } = createPrefix();
      onTestFinished(removeTopics);
      const settings = { DATABASE_URL: url, REDPANDA_BROKERS: testBrokers ?? "", REDPANDA_TOPIC_PREFIX: prefix };
      const runs = [1, 2, 3].map(() =>
        spawnCommand("migrate", {
          args: [],
          settings: { ...settings, REDPANDA_PARTITIONS: "3", DATA_DIR: temporaryFolder() },
        }),
      );
      for (const run of await Promise.all(runs)) expect(run).toEqual({ code: 0, out: upToDate, err: "" });
      const log = await openKafkaLog({ brokers: brokersOf(), prefix });
      onTestFinished(() => log.close());
      for (const topic of topics) expect(await log.ends(topic)).toEqual([0, 0, 0]);
    });
  },
);
