import { describe, expect, it } from "vitest";
import { lineageIn } from "../../../assistant/sql/lineage.ts";

describe("a column of a SELECT", () => {
  it.each<[string, string | null, string]>([
    ["SELECT sum(revenue) AS x FROM calls", "money", "a sum"],
    ["SELECT round(avg(duration), 1) AS x FROM calls", "seconds", "a rounded average"],
    ["SELECT median(response_time_ms) AS x FROM outgoing_webhook_requests", "ms", "a median"],
    ["SELECT count(*) AS x FROM calls", "count", "a count"],
    ["SELECT count(DISTINCT caller_id) AS x FROM calls", "count", "a distinct count"],
    ["SELECT 100.0 * count(*) FILTER (WHERE converted) / count(*) AS x FROM calls", "percent", "a percentage"],
    ["SELECT sum(revenue) / count(*) AS x FROM calls", null, "a ratio"],
    ["SELECT sum(revenue) FILTER (WHERE duration > 30) AS x FROM calls", "money", "a sum under a condition"],
    ["SELECT sum(CASE WHEN duration > 30 THEN payout ELSE 0 END) AS x FROM calls", "money", "a sum of cases"],
    ["SELECT sum(revenue) - sum(payout) AS x FROM calls", "money", "a difference"],
    ["SELECT sum(revenue) + sum(duration) AS x FROM calls", null, "different units"],
    [
      "SELECT avg(daily) OVER (ORDER BY day ROWS 6 PRECEDING) AS x FROM (SELECT date_trunc('day', started_at) AS day, sum(profit) AS daily FROM calls GROUP BY 1) AS d",
      "money",
      "a subquery's column",
    ],
    [
      "WITH often AS (SELECT caller_id, count(*) AS n FROM calls GROUP BY 1) SELECT max(n) AS x FROM often",
      "count",
      "a common table's column",
    ],
    ["SELECT revenue AS x FROM calls", "money", "a column"],
    ["SELECT campaign_name AS x FROM calls", null, "a name"],
    ["SELECT 'sum(revenue)' AS x", null, "a text"],
  ])("%s has the unit %s, of %s", (sql, unit) => {
    expect(lineageIn(sql).of("x").unit).toBe(unit);
  });

  it("keeps its own unit where it has no alias", () => {
    expect(lineageIn("SELECT duration, campaign_name FROM calls").of("duration").unit).toBe("seconds");
  });

  it.each<[string, boolean, boolean]>([
    ["SELECT started_at AS x FROM calls", false, false],
    ["SELECT date_trunc('day', started_at) AS x FROM calls", true, true],
    ["SELECT CAST(started_at AS DATE) AS x FROM calls", true, true],
    ["SELECT toStartOfDay(toTimeZone(started_at, 'America/New_York')) AS x FROM calls", true, false],
    [
      "SELECT date_trunc('day', timezone('America/New_York', timezone('UTC', started_at))) AS x FROM calls",
      true,
      false,
    ],
    [
      "SELECT day AS x FROM (SELECT date_trunc('day', local) AS day FROM (SELECT timezone('America/New_York', timezone('UTC', started_at)) AS local FROM calls) AS l) AS d",
      true,
      false,
    ],
  ])("%s is the clock of a zone: %s, of UTC: %s", (sql, isWallClock, isUtcBucket) => {
    const lineage = lineageIn(sql);
    expect([lineage.of("x").isWallClock, lineage.hasUtcBucket]).toEqual([isWallClock, isUtcBucket]);
  });
});

it.each([
  [
    "SELECT date_trunc('day', timezone('America/New_York', timezone('UTC', started_at))) AS d FROM calls",
    "America/New_York",
  ],
  ["SELECT date_trunc('day', started_at) AS d FROM calls WHERE campaign_name = 'A/B test'", "UTC"],
])("the zone of %s", (sql, zone) => {
  expect(lineageIn(sql).zone).toBe(zone);
});
