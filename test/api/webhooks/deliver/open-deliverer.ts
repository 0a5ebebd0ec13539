import { join } from "node:path";
import { createApiKeyStore } from "../../../../api/config/api-keys.ts";
import { createAuditOutbox } from "../../../../api/config/audit-outbox.ts";
import { definitions, type Resource } from "../../../../api/config/registry.ts";
import { createResourceService } from "../../../../api/config/service.ts";
import { openSnapshot } from "../../../../api/config/snapshot.ts";
import { createConfigStore } from "../../../../api/config/store.ts";
import { openSqliteDatabase } from "../../../../api/database/database-sqlite.ts";
import { openDelivery } from "../../../../api/webhooks/deliver/open-delivery.ts";
import { createSender } from "../../../../api/webhooks/deliver/send.ts";
import { systemClock as clock } from "../../../../ingest/clock.ts";
import type { EventLog } from "../../../../ingest/log/log.ts";
import { openLmdbLog } from "../../../../ingest/log/log-lmdb.ts";

export interface DelivererGiven {
  readonly dataDir: string;
  readonly webhooks: readonly Resource<"outgoing_webhook">[];
  readonly pausesMs: readonly number[];
  /** What is in the log before anything is delivered. */
  fill?(log: EventLog): Promise<unknown>;
}

/** Deliveries to real receivers out of one folder, without the rest of a platform. */
export async function openDeliverer({ dataDir, webhooks, pausesMs, fill }: DelivererGiven) {
  const onTrouble = (error: unknown) => void process.stderr.write(`${String(error)}\n`);
  const log = await openLmdbLog({ dir: join(dataDir, "log") });
  const database = await openSqliteDatabase({ path: join(dataDir, "platform.sqlite") });
  const store = createConfigStore(database, clock);
  for (const doc of webhooks) {
    await store.saveOrganization({ id: doc.org_id, name: doc.org_id, timezone: "UTC" });
    await store.save(doc.org_id, [{ type: "outgoing_webhook", doc }]);
  }
  const apiKeys = createApiKeyStore(database, clock);
  const snapshot = await openSnapshot({ database, store, apiKeys, clock, onTrouble });
  await fill?.(log);
  const outbox = createAuditOutbox(database, log);
  const { settled } = snapshot;
  const sender = createSender({ allowPrivateDestinations: true });
  const delivery = openDelivery({
    log,
    database,
    snapshot,
    sender,
    clock,
    random: Math.random,
    isAlone: true,
    onTrouble,
    edit: createResourceService({
      database,
      outbox,
      clock,
      definitions,
      settled,
      configOf: snapshot.config,
      onTrouble,
    }).edit,
    terms: { pausesMs, pauseAfterMs: 3_600_000, probeEveryMs: 60_000, keepMs: 3_600_000 },
    onAlert: () => undefined,
  });
  return {
    log,
    async close(): Promise<void> {
      await delivery.close();
      await sender.close();
      await snapshot.close();
      await database.close();
      await log.close();
    },
  };
}
