import { onTestFinished } from "vitest";
import { createApiKeyStore } from "../../../api/config/api-keys.ts";
import { openSnapshot } from "../../../api/config/snapshot.ts";
import { createConfigStore } from "../../../api/config/store.ts";
import { openSqliteDatabase } from "../../../api/database/database-sqlite.ts";
import { refuseUnreadable, type UnreadableError } from "../../../ingest/unreadable.ts";
import { orgOne, orgTwo, startOfTime } from "../../make.ts";
import { createManualClock } from "../../manual-clock.ts";

interface ConfigRigGiven {
  readonly path?: string;
  onUnreadable?(error: UnreadableError): void;
}

/** The config of two organizations, kept in memory: its store, and what decisions see of it. */
export async function openConfig({ path = ":memory:", onUnreadable = refuseUnreadable }: ConfigRigGiven = {}) {
  const clock = createManualClock(startOfTime);
  const database = await openSqliteDatabase({ path });
  onTestFinished(() => database.close());
  const store = createConfigStore(database, clock);
  const apiKeys = createApiKeyStore(database, clock, onUnreadable);
  const troubles: unknown[] = [];
  const snapshot = await openSnapshot({ database, store, apiKeys, clock, onTrouble: (error) => troubles.push(error) });
  onTestFinished(() => snapshot.close());
  await store.saveOrganization({ id: orgOne, name: "First", timezone: "UTC" });
  await store.saveOrganization({ id: orgTwo, name: "Second", timezone: "America/New_York" });
  await snapshot.settled();
  return { clock, database, store, apiKeys, snapshot, troubles };
}
