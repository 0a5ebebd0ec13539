import type { CallEvent } from "../../../../ingest/event.ts";
import type { EventLog } from "../../../../ingest/log/log.ts";
import type { CallId } from "../../../../ingest/primitives.ts";
import { anEvent, anOutgoingWebhook, orgOne, orgTwo, signalsOfCall } from "../../../make.ts";
import { openDeliverer } from "./open-deliverer.ts";

/**
 * Deliveries in a process of their own: it publishes so many events, goes on where a process before it was killed, and
 * says on its standard output how many are safe in the log. SIGTERM ends it well.
 */
const [dataDir = "", count = "0", ...urls] = process.argv.slice(2);

const webhooks = urls.map((url, index) =>
  anOutgoingWebhook({
    id: `hook-${index}`,
    org_id: index % 2 === 0 ? orgOne : orgTwo,
    event_type_id: "call.updated",
    url: `${url}/[TOLD]`,
  }),
);
const template = anEvent("call.completed", signalsOfCall(16));

/** Two events of each call, in the order in which receivers must hear of them; calls take turns by organization. */
function eventOf(index: number): CallEvent {
  const [call, version] = [Math.floor(index / 2), template.version + 1 + (index % 2)];
  const org_id = call % 2 === 0 ? orgOne : orgTwo;
  const id = `call-${call}:${version}` as CallEvent["id"];
  const campaign_webhook_ids = webhooks.filter((webhook) => webhook.org_id === org_id).map((webhook) => webhook.id);
  return {
    ...template,
    id,
    event: "call.updated",
    version,
    call_id: `call-${call}` as CallId,
    org_id,
    tags: { told: id },
    terms: { ...template.terms, campaign_webhook_ids },
  };
}

const batch = 50;
/** From where the log ends: what a killed process had not been told of, but the log had taken, is there. */
async function publishRest(log: EventLog): Promise<void> {
  let [published = 0] = await log.ends("call-events");
  process.stdout.write(`${published}\n`);
  while (published < Number(count)) {
    const events = Array.from({ length: Math.min(batch, Number(count) - published) }, (_, at) =>
      eventOf(published + at),
    );
    await log.publish(events.map((each) => ({ topic: "call-events", key: each.call_id, value: JSON.stringify(each) })));
    published += events.length;
    process.stdout.write(`${published}\n`);
  }
}

const deliverer = await openDeliverer({ dataDir, webhooks, pausesMs: Array(6).fill(300) });
process.once("SIGTERM", () => void deliverer.close().then(() => process.exit(0)));
await publishRest(deliverer.log);
