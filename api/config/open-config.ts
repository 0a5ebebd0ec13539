import type { Database } from "../database/database.ts";
import { startBackgroundTask } from "../process/background-task.ts";
import type { ProcessContext } from "../process/context.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { createAuditOutbox } from "./audit.ts";
import type { Prepare } from "./org-configs.ts";
import { sweepPauses } from "./pause-sweep.ts";
import { definitions } from "./registry.ts";
import { createResourceService } from "./service.ts";
import { openSnapshot, type Snapshot } from "./snapshot.ts";
import { createConfigStore } from "./store.ts";

/** What needs the customers' config. */
export interface ConfigContext extends ProcessContext {
  readonly database: Database;
  readonly snapshot: Snapshot;
}

/** The customers' config in memory, as it changes. */
export async function openConfig(
  { clock, shutdown, onTrouble }: ProcessContext,
  database: Database,
  prepare?: Prepare,
) {
  const config = createConfigStore(database, clock, onTrouble("config"));
  const apiKeys = createApiKeyStore(database, clock, onTrouble("config"));
  const stores = { database, store: config, apiKeys };
  const deps = { ...stores, clock, prepare, onTrouble: onTrouble("config") };
  const snapshot = shutdown.add("snapshot", await openSnapshot(deps));
  return { config, apiKeys, snapshot };
}

/** What changes config, and tells the audit log of it. */
export function createConfigChanges({ log, database, snapshot, clock, shutdown, onTrouble }: ConfigContext) {
  const outbox = shutdown.add("audit outbox", createAuditOutbox(database, log, onTrouble("audit")));
  const service = createResourceService({
    database,
    outbox,
    clock,
    definitions,
    settled: snapshot.settled,
    configOf: snapshot.config,
    onTrouble: onTrouble("audit"),
  });
  return { outbox, service };
}
export type ConfigChanges = ReturnType<typeof createConfigChanges>;

const minuteMs = 60 * 1000;

/** What becomes of config with time; several processes may do it side by side. */
export function tendConfig(
  { snapshot, clock, shutdown, onTrouble }: ConfigContext,
  { outbox, service }: ConfigChanges,
) {
  // What an earlier run had written but not yet handed to the log.
  outbox.drain().catch(onTrouble("audit"));
  const everyMinute = async () => {
    await sweepPauses({ snapshot, service, clock });
    // What the log did not take with the change that it tells of.
    await outbox.drain();
  };
  shutdown.add(
    "sweep of config",
    startBackgroundTask({ clock, everyMs: minuteMs, work: everyMinute, onTrouble: onTrouble("config") }),
  );
}
