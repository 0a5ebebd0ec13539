import { systemClock } from "../../ingest/clock.ts";
import { openKafkaLog } from "../../ingest/log/log-kafka.ts";
import { runLoader } from "../../warehouse/loader.ts";
import { loadedTopics } from "../../warehouse/tables.ts";
import type { Warehouse } from "../../warehouse/warehouse.ts";
import { quickSession } from "../ingest/log/kafka/session.ts";
import { openWarehouseAt } from "./warehouse-at.ts";

// A loader in a process of its own, which dies at the point that is named, or ends when all has been stored.
const [prefix = "", address = "", dies = "", ...brokers] = process.argv.slice(2);
const log = await openKafkaLog({ brokers, prefix, session: quickSession });
const warehouse = await openWarehouseAt(address);

/** As a loss of power would: nothing is tidied, and no commit follows. */
const die = () => process.kill(process.pid, "SIGKILL");
/** A batch with a row at fault is stored in parts: it dies among them. */
const countTo = (count: number) => () => --count === 0;
const [isInsertOfDeath, isStoredOfDeath] = [countTo(3), countTo(3)];

const dying: Warehouse = {
  ...warehouse,
  async store(range) {
    if (dies === "before-insert" && isInsertOfDeath()) die();
    const stored = await warehouse.store(range);
    if (dies === "after-insert" && isStoredOfDeath()) die();
    return stored;
  },
};

const isAllStored = async (): Promise<boolean> => {
  for (const topic of loadedTopics) {
    for (const [partition, end] of (await log.ends(topic)).entries())
      if ((await warehouse.position(topic, partition)) < end) return false;
  }
  return true;
};

const loaders = runLoader({
  log,
  warehouse: dying,
  clock: systemClock,
  pauseMs: 0,
  onTrouble: (error) => process.stderr.write(`${error}\n`),
  onBatch: (batch) => process.stdout.write(`${JSON.stringify(batch)}\n`),
});
while (dies === "never" || !(await isAllStored().catch(() => false))) await systemClock.sleep(50);
for (const loader of loaders) await loader.stop();
await warehouse.close();
await log.close();
