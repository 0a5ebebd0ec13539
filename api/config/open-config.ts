import type { Database } from "../database/database.ts";
import type { Base } from "../process/base.ts";
import { repeat } from "../process/repeat.ts";
import { createApiKeyStore } from "./api-keys.ts";
import { createAuditOutbox } from "./audit.ts";
import type { Prepare } from "./org-configs.ts";
import { sweepPauses } from "./pause-sweep.ts";
import { definitions } from "./registry.ts";
import { createResourceService } from "./service.ts";
import { openSnapshot, type Snapshot } from "./snapshot.ts";
import { createConfigStore } from "./store.ts";

/** What needs the customers' config. */
export interface ConfigParts extends Base {
  readonly database: Database;
  readonly snapshot: Snapshot;
}

/** The customers' config in memory, as it changes. */
export async function openConfig({ clock, closers, onTrouble }: Base, database: Database, prepare?: Prepare) {
  const config = createConfigStore(database, clock, onTrouble("config"));
  const apiKeys = createApiKeyStore(database, clock, onTrouble("config"));
  const stores = { database, store: config, apiKeys };
  const deps = { ...stores, clock, prepare, onTrouble: onTrouble("config") };
  const snapshot = closers.add("snapshot", await openSnapshot(deps));
  return { config, apiKeys, snapshot };
}

/** What changes config, and tells the audit log of it. */
export function createConfigChanges({ log, database, snapshot, clock, closers, onTrouble }: ConfigParts) {
  const outbox = closers.add("audit outbox", createAuditOutbox(database, log, onTrouble("audit")));
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
export function tendConfig({ snapshot, clock, closers, onTrouble }: ConfigParts, { outbox, service }: ConfigChanges) {
  // What an earlier run had written but not yet handed to the log.
  outbox.drain().catch(onTrouble("audit"));
  const everyMinute = async () => {
    await sweepPauses({ snapshot, service, clock });
    // What the log did not take with the change that it tells of.
    await outbox.drain();
  };
  closers.add(
    "sweep of config",
    repeat({ clock, everyMs: minuteMs, work: everyMinute, onTrouble: onTrouble("config") }),
  );
}
