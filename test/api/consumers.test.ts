import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { runConsumers } from "../../api/consumers.ts";
import { createMetrics } from "../../api/metrics/metrics.ts";
import { createShutdown } from "../../api/process/shutdown.ts";
import { readSettings } from "../../api/settings/settings.ts";
import { systemClock } from "../../ingest/clock.ts";
import { openLmdbLog } from "../../ingest/log/log-lmdb.ts";
import type { CallId } from "../../ingest/primitives.ts";
import { anIncoming } from "../make.ts";
import { temporaryFolder } from "../temporary.ts";

it("a producer that puts calls in other partitions is counted each time, and told of once", async () => {
  const log = await openLmdbLog({ dir: temporaryFolder(), partitions: 4 });
  const warnings: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) });
  const shutdown = createShutdown({ logger, clock: systemClock });
  const metrics = createMetrics(systemClock);
  onTestFinished(() => shutdown.close());
  shutdown.add("event log", log);
  const base = { settings: readSettings({}), clock: systemClock, logger, shutdown, log, metrics, tracing: null };
  runConsumers({ ...base, onTrouble: () => () => undefined }, { warehouse: undefined });

  for (const count of [1, 2]) {
    const value = JSON.stringify(anIncoming({ call_id: `call-${count}` as CallId }));
    await log.publish([{ topic: "call-signals", key: "no call's", value }]);
    await vi.waitFor(async () =>
      expect(await metrics.registry.metrics()).toContain(`trunkline_lifecycle_signals_total{fate="rekeyed"} ${count}`),
    );
  }
  expect(warnings.map((line) => JSON.parse(line).msg)).toEqual([expect.stringMatching(/call_id as key.*murmur2/)]);
});
