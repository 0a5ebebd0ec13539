// @module-tag slow
import { PGLiteSocketServer } from "@electric-sql/pglite-socket";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPlatform } from "../../api/compose.ts";
import { readSettings } from "../../api/settings/settings.ts";
import { startOfTime } from "../make.ts";
import { createManualClock } from "../manual-clock.ts";
import { copyMigrated } from "../migrated-files.ts";
import { openPglite } from "../pglite.ts";
import { openTcpProxy } from "../tcp-proxy.ts";
import { temporaryFolder } from "../temporary.ts";

/** Parts that were opened, by what is logged of them; the log refuses the line of the part whose turn it is. */
function failingAfter(parts: number) {
  const opened: string[] = [];
  const failure = new Error(`after ${parts} parts`);
  const write = (line: string): void => {
    const { msg, part } = JSON.parse(line);
    if (msg !== "opened") return;
    opened.push(part);
    if (opened.length === parts) throw failure;
  };
  return { opened, failure, logger: pino({ level: "debug" }, { write }) };
}

/** Starts it with a failure after the first part, after the second, and so on until there are no more; returns their names. */
async function failAfterEach(settings: Readonly<Record<string, string>>): Promise<readonly string[]> {
  for (let parts = 1; ; parts++) {
    const clock = createManualClock(startOfTime);
    const { opened, failure, logger } = failingAfter(parts);
    const started = startPlatform(readSettings({ PORT: "0", ...settings }), { clock, logger });
    const outcome = await started.catch((error: unknown) => error);
    if (outcome !== failure) {
      await (await started).stop();
      return opened;
    }
    expect(clock.sleepers(), `sleepers after ${opened.at(-1)}`).toBe(0);
  }
}

describe("a start that fails", () => {
  it("after any of the embedded parts leaves none of them at work, and its folder to the next start", async () => {
    const settings = { DATA_DIR: temporaryFolder() };
    await copyMigrated(settings.DATA_DIR, settings);
    expect(await failAfterEach(settings)).toEqual(
      expect.arrayContaining(["warehouse", "held calls", "calls in memory", "adjuster"]),
    );
  });

  describe("on PostgreSQL", () => {
    let server: PGLiteSocketServer;
    beforeAll(async () => {
      server = new PGLiteSocketServer({ db: await openPglite(), port: 0, maxConnections: 50 });
      await server.start();
    });
    afterAll(() => server.stop());

    const startOn = async (cutAt: number) => {
      const proxy = await openTcpProxy(server.getServerConn());
      onTestFinished(proxy.close);
      proxy.cutAt(cutAt);
      const clock = createManualClock(startOfTime);
      const settings = { PORT: "0", DATA_DIR: temporaryFolder(), ANALYTICS: "false" };
      const given = { ...settings, DATABASE_URL: `postgresql://postgres@${proxy.address}/postgres` };
      const started = startPlatform(readSettings(given), { clock, logger: pino({ level: "silent" }) });
      return { proxy, clock, started };
    };

    it("after any of the parts leaves no connection and nothing at work", async () => {
      const proxy = await openTcpProxy(server.getServerConn());
      onTestFinished(proxy.close);
      const DATABASE_URL = `postgresql://postgres@${proxy.address}/postgres`;
      const parts = await failAfterEach({ DATABASE_URL, DATA_DIR: temporaryFolder(), ANALYTICS: "false" });
      expect(parts).toEqual(expect.arrayContaining(["config database", "peers", "rate limiters"]));
      await expect.poll(proxy.open).toBe(0);
    });

    it("because the database goes away at any of its statements leaves no connection and nothing at work", async () => {
      const whole = await startOn(Number.POSITIVE_INFINITY);
      await (await whole.started).stop();
      const statements = whole.proxy.sent();
      expect(statements).toBeGreaterThan(20);
      let failed = 0;
      for (let cutAt = 1; cutAt <= statements; cutAt++) {
        const { proxy, clock, started } = await startOn(cutAt);
        await started.then(
          (platform) => platform.stop(),
          () => (failed += 1),
        );
        expect(clock.sleepers(), `sleepers when it was cut at ${cutAt}`).toBe(0);
        await expect.poll(proxy.open).toBe(0);
      }
      expect(failed).toBeGreaterThan(statements / 2);
    });
  });
});
