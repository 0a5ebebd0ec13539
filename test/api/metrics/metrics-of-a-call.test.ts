import { expect, it, vi } from "vitest";
import { exampleConfig, openTestReceiver, trackingNumberOf } from "../../platform.ts";
import { usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform({ settings: { ALLOW_PRIVATE_DESTINATIONS: "true" } });

/** The figures of `/metrics` by name and labels. */
async function readMetrics(): Promise<ReadonlyMap<string, number>> {
  const response = await fetch(`${rig().url}/metrics`);
  expect(response.headers.get("content-type")).toContain("text/plain");
  const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}

const sum = (all: ReadonlyMap<string, number>, name: string, label = "") =>
  [...all].reduce((total, [key, value]) => (key.startsWith(name) && key.includes(label) ? total + value : total), 0);

it("what was published, stored and told of a call adds up, and nothing of the customer shows", async () => {
  const receiver = await openTestReceiver();
  const member = await join();
  await member.save(exampleConfig(receiver.url, ["call.incoming", "call.connected"], member.id));
  const placed = await member.post("/telephony/simulator/calls", {
    from: "+12125550123",
    to: trackingNumberOf(member.id),
  });
  const tell = (type: string) => member.post(`/telephony/simulator/calls/${placed.body.call_id}/events`, { type });
  await tell("answer");
  await tell("hangup");
  await member.get("/api/v1/targets/nowhere");
  await fetch(`${rig().url}/inbound_rtb/nowhere`);
  await fetch(`${rig().url}/no/such/page`);

  await vi.waitFor(async () => {
    const all = await readMetrics();
    expect(all.get('trunkline_deliveries_total{outcome="delivered"}')).toBe(2);
    expect(all.get('trunkline_loader_messages_total{topic="webhook-deliveries",fate="stored"}')).toBe(2);
    for (const topic of ["call-events", "webhook-deliveries", "call-traces"]) {
      const published = all.get(`trunkline_log_published_messages_total{topic="${topic}"}`);
      expect(published, topic).toBeGreaterThan(0);
      expect(all.get(`trunkline_loader_consumed_messages_total{topic="${topic}"}`), topic).toBe(published);
      expect(sum(all, "trunkline_loader_messages_total", `topic="${topic}"`), topic).toBe(published);
    }
    for (const place of [
      'consumer="lifecycle",topic="call-signals"',
      'consumer="deliver",topic="call-events"',
      'consumer="load",topic="call-events"',
      'consumer="load",topic="audit-log"',
    ]) {
      expect(all.get(`trunkline_backlog_messages{${place}}`), place).toBe(0);
      expect(all.get(`trunkline_backlog_oldest_seconds{${place}}`), place).toBe(0);
    }
    expect(all.get('trunkline_lifecycle_signals_total{fate="taken"}')).toBe(
      all.get('trunkline_log_published_messages_total{topic="call-signals"}'),
    );
  });
  const all = await readMetrics();
  const http = (operation: string, status: string) =>
    all.get(`trunkline_http_request_seconds_count{operation="${operation}",status="${status}"}`);
  expect(http("POST /telephony/simulator/calls", "2xx")).toBe(1);
  expect(http("POST /telephony/simulator/calls/{call_id}/events", "2xx")).toBe(2);
  expect(http("GET /api/v1/targets/{target_id}", "4xx")).toBe(1);
  expect(http("GET /inbound_rtb/{rtb_id}", "4xx")).toBe(1);
  expect(http("other", "4xx")).toBe(1);
  expect(all.has("nodejs_eventloop_lag_seconds")).toBe(true);
  const text = [...all.keys()].join("\n");
  for (const own of [member.id, member.key, "Solar East", placed.body.call_id, receiver.url])
    expect(text).not.toContain(own);
});
