import { describe, expect, it } from "vitest";
import { noTimings } from "../../../../api/outbound/exchange-timer.ts";
import { type Attempt, cutToFit, toOutgoingRequest } from "../../../../api/webhooks/deliver/record.ts";
import { outgoingRequestSchema } from "../../../../ingest/delivery.ts";
import { anEvent, anOutgoingRequest, anOutgoingWebhook, secondsIn, startOfTime } from "../../../make.ts";

const anAttempt = (
  request: Partial<Attempt["request"]> = {},
  exchange: Partial<Attempt["exchange"]> = {},
): Attempt => ({
  event: anEvent("call.completed"),
  webhook: anOutgoingWebhook(),
  attempt: 1,
  deliveryId: "delivery-1",
  trigger: "automatic",
  nextAt: null,
  beganAt: startOfTime,
  endedAt: startOfTime + 31,
  request: { method: "POST", url: "https://crm.example/calls?x=1&y=%20", headers: {}, body: "{}", ...request },
  exchange: {
    outcome: "delivered",
    status: 200,
    headers: { server: "crm" },
    body: "ok",
    error: null,
    elapsedMs: 30,
    errorClass: null,
    timings: noTimings,
    ...exchange,
  },
});

describe("the record of an attempt", () => {
  it("says what was sent, for which event, and what came back", () => {
    const record = toOutgoingRequest(anAttempt());
    expect(outgoingRequestSchema.parse(record)).toEqual(record);
    expect(record).toMatchObject({
      org_id: "org_one",
      call_id: "call-1",
      event_id: "call-1:call.completed",
      event_type_id: "call.completed",
      outgoing_webhook_config_id: "hook-1",
      webhook_config_name: "CRM",
      attempt: 1,
      outcome: "delivered",
      method: "POST",
      path: "/calls",
      query_string: "x=1&y=%20",
      body: "{}",
      response_status_code: 200,
      response_body: "ok",
      response_headers: { server: "crm" },
      response_time_ms: 30,
      created_at: secondsIn(0),
      updated_at: secondsIn(0.031),
    });
  });

  it("has an id of its own each time", () => {
    expect(toOutgoingRequest(anAttempt()).id).not.toBe(toOutgoingRequest(anAttempt()).id);
  });

  it("of an address that was none shows it as it stood, without a query", () => {
    expect(toOutgoingRequest(anAttempt({ url: "[HOST]/x" }))).toMatchObject({ path: "[HOST]/x", query_string: null });
  });

  it("shows no password of the address", () => {
    const record = toOutgoingRequest(anAttempt({ url: "https://user:hunter2@crm.example/x" }));
    expect(record.url).toBe("https://user:***@crm.example/x");
  });

  it("hides credentials in the headers of both sides", () => {
    const record = toOutgoingRequest(
      anAttempt({ headers: { authorization: "Bearer t" } }, { headers: { "set-cookie": "session=1" } }),
    );
    expect(record).toMatchObject({ headers: { authorization: "***" }, response_headers: { "set-cookie": "***" } });
  });
});

describe("a record that is too large for the log", () => {
  it("is cut in each of its long parts, says so, and then fits", () => {
    const long = "\u0001".repeat(1_000_000);
    const headers = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`x-${index}`, "v".repeat(1000)]));
    const record = anOutgoingRequest({
      url: long,
      path: long,
      query_string: long,
      body: long,
      headers,
      response_body: long,
      response_headers: headers,
      error: long,
    });
    const cut = cutToFit(record);
    expect(JSON.stringify(cut).length).toBeLessThan(1024 * 1024);
    expect(cut.body).toMatch(/… \[cut\]$/);
    expect(outgoingRequestSchema.parse(cut)).toEqual(cut);
  });

  it("keeps its short parts as they are", () => {
    const record = anOutgoingRequest({ body: null, response_body: "x".repeat(20_000) });
    expect(cutToFit(record)).toEqual({ ...record, response_body: cutToFit(record).response_body });
  });
});
