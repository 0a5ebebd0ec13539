import { describe, expect, it, vi } from "vitest";
import type { CallId } from "../../../ingest/primitives.ts";
import { newClickhouseUrl } from "../../clickhouse-server.ts";
import { anEvent } from "../../make.ts";
import { openPlatform } from "../../platform.ts";

const oddTimes = ["0000-01-01T00:00:00.000Z", "0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"];

const spans = [
  "start_date=0000-01-01&end_date=0000-12-31",
  "start_date=0001-01-01&end_date=0001-12-31",
  "start_date=9999-01-01&end_date=9999-12-31T23:59:59.999Z",
];
const reads = spans.flatMap((span) => [
  ...["hour", "week", "campaign"].map((by) => `reports/summary?group_by=${by}&timezone=America/New_York&${span}`),
  ...["reports/calls?", "audit-logs?", "webhooks/outgoing-requests?", "inbound-rtb/requests?"].map(
    (path) => path + span,
  ),
  ...["inbound", "outbound"].map((way) => `${way}-rtb/stats?group_by=hour&${span}`),
]);
const questions = [
  "calls by hour all time",
  "calls by day all time",
  "calls by hour before today",
  "how many calls all time",
];

/** The warehouse as it is after calls of such times were stored, by a version that took them. */
describe("calls of years that nobody can mean", () => {
  it("are no reason for a report or an answer to fail on DuckDB", { tags: ["slow"] }, () => checkOddTimes({}));
  it("are no reason for a report or an answer to fail on ClickHouse", { tags: ["clickhouse"] }, async () =>
    checkOddTimes({ CLICKHOUSE_URL: await newClickhouseUrl() }),
  );

  async function checkOddTimes(settings: Record<string, string>): Promise<void> {
    const { platform, one, get, call } = await openPlatform({
      settings: { ...settings, API_RATE_LIMIT_PER_MIN: "100000" },
    });
    const allTimes = [...oddTimes, new Date(Date.now() - 30 * 3_600_000).toISOString()];
    for (const [index, at] of allTimes.entries()) {
      const times = { started_at: at, occurred_at: at, created_at: at, updated_at: at };
      const about = { id: `event-${index}`, call_id: `call-${index}` as CallId, org_id: one.id };
      const value = JSON.stringify({ ...anEvent("call.completed"), ...times, ...about });
      await platform.log.publish([{ topic: "call-events", key: about.call_id, value }]);
    }
    for (const index of allTimes.keys())
      await vi.waitFor(async () => {
        expect((await get(`/api/v1/reports/calls/call-${index}`, one.key)).status).toBe(200);
      }, 20_000);
    for (const path of reads) expect([path, (await get(`/api/v1/${path}`, one.key)).status]).toEqual([path, 200]);
    for (const query of questions) {
      const headers = { Authorization: `Bearer ${one.token}` };
      const { status, body } = await call("POST", "/reporting_ai/query", headers, { query });
      expect([query, status, body.data.rows.length > 0]).toEqual([query, 200, true]);
    }
  }
});
