import { expect, test } from "vitest";
import { exampleConfig, openPlatform, openTestReceiver, trackingNumber } from "../../platform.ts";
import { openCollector, type ReceivedSpan } from "./collector.ts";

const caller = "+12125550142";

test("a call is one trace a request: the switch's request, publishing, the fold, the delivery, loading", async () => {
  const collector = await openCollector();
  let asked = 0;
  const receiver = await openTestReceiver(() => {
    asked += 1;
    return { status: asked === 1 ? 500 : 200 };
  });
  const settings = {
    WEBHOOK_RETRY_SECONDS: "0",
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "api-key=let%20me%20in",
    OTEL_SERVICE_NAME: "calls",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
  };
  const { platform, url, one, post, call } = await openPlatform({
    documents: (org) => exampleConfig(receiver.url, ["call.incoming", "call.connected"], org),
    settings,
  });
  const given = `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`;
  const arrived = await call(
    "POST",
    "/telephony/simulator/calls",
    { "X-API-Key": one.key, traceparent: given },
    { from: caller, to: trackingNumber, tags: { secret_word: "xyzzy" } },
  );
  expect(arrived.status).toBe(201);
  await post(`/telephony/simulator/calls/${arrived.body.call_id}/events`, one.key, { type: "answer" });
  await expect.poll(() => receiver.received.length).toBe(3);
  const answered = await call(
    "POST",
    "/reporting_ai/query",
    { Authorization: `Bearer ${one.token}` },
    { query: "calls today" },
  );
  expect(answered.status).toBe(200);
  await fetch(`${url}/healthz`);
  await expect
    .poll(async () => (await call("GET", "/api/v1/reports/calls?limit=10", { "X-API-Key": one.key })).body.data)
    .toMatchObject([{ call_id: arrived.body.call_id, status: "connected" }]);
  await platform.stop();

  const { spans, resources, received } = collector;
  expect(resources[0]).toMatchObject({ "service.name": "calls", "deployment.environment.name": "test" });
  expect(received[0]).toMatchObject({ path: "/v1/traces", headers: { "api-key": "let me in" } });

  const inTrace = spans.filter(({ traceId }) => traceId === "ab".repeat(16));
  const named = (name: string): ReceivedSpan => {
    const found = inTrace.find((span) => span.name === name);
    if (found === undefined) throw new Error(`no span ${name} among ${inTrace.map((span) => span.name).join(", ")}`);
    return found;
  };
  const request = named("POST /telephony/simulator/calls");
  expect(request).toMatchObject({
    kind: 2,
    parentSpanId: "cd".repeat(8),
    attributes: { "http.route": "/telephony/simulator/calls", "http.response.status_code": 201 },
  });
  const published = inTrace.filter(({ parentSpanId }) => parentSpanId === request.spanId);
  expect(published.map(({ name, kind }) => [name, kind])).toContainEqual([expect.stringMatching(/^publish/), 4]);
  const fold = named("fold call-signals");
  expect(published.map(({ spanId }) => spanId)).toContain(fold.parentSpanId);
  expect(fold).toMatchObject({ kind: 5, attributes: { "trunkline.call_id": arrived.body.call_id } });
  const delivered = named("deliver call-events");
  const events = inTrace.filter(({ name }) => name === "publish call-events");
  expect(events.map(({ parentSpanId }) => parentSpanId)).toContain(fold.spanId);
  expect(events.map(({ spanId }) => spanId)).toContain(delivered.parentSpanId);
  // The first attempt fails; the second one comes from the database, and is in the same trace.
  const attempts = inTrace.filter(({ parentSpanId, name }) => parentSpanId === delivered.spanId && name === "POST");
  const attempt = { name: "POST", kind: 3 };
  const about = { "server.address": "127.0.0.1", "http.request.method": "POST", "trunkline.event": "call.incoming" };
  expect(attempts).toMatchObject([
    {
      ...attempt,
      status: { code: 2 },
      attributes: { ...about, "http.request.resend_count": 0, "http.response.status_code": 500, "error.type": "500" },
    },
    { ...attempt, attributes: { ...about, "http.request.resend_count": 1, "http.response.status_code": 200 } },
  ]);

  // Loaded alone or with others.
  const ids = new Set(inTrace.map(({ spanId }) => spanId));
  const loads = spans.filter(({ name }) => name === "insert call-events");
  const causes = loads.flatMap(({ parentSpanId, links }) => [parentSpanId, ...links.map(({ spanId }) => spanId)]);
  expect(causes.some((id) => id !== undefined && ids.has(id))).toBe(true);

  const question = spans.find(({ name }) => name === "POST /reporting_ai/query");
  const parts = spans.filter(({ traceId }) => traceId === question?.traceId).map(({ name }) => name);
  expect(parts).toEqual(expect.arrayContaining(["plan question", "SELECT"]));

  for (const { startTimeUnixNano, endTimeUnixNano } of spans)
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true);
  expect(spans.map(({ name }) => name)).not.toContain("GET /healthz");
  const sent = received.map(({ body }) => body.toString()).join("");
  for (const secret of [
    caller,
    caller.slice(2),
    trackingNumber,
    one.key,
    one.token,
    "xyzzy",
    "call.incoming/",
    receiver.url,
  ])
    expect(sent).not.toContain(secret);
  expect(receiver.received.flatMap(({ headers }) => Object.keys(headers))).not.toContain("traceparent");
});
