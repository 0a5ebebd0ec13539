import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../ingest/clock.ts";
import { toDeadLetter } from "../../../ingest/dead-letter.ts";
import { runLifecycle } from "../../../ingest/lifecycle/run.ts";
import { openLmdbLog } from "../../../ingest/log/log-lmdb.ts";
import { createKafkaLogs } from "../../ingest/log/kafka/rig.ts";
import { testBrokers } from "../../kafka-server.ts";
import { startOfTime } from "../../make.ts";
import { temporaryFolder } from "../../temporary.ts";
import { runCommandOf, spawnCommand } from "./run-command.ts";

const letterAt = (place: Parameters<typeof toDeadLetter>[0]) =>
  toDeadLetter(place, '{"call_id":"call-1"}', { now: startOfTime, reason: "unknown_call", error: "no such call" });
const letters = ["refused_by_store", "unknown_call"].map((reason, index) =>
  toDeadLetter({ source: "call-signals", partition: 0, position: index, key: "call-1" }, '{"call_id":"call-1"}', {
    now: startOfTime,
    reason: reason as "refused_by_store",
    error: `no\nplace ${index}`,
  }),
);

async function onEmbeddedLog() {
  const dataDir = temporaryFolder();
  const log = await openLmdbLog({ dir: join(dataDir, "log") });
  await log.publish(letters);
  await log.close();
  return (...args: string[]) => runCommandOf("dead-letters", args, { DATA_DIR: dataDir });
}

describe("npm run dead-letters", () => {
  it("lists, shows and redrives the letters of a log, and says what it did", async () => {
    const run = await onEmbeddedLog();
    const [listed, shown] = await Promise.all([
      run("list", "--reason", "unknown_call"),
      run("show", "call-signals:0:1"),
    ]);
    expect(listed).toMatchObject({ code: 0, err: "" });
    expect(listed.out).toMatch(/^call-signals:0:1 {2}\S+ {2}unknown_call {2}waiting {2}no place 1\n$/);
    expect(JSON.parse(shown.out)).toMatchObject({ key: "call-1", raw: '{"call_id":"call-1"}', redriven: null });
    expect(await run("redrive", "--all", "--dry-run")).toMatchObject({
      code: 0,
      out: expect.stringContaining("2 of 2 letters would be redriven."),
    });
    expect(await run("redrive", "call-signals:0:1")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/call-signals:0:1 {2}is call-signals:0:0 now\n1 of 1 letters were redriven/),
    });
    const [again, rest, all] = await Promise.all([
      run("redrive", "call-signals:0:1"),
      run("list"),
      run("list", "--all"),
    ]);
    expect(again).toMatchObject({ code: 1, out: expect.stringContaining("do it once more with --again") });
    expect(rest.out.split("\n")).toHaveLength(2);
    expect(all.out).toMatch(/call-signals:0:1 {2}\S+ {2}unknown_call {2}redriven/);
  });

  it("tells programs the same as JSON", async () => {
    const run = await onEmbeddedLog();
    const listed = await run("list", "--limit", "1", "--json");
    expect(listed).toMatchObject({ code: 0, err: "There are more: ask for them with --limit.\n" });
    expect(JSON.parse(listed.out)).toMatchObject({
      dead_letters: [{ id: "call-signals:0:0", reason: "refused_by_store", redriven: null }],
      has_more: true,
    });
    expect(JSON.parse((await run("show", "call-signals:0:1", "--json")).out)).toMatchObject({ key: "call-1" });
    const redriven = await run("redrive", "call-signals:0:1", "--json");
    expect([redriven.code, JSON.parse(redriven.out)]).toEqual([
      0,
      {
        dead_letters: [{ id: "call-signals:0:1", outcome: "redriven", detail: "is call-signals:0:0 now" }],
        dry_run: false,
        redriven: 1,
        came_back: 0,
        has_more: false,
      },
    ]);
  });

  it("prints no character that steers a terminal, whatever a sender put into a message", async () => {
    const dataDir = temporaryFolder();
    const log = await openLmdbLog({ dir: join(dataDir, "log") });
    const steering = "\u001b[2J\u009b1m\u0007\u202eä\u007f";
    const source = `${steering}\n.ndjson`;
    await log.publish([
      toDeadLetter({ source, position: 1, key: steering }, steering, {
        now: startOfTime,
        reason: "invalid_signal",
        error: `from: must be text, not "${steering}"`,
      }),
    ]);
    await log.close();
    const run = (...args: string[]) => runCommandOf("dead-letters", args, { DATA_DIR: dataDir });
    const outputs = [await run("list"), await run("redrive", "--all"), await run("show", `${source}:1`)];
    for (const { out } of outputs) expect(out).not.toMatch(/(?!\n)\p{C}/u);
    expect(outputs[0]?.out).toContain('not "\\u001b[2J\\u009b1m\\u0007\\u202eä\\u007f"');
    expect(outputs[0]?.out.split("\n")).toHaveLength(2);
    expect(JSON.parse(outputs[2]?.out ?? "")).toMatchObject({ raw: steering, key: steering });
  });

  it("goes on past a thousand that cannot be redriven and those that come back, tells of both, and ends", {
    tags: ["slow"],
  }, async () => {
    const dataDir = temporaryFolder();
    const log = await openLmdbLog({ dir: join(dataDir, "log") });
    onTestFinished(() => log.close());
    const lines = Array.from({ length: 1001 }, (_, index) => letterAt({ source: "march.ndjson", position: index }));
    const signals = [5000, 5001].map((position) => letterAt({ source: "call-signals", partition: 0, position }));
    await log.publish([...lines, ...signals]);
    // Nobody knows the call, so that its signals are dead letters again.
    const lifecycle = runLifecycle({ log, clock: systemClock, onTrouble: () => undefined });
    // In a process of its own: opening a log waits for a commit of the other, which waits for its process's main thread.
    const run = (...args: string[]) => spawnCommand("dead-letters", { args, settings: { DATA_DIR: dataDir } });
    const redriven = await run("redrive", "--all");
    await lifecycle.stop();
    expect(redriven).toMatchObject({ code: 1, err: "" });
    expect(redriven.out).toMatch(/^march.ndjson:0 {2}cannot be redriven: line 0 of march/);
    expect(redriven.out.split("\n").slice(-4)).toEqual([
      "call-signals:0:5001  is call-signals:0:1 now",
      "2 of 1003 letters were redriven.",
      "2 of them came back as dead letters: list tells why.",
      "",
    ]);
    expect((await run("redrive", "--all", "--limit", "1", "--dry-run")).out.split("\n").slice(-3)).toEqual([
      "1 of 1002 letters would be redriven.",
      "There are more: run it again.",
      "",
    ]);
  });

  it("says in one sentence what is wrong with how it is called, and exits with 2", async () => {
    const run = await onEmbeddedLog();
    const wrong: [args: string[], sentence: string, code?: number][] = [
      [[], "Give an action: list, show, redrive."],
      [["show"], "Name one letter: show ID."],
      [["show", "nowhere:1"], "There is no dead letter nowhere:1", 1],
      [["redrive"], "Name letters, or all that wait with --all."],
      [["redrive", "--all", "--again"], "--again needs the ids of the letters."],
      [["list", "--limit", "0"], "--limit 0 is not a whole number"],
      [["list", "--every"], "There is no option --every."],
    ];
    const runs = await Promise.all(wrong.map(([args]) => run(...args)));
    for (const [index, [, sentence, code = 2]] of wrong.entries()) {
      expect(runs[index]).toMatchObject({ code, out: "" });
      expect(runs[index]?.err.startsWith(sentence), runs[index]?.err).toBe(true);
    }
  });

  it("is a process that ends by itself", async () => {
    const settings = { DATA_DIR: temporaryFolder() };
    const listed = await spawnCommand("dead-letters", { args: ["list"], settings });
    expect(listed).toEqual({ code: 0, out: "", err: "No dead letters wait.\n" });
  });
});

describe.skipIf(testBrokers === undefined)("npm run dead-letters on brokers (TEST_REDPANDA_BROKERS)", () => {
  it("redrives what waits", async () => {
    const { prefix, open } = createKafkaLogs();
    const log = await open();
    await log.publish(letters);
    const settings = { REDPANDA_BROKERS: testBrokers ?? "", REDPANDA_TOPIC_PREFIX: prefix };
    const run = (...args: string[]) => runCommandOf("dead-letters", args, settings);
    expect((await run("redrive", "--all")).out).toContain("2 of 2 letters were redriven.");
    expect(await run("list")).toMatchObject({ code: 0, out: "", err: "No dead letters wait.\n" });
    expect((await log.ends("call-signals")).reduce((sum, end) => sum + end, 0)).toBe(2);
  });
});
