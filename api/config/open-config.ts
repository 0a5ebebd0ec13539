import type { Database } from "../database/database.ts";
import { startBackgroundTask } from "../process/background-task.ts";
import type { ProcessContext } from "../process/context.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { createAuditOutbox } from "./audit-outbox.ts";
import { clearExpiredPauses, expiredPausesEveryMs } from "./expired-pauses.ts";
import { definitions } from "./registry.ts";
import { createResourceService } from "./service.ts";
import type { Prepare } from "./snapshot.ts";
import { openSnapshot, type Snapshot } from "./snapshot.ts";
import { createConfigStore } from "./store.ts";

/** Context of what works with the customers' config. */
export interface ConfigContext extends ProcessContext {
  readonly database: Database;
  readonly snapshot: Snapshot;
}

/** Opens the customers' config and its in-memory snapshot. */
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

/** Creates the service that changes config, and the outbox of its audit records. */
export function createConfigService({ log, database, snapshot, clock, shutdown, onTrouble }: ConfigContext) {
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
export type ConfigService = ReturnType<typeof createConfigService>;

/** Starts the background tasks of config; several processes may run them side by side. */
export function startConfigTasks(
  { snapshot, clock, shutdown, onTrouble }: ConfigContext,
  { outbox, service }: ConfigService,
) {
  // Records that an earlier run did not publish.
  outbox.drain().catch(onTrouble("audit"));
  const clearAndDrain = async () => {
    await clearExpiredPauses({ snapshot, service, clock });
    // Records that could not be published with their change.
    await outbox.drain();
  };
  shutdown.add(
    "config tasks",
    startBackgroundTask({ clock, everyMs: expiredPausesEveryMs, work: clearAndDrain, onTrouble: onTrouble("config") }),
  );
}
