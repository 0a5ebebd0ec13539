import { expect, it } from "vitest";
import { incomingWebhookStats, outgoingWebhookStats } from "../../../warehouse/history/webhook-stats.ts";
import { duckdbRtbDialect } from "../../../warehouse/rtb/dialect-duckdb.ts";
import { anIncomingRequest, anOutgoingRequest, orgOne, orgTwo, secondsIn } from "../../make.ts";
import { openHistory } from "./rig.ts";

const period = { from: new Date(secondsIn(0)), to: new Date(secondsIn(3600)) };
const asked = { orgId: orgOne, period, webhookIds: ["hook-1", "hook-2", "receiver-1", "receiver-2"] };

async function openStats() {
  const { warehouse, publish } = await openHistory();
  return { store: { warehouse, dialect: duckdbRtbDialect }, publish };
}

it("counts attempts at each outgoing webhook, what came through, how long answers took, and tells of the last failure", async () => {
  const { store, publish } = await openStats();
  const failed = { outcome: "refused", error_class: "http_5xx", response_status_code: 500 } as const;
  const timedOut = { outcome: "timeout", error_class: "timeout", response_status_code: null } as const;
  await publish([
    anOutgoingRequest({ id: "a", response_time_ms: 100, created_at: secondsIn(10) }),
    anOutgoingRequest({ id: "b", response_time_ms: 200, created_at: secondsIn(20) }),
    anOutgoingRequest({ id: "c", ...failed, response_time_ms: 300, created_at: secondsIn(30) }),
    anOutgoingRequest({ id: "d", ...timedOut, response_time_ms: 10_000, error: "too late", created_at: secondsIn(40) }),
    anOutgoingRequest({ id: "e", response_time_ms: 400, created_at: secondsIn(50) }),
    anOutgoingRequest({ id: "before", ...failed, created_at: secondsIn(-1) }),
    anOutgoingRequest({ id: "after", ...failed, created_at: secondsIn(3600) }),
    anOutgoingRequest({ id: "theirs", ...failed, org_id: orgTwo, created_at: secondsIn(60) }),
    anOutgoingRequest({ id: "unasked", outgoing_webhook_config_id: "hook-3" }),
  ]);
  const stats = await outgoingWebhookStats(store, asked);
  expect([...stats]).toEqual([
    [
      "hook-1",
      {
        attempts: 5,
        delivered: 3,
        failed: 2,
        unsent: 0,
        success_rate: 0.6,
        p95_ms: 385,
        last_attempt_at: secondsIn(50),
        last_failure: {
          id: "d",
          at: secondsIn(40),
          call_id: "call-1",
          event_type_id: "call.completed",
          outcome: "timeout",
          response_status_code: null,
          error: "too late",
        },
      },
    ],
  ]);
});

it("counts what was never sent apart from attempts, and knows no rate of nothing", async () => {
  const { store, publish } = await openStats();
  const expired = { outcome: "expired", error_class: "expired", response_status_code: null } as const;
  await publish([
    anOutgoingRequest({ id: "a", ...expired, response_time_ms: null, created_at: secondsIn(1) }),
    anOutgoingRequest({ id: "b", ...expired, response_time_ms: null, created_at: secondsIn(1) }),
  ]);
  const stats = await outgoingWebhookStats(store, asked);
  expect(stats.get("hook-1")).toMatchObject({
    attempts: 0,
    failed: 0,
    unsent: 2,
    success_rate: null,
    p95_ms: null,
    last_attempt_at: null,
    last_failure: { id: "b", outcome: "expired" },
  });
  expect(stats.has("hook-2")).toBe(false);
  expect((await outgoingWebhookStats(store, { ...asked, webhookIds: [] })).size).toBe(0);
});

it("counts requests of each incoming webhook, those that found their call, and tells of the last refusal", async () => {
  const { store, publish } = await openStats();
  const body = JSON.stringify({ detail: { code: "unprocessable", message: "No." } });
  await publish([
    anIncomingRequest({ id: "a", call_id: "call-1", response_time_ms: 10, created_at: secondsIn(1) }),
    anIncomingRequest({ id: "b", response_time_ms: 30, created_at: secondsIn(2) }),
    anIncomingRequest({ id: "c", response_status_code: 422, response_body: body, created_at: secondsIn(3) }),
    anIncomingRequest({ id: "d", response_time_ms: 20, created_at: secondsIn(4) }),
  ]);
  const stats = await incomingWebhookStats(store, asked);
  expect([...stats.keys()]).toEqual(["receiver-1"]);
  expect(stats.get("receiver-1")).toEqual({
    requests: 4,
    accepted: 3,
    matched: 1,
    refused: 1,
    acceptance_rate: 0.75,
    p95_ms: 29,
    last_request_at: secondsIn(4),
    last_refusal: { id: "c", at: secondsIn(3), response_status_code: 422, response_body: body },
  });
});
