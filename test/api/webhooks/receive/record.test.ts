import { expect, it } from "vitest";
import { type Exchanged, toIncomingRequest } from "../../../../api/webhooks/receive/record.ts";
import { incomingRequestSchema } from "../../../../ingest/delivery.ts";
import { secondsIn, startOfTime } from "../../../make.ts";
import { aWebhook } from "./rig.ts";

const record = (given: Partial<Omit<Exchanged, "request">> & { request?: Partial<Exchanged["request"]> } = {}) =>
  toIncomingRequest({
    webhook: aWebhook(),
    text: "{}",
    transactionId: null,
    callId: null,
    beganAt: startOfTime,
    endedAt: startOfTime,
    answer: { status: 200, headers: {}, body: "{}" },
    ...given,
    request: { method: "POST", url: "/call-data?svc_auth_key=k", headers: {}, sourceIp: null, ...given.request },
  });

it("a record is one of the history, of the call that was found", () => {
  const given = { callId: "call-1", transactionId: "t", endedAt: startOfTime + 1500 };
  const made = record(given);
  expect(incomingRequestSchema.parse(made)).toEqual(made);
  expect(made).toMatchObject({
    call_id: "call-1",
    call_log_id: "call-1",
    transaction_id: "t",
    response_time_ms: 1500,
    created_at: secondsIn(0),
    updated_at: secondsIn(1.5),
    incoming_webhook_config_id: "hook-1",
    webhook_config_name: "Leads",
    webhook_config_type: "call_data",
  });
});

it.each([
  ["/call-data?svc_auth_key=k", "svc_auth_key=***"],
  ["/call-data?a=1+2&svc%5Fauth%5Fkey=k&api_key=x&b=%26", "a=1%202&svc_auth_key=***&api_key=***&b=%26"],
  ["/call-data?svc_auth_key=a?b=c", "svc_auth_key=***"],
  ["/call-data?SVC_AUTH_KEY=k", "SVC_AUTH_KEY=***"],
])("the query of %s is kept as %s", (url, query_string) => {
  expect(record({ request: { url } })).toMatchObject({ query_string, path: "/call-data" });
});

it("credentials in headers are masked, whatever their case", () => {
  const headers = { authorization: "a", "X-API-Key": "b", cookie: ["c", "d"], "x-plain": ["e", "f"], gone: undefined };
  expect(record({ request: { headers } }).headers).toEqual({
    authorization: "***",
    "X-API-Key": "***",
    cookie: "***",
    "x-plain": "e, f",
  });
});

it("what no store or no log takes is cut or replaced, and said to be cut", () => {
  const made = record({
    text: `a\0b\ud800${"\u0001".repeat(200_000)}`,
    answer: { status: 200, headers: {}, body: "\u0001".repeat(50_000) },
  });
  expect(made.body?.startsWith("a\ufffdb\ufffd")).toBe(true);
  expect([made.body?.endsWith("[cut]"), made.response_body?.endsWith("[cut]")]).toEqual([true, true]);
  expect(Buffer.byteLength(JSON.stringify(made))).toBeLessThan(1024 * 1024);
});
