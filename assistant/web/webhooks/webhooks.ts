import * as z from "zod/mini";
import type { ApiRequest } from "../curl.ts";
import { formatMs } from "../format.ts";
import { formatMinute, formatShort } from "../format-time.ts";
import { withQuery } from "../hash-location.ts";
import { formatRate, formatUnit, stateWords } from "../overview/wording.ts";
import { between, isMinute, isSpanName, type Span } from "../period/spans.ts";

const text = z.nullable(z.string());
const number = z.nullable(z.number());
const failure = { id: z.string(), at: z.string(), response_status_code: number };

const attachedSchema = z.object({
  count: z.number(),
  data: z.array(z.object({ kind: z.enum(["campaign", "target", "rtb_formula"]), id: z.string(), name: z.string() })),
});
export type Attached = z.infer<typeof attachedSchema>;

const outgoingSchema = z.object({
  id: z.string(),
  name: z.string(),
  event_type_id: z.string(),
  method: z.string(),
  url: z.string(),
  is_signed: z.boolean(),
  delivery_state: z.enum(["ok", "failing", "paused"]),
  delivery_reason: text,
  failing_since: text,
  next_probe_at: text,
  is_paused: z.boolean(),
  paused_at: text,
  paused_until: text,
  paused_by: text,
  waiting: z.nullable(z.object({ count: z.number(), oldest_at: z.string(), expires_at: z.string() })),
  attached_to: attachedSchema,
  stats: z.nullable(
    z.object({
      attempts: z.number(),
      delivered: z.number(),
      failed: z.number(),
      unsent: z.number(),
      success_rate: number,
      p95_ms: number,
      last_attempt_at: text,
      last_failure: z.nullable(z.object({ ...failure, outcome: z.string(), error: text })),
    }),
  ),
});
export type Outgoing = z.infer<typeof outgoingSchema>;

const incomingSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  url: text,
  attached_to: attachedSchema,
  stats: z.nullable(
    z.object({
      requests: z.number(),
      accepted: z.number(),
      matched: z.number(),
      refused: z.number(),
      acceptance_rate: number,
      p95_ms: number,
      last_request_at: text,
      last_refusal: z.nullable(z.object({ ...failure, response_body: text })),
    }),
  ),
});
export type Incoming = z.infer<typeof incomingSchema>;

const page = {
  meta: z.object({ total: z.number(), next_offset: number, previous_offset: number }),
  may_change: z.boolean(),
};
/** The answers of `GET /v1/webhooks/outgoing-stats` and `/v1/webhooks/incoming-stats`. */
export const outgoingPageSchema = z.object({ ...page, data: z.array(outgoingSchema) });
export const incomingPageSchema = z.object({ ...page, data: z.array(incomingSchema) });

export type Direction = "outgoing" | "incoming";

/** The place that the address names: a list or one webhook, with the period of its figures and a redelivery to follow. */
export type At = Span & {
  readonly direction: Direction;
  readonly id: string | null;
  readonly search: string;
  readonly offset: number;
  readonly redelivery: string;
};

const usualHours = "24";

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

export const readAt = (hash: string): At => {
  const [path = "", query = ""] = hash.split("?");
  const given = new URLSearchParams(query);
  const [, part = given.get("direction"), id = ""] = path.split("/");
  const hours = isSpanName(given.get("hours") ?? "") ? (given.get("hours") ?? "") : usualHours;
  const minute = (name: string): string => {
    const value = given.get(name) ?? "";
    return hours === between && isMinute(value) ? value : "";
  };
  const offset = Number(given.get("offset"));
  return {
    direction: part === "incoming" ? "incoming" : "outgoing",
    id: id === "" ? null : decoded(id),
    search: given.get("search") ?? "",
    offset: Number.isInteger(offset) ? Math.max(0, offset) : 0,
    redelivery: given.get("redelivery") ?? "",
    hours,
    from: minute("from"),
    to: minute("to"),
  };
};

/** The address of a list or a webhook; parts that are as they usually are stay out. */
export const toHash = ({ direction, id, search, offset, redelivery, hours, from, to }: At): string => {
  const span = { hours: hours === usualHours ? "" : hours, from, to };
  if (id !== null) return withQuery(`#webhooks/${direction}/${encodeURIComponent(id)}`, { ...span, redelivery });
  const list = {
    direction: direction === "outgoing" ? "" : direction,
    search,
    offset: offset === 0 ? "" : `${offset}`,
  };
  return withQuery("#webhooks", { ...list, ...span });
};

const byWhom = (by: string | null): string => {
  if (by === null) return "";
  if (by.startsWith("user:")) return ` by ${by.slice("user:".length)}`;
  return by.startsWith("api_key:") ? " by an API key" : "";
};

/** Its state in a word and in a sentence, and what can be done. */
export const stateOf = (webhook: Outgoing, zone: string) => {
  const { delivery_state: state, delivery_reason: reason, next_probe_at: probe, attached_to: attached } = webhook;
  if (state === "ok") {
    if (attached.count > 0) return { label: "Active", tone: "good", words: "", advice: "" };
    const words = "Nothing names it, so it sends nothing.";
    return { label: "Unused", tone: "plain", words, advice: "Attach it to a campaign, a target or an RTB formula." };
  }
  if (state === "failing") {
    const words = `${stateWords(webhook, zone)}.`;
    return {
      label: "Failing",
      tone: "bad",
      words,
      advice: "It is tried again by its schedule; look at the last failure.",
    };
  }
  const words = `${stateWords(webhook, zone)}${reason === "requested" ? byWhom(webhook.paused_by) : ""}.`;
  const probing = probe === null ? "" : `One delivery is tried at ${formatShort(probe, zone)}. `;
  return { label: "Paused", tone: "bad", words, advice: `${probing}What waits goes out once it is resumed.` };
};

/** Deliveries that wait for a paused webhook, and their fate when it is resumed. */
export const waitingWords = ({ waiting, delivery_state: state }: Outgoing, zone: string): string => {
  if (state !== "paused") return "";
  if (waiting === null) return "Nothing waits for it.";
  const { count, oldest_at: oldest, expires_at: expires } = waiting;
  const many = countOf(count, "delivery waits", "deliveries wait");
  return `${many}, the oldest since ${formatMinute(oldest, zone)}. Resuming sends ${count === 1 ? "it" : "them"} at once, as the calls were then; what still waits on ${formatMinute(expires, zone)} begins to be given up.`;
};

/** "1 delivery", "1,204 deliveries". */
export const countOf = (value: number, one: string, many: string): string =>
  `${formatUnit(value, "count")} ${value === 1 ? one : many}`;

/** The state of a receiver, by what it was sent in the period. */
export const receiverState = ({ stats }: Incoming) => {
  if (stats === null || stats.requests === 0) return { label: "Silent", tone: "plain" };
  return stats.accepted === 0 ? { label: "Refusing", tone: "bad" } : { label: "Receiving", tone: "good" };
};

const reasonsUnanswered: Readonly<Record<string, string>> = {
  timeout: "no answer within ten seconds",
  network_error: "it could not be reached",
  blocked: "its address is not allowed",
  invalid: "the request could not be made",
  expired: "it waited too long and was given up",
  cancelled: "its webhook was deleted meanwhile",
};

/** "answered 503" or "no answer within ten seconds: socket hang up" */
export const failureWords = ({
  response_status_code: status,
  outcome,
  error,
}: Pick<NonNullable<NonNullable<Outgoing["stats"]>["last_failure"]>, "response_status_code" | "outcome" | "error">) => {
  if (status !== null) return `answered ${status}`;
  const words = reasonsUnanswered[outcome] ?? outcome.replaceAll("_", " ");
  return error === null ? words : `${words} (${error})`;
};

const refusalSchema = z.object({
  detail: z.union([z.object({ message: z.string() }), z.array(z.object({ msg: z.string() }))]),
});

/** The sentence of an answer that refused a request. */
export const refusalWords = (body: string | null): string => {
  try {
    const { detail } = refusalSchema.parse(JSON.parse(body ?? ""));
    return Array.isArray(detail) ? detail.map(({ msg }) => msg).join("; ") : detail.message;
  } catch {
    return "";
  }
};

const count = (value: number): string => formatUnit(value, "count");
const took = (ms: number | null): string => (ms === null ? "–" : formatMs(Math.round(ms)));

/** The figures of a webhook by their names. */
export const figuresOf = (stats: Outgoing["stats"]): readonly (readonly [string, string])[] =>
  stats === null
    ? []
    : [
        ["Success rate", formatRate(stats.success_rate)],
        ["Attempts", count(stats.attempts)],
        ["Failed", count(stats.failed)],
        ["p95 answer", took(stats.p95_ms)],
        ...(stats.unsent > 0 ? [["Given up unsent", count(stats.unsent)] as const] : []),
      ];

export const receivedFigures = (stats: Incoming["stats"]): readonly (readonly [string, string])[] =>
  stats === null
    ? []
    : [
        ["Requests", count(stats.requests)],
        ["Accepted", formatRate(stats.acceptance_rate)],
        ["Refused", count(stats.refused)],
        ["Found their call", count(stats.matched)],
      ];

/** Requests of the API that change the webhook. */
export const outgoingRequests = ({ id, url, is_paused, is_signed, attached_to }: Outgoing): readonly ApiRequest[] => {
  const path = `/api/v1/outgoing-webhooks/${id}`;
  return [
    ...(attached_to.count === 0
      ? [
          {
            title: "Have a campaign send it; the list is written as a whole:",
            method: "PATCH",
            path: "/api/v1/campaigns/CAMPAIGN_ID",
            body: { outgoing_webhooks: [id] },
          } as const,
        ]
      : []),
    is_paused
      ? { title: "Resume it:", method: "DELETE", path: `${path}/pause` }
      : { title: "Pause it for an hour:", method: "POST", path: `${path}/pause`, body: { duration_minutes: 60 } },
    { title: "Send it elsewhere:", method: "PATCH", path, body: { url: url.replace(":***@", ":PASSWORD@") } },
    is_signed
      ? {
          title: "Sign with a new secret; the one before stays good for a day:",
          method: "POST",
          path: `${path}/signing-secret`,
        }
      : { title: "Sign its requests:", method: "POST", path: `${path}/signing-secret` },
    { title: "Read the whole of it:", method: "GET", path },
  ];
};

export const incomingRequests = ({ id, name }: Incoming): readonly ApiRequest[] => {
  const path = `/api/v1/incoming-webhooks/${id}`;
  return [
    { title: "Rename it:", method: "PATCH", path, body: { name } },
    {
      title: "Look for a caller's call in the last 30 days:",
      method: "PATCH",
      path,
      body: { caller_id_match_days: 30 },
    },
    { title: "Give it a new key; the one before is dead at once:", method: "POST", path: `${path}/rotate-key` },
    { title: "Delete it:", method: "DELETE", path },
  ];
};

/** The request that makes a first webhook. */
export const firstRequest: Readonly<Record<Direction, ApiRequest>> = {
  outgoing: {
    method: "POST",
    path: "/api/v1/outgoing-webhooks",
    body: {
      name: "Tell the CRM",
      event_type_id: "call.completed",
      url: "https://crm.example/calls",
      body: { call: "[CALL_ID]", revenue: "[REVENUE_PAID_OUT_NUMERIC]" },
    },
  },
  incoming: { method: "POST", path: "/api/v1/incoming-webhooks", body: { name: "Lead form", type: "call_data" } },
};

export const redeliverySchema = z.object({
  id: text,
  state: z.enum(["running", "done", "cancelled", "counted"]),
  count: z.number(),
  created_at: z.optional(z.string()),
  filter: z.object({ start_date: z.string(), end_date: z.string() }),
  queued: z.optional(z.number()),
  delivered: z.optional(z.number()),
  failed: z.optional(z.number()),
});
export type Redelivery = z.infer<typeof redeliverySchema>;
/** The answer of `GET /v1/webhooks/redeliveries`. */
export const redeliveriesSchema = z.object({
  data: z.array(z.extend(redeliverySchema, { id: z.string(), created_at: z.string() })),
  meta: z.object({ total: z.number() }),
});

export const previewSchema = z.object({
  call_id: z.string(),
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: text,
  unpopulated: z.array(z.string()),
  error: text,
});
export type Preview = z.infer<typeof previewSchema>;

export const testedSchema = z.object({
  id: z.string(),
  outcome: z.string(),
  response_status_code: number,
  response_time_ms: number,
  response_body: text,
  error: text,
});
export type Tested = z.infer<typeof testedSchema>;
