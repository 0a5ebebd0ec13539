import { callEventNames } from "../../../../ingest/event.ts";
import {
  alwaysReadOnly,
  choice,
  externalId,
  freeForm,
  integer,
  name,
  noHttpUrls,
  pausedReadOnly,
  type Table,
  text,
} from "./kinds.ts";

const methods = ["GET", "PUT", "PATCH", "DELETE", "POST"];

export const outgoingWebhook: Table = {
  title: "Outgoing webhook configuration",
  path: "outgoing-webhooks",
  least: () => ({ name: "CRM", event_type_id: "call.completed", url: "https://crm.example/calls" }),
  fields: {
    name,
    description: text({ max: 2000 }),
    event_type_id: choice(callEventNames, { required: true, derives: ["event_type"] }),
    url: {
      required: true,
      accepted: () => [
        "https://crm.example/c?id=[CALL_ID]",
        "http://crm.example:8080/[CALLER_ID]/x",
        "HTTPS://A.example",
      ],
      refused: [...noHttpUrls, "https://a b.example"].map((value) => ({ value })),
    },
    method: { ...choice(methods, { default: "POST" }), folded: [["patch", "PATCH"]] },
    params: freeForm({ default: {} }),
    headers: freeForm({ default: {} }),
    body: freeForm({ default: {} }),
    body_type: { ...choice(["form", "urlencoded", "json"], { default: "json" }), folded: [["JSON", "json"]] },
    concurrency: integer({ min: 1, max: 100, default: 10 }),
    external_id: externalId,
  },
  readOnly: {
    ...alwaysReadOnly,
    ...pausedReadOnly,
    event_type: { id: "another", name: "Another" },
    delivery_state: "paused",
    delivery_reason: "gone",
    failing_since: "2026-01-01T00:00:00.000Z",
    next_probe_at: "2026-01-01T00:00:00.000Z",
    is_signed: true,
    previous_secret_until: "2026-01-01T00:00:00.000Z",
    health: { failing_since: "2026-01-01T00:00:00.000Z" },
    signing: { secret: "chosen by the client", previous: null },
  },
};

export const incomingWebhook: Table = {
  title: "Incoming webhook configuration",
  path: "incoming-webhooks",
  least: () => ({ name: "Leads" }),
  fields: {
    name,
    description: text({ max: 2000 }),
    type: choice(["update_revenue", "update_tags", "update_fields", "call_data"], {
      default: "call_data",
      derives: ["url"],
    }),
    lifespan: integer({ min: 1, max: 31_536_000, default: 3600 }),
    caller_id_match_days: integer({ min: 1, max: 365, default: 15 }),
    external_id: externalId,
  },
  readOnly: { ...alwaysReadOnly, auth_key: "chosen by the client", url: "https://a.example" },
};
