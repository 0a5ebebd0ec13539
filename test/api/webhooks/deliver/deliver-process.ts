import { join } from "node:path";
import { createApiKeyStore } from "../../../../api/auth/api-keys.ts";
import { createAuditOutbox } from "../../../../api/config/audit.ts";
import { openDuckdbDatabase } from "../../../../api/config/database-duckdb.ts";
import { definitions } from "../../../../api/config/registry.ts";
import { createResourceService } from "../../../../api/config/service.ts";
import { openSnapshot } from "../../../../api/config/snapshot.ts";
import { createConfigStore } from "../../../../api/config/store.ts";
import { openDelivery } from "../../../../api/webhooks/deliver/open-delivery.ts";
import { createSender } from "../../../../api/webhooks/deliver/send.ts";
import { systemClock as clock } from "../../../../ingest/clock.ts";
import { openLmdbLog } from "../../../../ingest/log/log-lmdb.ts";
import type { CallId } from "../../../../ingest/primitives.ts";
import { anEvent, anOutgoingWebhook, orgOne, signalsOfCall } from "../../../make.ts";

/** Deliveries in a process of their own, of so many calls, published if the folder is new; until it is killed. */
const [dataDir = "", receiverUrl = "", count = "0"] = process.argv.slice(2);

const onTrouble = (error: unknown) => void process.stderr.write(`${String(error)}\n`);
const log = await openLmdbLog({ dir: join(dataDir, "log") });
const database = await openDuckdbDatabase({ path: join(dataDir, "config.duckdb") });
const store = createConfigStore(database, clock);
await store.saveOrganization({ id: orgOne, name: "First", timezone: "UTC" });
const webhook = anOutgoingWebhook({ id: "hook", url: `${receiverUrl}/[CALL_ID]` });
await store.save(orgOne, [{ type: "outgoing_webhook", doc: webhook }]);
const apiKeys = createApiKeyStore(database, clock);
const snapshot = await openSnapshot({ database, store, apiKeys, clock, onTrouble });

if ((await log.ends("call-events")).every((end) => end === 0)) {
  const event = anEvent("call.completed", signalsOfCall(16));
  const terms = { ...event.terms, campaign_webhook_ids: [webhook.id] };
  const events = Array.from({ length: Number(count) }, (_, index) => {
    const call_id = `call-${index}` as CallId;
    return { ...event, terms, call_id, id: `${call_id}:call.completed` };
  });
  await log.publish(events.map((each) => ({ topic: "call-events", key: each.call_id, value: JSON.stringify(each) })));
}
const outbox = createAuditOutbox(database, log);
const { settled } = snapshot;
openDelivery({
  ...{ log, database, snapshot, clock, random: Math.random, isAlone: true, onTrouble, onNotice: () => undefined },
  edit: createResourceService({ database, outbox, clock, definitions, settled, onTrouble }).edit,
  sender: createSender({ allowPrivateDestinations: true }),
  terms: { pausesMs: Array(6).fill(300), pauseAfterMs: 3_600_000, probeEveryMs: 60_000, keepMs: 3_600_000 },
});
