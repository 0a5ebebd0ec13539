import type { CallId } from "../../../../ingest/primitives.ts";
import { anEvent, anOutgoingWebhook, signalsOfCall } from "../../../make.ts";
import { openDeliverer } from "./open-deliverer.ts";

/** Deliveries in a process of their own, of so many calls, published if the folder is new; until it is killed. */
const [dataDir = "", receiverUrl = "", count = "0"] = process.argv.slice(2);

const webhook = anOutgoingWebhook({ id: "hook", url: `${receiverUrl}/[CALL_ID]` });
await openDeliverer({
  ...{ dataDir, webhooks: [webhook], pausesMs: Array(6).fill(300) },
  async fill(log) {
    if ((await log.ends("call-events")).some((end) => end > 0)) return;
    const event = anEvent("call.completed", signalsOfCall(16));
    const terms = { ...event.terms, campaign_webhook_ids: [webhook.id] };
    const events = Array.from({ length: Number(count) }, (_, index) => {
      const call_id = `call-${index}` as CallId;
      return { ...event, terms, call_id, id: `${call_id}:call.completed` };
    });
    await log.publish(events.map((each) => ({ topic: "call-events", key: each.call_id, value: JSON.stringify(each) })));
  },
});
