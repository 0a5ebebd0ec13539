import { expect, it } from "vitest";
import { createOrgConfig } from "../../../../api/config/org-config.ts";
import { webhooksFor } from "../../../../api/webhooks/deliver/first-attempts.ts";
import { anAdjusted, anEvent, anIncoming, anOutgoingWebhook, orgOne, signalsOfCall } from "../../../make.ts";

it("an event that is told quietly is told no webhook, and the same one aloud is", () => {
  const { config, put } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  put({ type: "outgoing_webhook", doc: anOutgoingWebhook({ event_type_id: "call.updated" }) });
  const [, ...rest] = signalsOfCall(16);
  const event = (fire_webhooks: boolean) =>
    anEvent("call.updated", [
      anIncoming({ webhook_ids: ["hook-1"] }),
      ...rest,
      anAdjusted({ payout: 1, fire_webhooks }),
    ]);
  expect(webhooksFor({ config: () => config }, event(true)).map(({ id }) => id)).toEqual(["hook-1"]);
  expect(webhooksFor({ config: () => config }, event(false))).toEqual([]);
});
