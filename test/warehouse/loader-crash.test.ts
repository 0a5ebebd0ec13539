import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { describe, expect, it } from "vitest";
import { aborted } from "../contract/log-work.ts";
import { until } from "../ingest/log/kafka/rig.ts";
import { testBrokers } from "../kafka-server.ts";
import { crashPartitions, endOf, openCrashRig } from "./loader-crash-rig.ts";
import { loaderStores } from "./loader-stores.ts";

const testTimeoutMs = 480_000;

/** A line for each batch. */
const linesOf = ({ stdout }: ChildProcess) =>
  createInterface({ input: stdout ?? process.stdin })[Symbol.asyncIterator]();

describe.skipIf(testBrokers === undefined).each(loaderStores)(
  "a loader into $engine that is killed (TEST_REDPANDA_BROKERS)",
  ({ openStore }) => {
    it.each(["before-insert", "after-insert"] as const)(
      "%s leaves the rest to others, or to itself when it comes again: all is stored once, and nothing was committed before it was",
      async (dies) => {
        const rig = await openCrashRig(openStore);
        await rig.publishRound();
        // Where two may store at once, the other one is at work already.
        const other = rig.store.loadersAtOnce === 2 ? rig.start("never") : undefined;
        const batches = other && linesOf(other);
        await batches?.next();
        const killed = rig.start(dies);
        let isGone = false;
        const ended = endOf(killed).finally(() => {
          isGone = true;
        });
        // Whichever partitions it is given, and whenever: they are under load until it dies.
        while (!isGone) {
          await rig.publishRound();
          await Promise.race([ended, batches?.next() ?? ended]);
        }
        expect(await ended).toBe("SIGKILL");
        await rig.expectCommittedKept();
        await rig.publishRound();
        await rig.loadAll(other);
        await rig.expectAllStored();
      },
      testTimeoutMs,
    );

    it(
      "while partitions are shared out anew leaves them to others, and stores all once when it comes again",
      async () => {
        const rig = await openCrashRig(openStore);
        await rig.publishRound();
        const loader = rig.start("never");
        await linesOf(loader).next();
        const heir = { partitions: new Set<number>() };
        const other = rig.log.consume({
          group: "loader",
          topic: "webhook-deliveries",
          async work(reader) {
            if (heir.partitions.size === 0) loader.kill("SIGKILL");
            heir.partitions.add(reader.partition);
            await aborted(reader.signal);
          },
        });
        await rig.publishRound();
        await until(() => heir.partitions.size === crashPartitions);
        await rig.expectCommittedKept();
        await other.stop();
        await rig.loadAll();
        await rig.expectAllStored();
      },
      testTimeoutMs,
    );
  },
);
