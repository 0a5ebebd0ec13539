export const started = "timezone('America/New_York', timezone('UTC', started_at))";
export const created = "timezone('America/New_York', timezone('UTC', created_at))";
export const october = `${started} >= TIMESTAMP '2026-10-01' AND ${started} < TIMESTAMP '2026-11-01'`;
export const days = (column: string, from: string, to: string) =>
  `${column} >= TIMESTAMP '${from}' AND ${column} < TIMESTAMP '${to}'`;
export const calls = "FROM calls WHERE org_id = 'org_one'";
export const deliveries = "FROM outgoing_webhook_requests WHERE org_id = 'org_one'";

/** Questions and the rows that hand-written SQL gives for them. */
export const golds: readonly [string, string][] = [
  [
    "revenue by campaign last month",
    `SELECT campaign_name AS campaign, sum(revenue) AS revenue ${calls} AND ${october} GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "calls by duration in buckets of 45 seconds last month",
    `SELECT CAST(45 * (duration // 45) AS DOUBLE) AS duration_from, count(*) AS calls ${calls} AND ${october} AND duration IS NOT NULL GROUP BY 1 ORDER BY 1`,
  ],
  [
    "ratio of payout to revenue by campaign last month",
    `SELECT campaign_name AS campaign, sum(payout) / nullif(sum(revenue), 0) AS payout_per_revenue ${calls} AND ${october} GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1`,
  ],
  [
    "payout as a percentage of revenue last month",
    `SELECT 100.0 * sum(payout) / sum(revenue) AS payout_percent_of_revenue ${calls} AND ${october}`,
  ],
  [
    "which publishers grew the most in revenue, october vs september",
    `SELECT publisher, revenue, revenue_before, 100.0 * (revenue - revenue_before) / nullif(revenue_before, 0) AS revenue_change FROM (
      SELECT publisher_name AS publisher, coalesce(sum(revenue) FILTER (WHERE ${october}), 0) AS revenue,
        coalesce(sum(revenue) FILTER (WHERE ${days(started, "2026-09-01", "2026-10-01")}), 0) AS revenue_before ${calls} GROUP BY 1
    ) AS sums ORDER BY revenue - revenue_before DESC LIMIT 10`,
  ],
  [
    "calls by hour of day between 9am and 5pm last month",
    `SELECT hours.hour_of_day, (SELECT count(*) ${calls} AND ${october} AND hour(${started}) = hours.hour_of_day) AS calls
      FROM range(9, 17) AS hours(hour_of_day) ORDER BY 1`,
  ],
  [
    "calls by day on weekdays in October",
    `SELECT strftime(days.day, '%Y-%m-%d') AS day, (SELECT count(*) ${calls} AND CAST(${started} AS DATE) = days.day) AS calls
      FROM (SELECT CAST(unnest(generate_series(DATE '2026-10-01', DATE '2026-10-31', INTERVAL 1 DAY)) AS DATE) AS day) AS days
      WHERE isodow(days.day) <= 5 ORDER BY 1`,
  ],
  [
    "calls per hour yesterday after 6pm",
    `SELECT strftime(hours.hour, '%Y-%m-%d %H:00') AS hour,
        (SELECT count(*) ${calls} AND date_trunc('hour', ${started}) = hours.hour) AS calls
      FROM (SELECT unnest(generate_series(TIMESTAMP '2026-11-20 18:00', TIMESTAMP '2026-11-20 23:00', INTERVAL 1 HOUR)) AS hour) AS hours
      ORDER BY 1`,
  ],
  ["how many calls yesterday", `SELECT count(*) AS calls ${calls} AND ${days(started, "2026-11-20", "2026-11-21")}`],
  [
    "top 2 publishers by profit this quarter",
    `SELECT publisher_name AS publisher, sum(profit) AS profit ${calls} AND ${started} >= TIMESTAMP '2026-10-01' GROUP BY 1 ORDER BY 2 DESC LIMIT 2`,
  ],
  [
    "average call duration by buyer in October",
    `SELECT buyer_name AS buyer, avg(duration) AS avg_duration ${calls} AND ${october} GROUP BY 1 ORDER BY 2 DESC`,
  ],
  [
    "failed webhook deliveries by webhook last 7 days",
    `SELECT webhook_config_name AS webhook, count(*) FILTER (WHERE outcome <> 'delivered') AS failed_deliveries ${deliveries} AND ${days(created, "2026-11-14", "2026-11-21")} GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "calls by state this month",
    `SELECT caller_state AS state, count(*) AS calls ${calls} AND ${started} >= TIMESTAMP '2026-11-01' GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "missed calls per target last week",
    `SELECT target_name AS target, count(*) FILTER (WHERE status = 'failed') AS failed_calls ${calls} AND ${days(started, "2026-11-09", "2026-11-16")} GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "epc by campaign",
    `SELECT campaign_name AS campaign, sum(revenue) / count(connected_at) AS epc ${calls} GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "calls longer than 5 minutes by buyer",
    `SELECT buyer_name AS buyer, count(*) AS calls ${calls} AND duration > 300 GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "which campaign made the most money in the last two weeks?",
    `SELECT campaign_name AS campaign, sum(revenue) AS revenue ${calls} AND ${days(started, "2026-11-02", "2026-11-16")} GROUP BY 1 ORDER BY 2 DESC LIMIT 1`,
  ],
  [
    "calls from Texas to Best Quote Desk",
    `SELECT count(*) AS calls ${calls} AND caller_state = 'TX' AND target_name = 'Best Quote Desk'`,
  ],
  [
    "incoming webhook requests by type",
    "SELECT webhook_config_type AS type, count(*) AS requests FROM incoming_webhook_requests WHERE org_id = 'org_one' GROUP BY 1 ORDER BY 2 DESC",
  ],
  [
    "revenue by utm_source",
    `SELECT tags['utm_source'] AS tag_utm_source, sum(revenue) AS revenue ${calls} GROUP BY 1 ORDER BY 2 DESC`,
  ],
  [
    "calls not from Texas or Florida",
    `SELECT count(*) AS calls ${calls} AND (caller_state IS NULL OR caller_state NOT IN ('TX', 'FL'))`,
  ],
  [
    "publishers with more than 79 calls",
    `SELECT publisher_name AS publisher, count(*) AS calls ${calls} GROUP BY 1 HAVING count(*) > 79 ORDER BY 2 DESC, 1`,
  ],
  [
    "revenue of converted calls by buyer and campaign",
    `SELECT buyer_name AS buyer, campaign_name AS campaign, sum(revenue) AS revenue ${calls} AND converted GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2`,
  ],
  [
    "calls between 9am and 5pm on weekends",
    `SELECT count(*) AS calls ${calls} AND hour(${started}) BETWEEN 9 AND 16 AND isodow(${started}) > 5`,
  ],
  [
    "bids by buyer",
    "SELECT buyer_name AS buyer, count(*) AS bids FROM outbound_rtb_requests WHERE org_id = 'org_one' AND outcome = 'bid' GROUP BY 1",
  ],
  [
    "how many publishers had more than 5 converted calls in October",
    `SELECT count(*) AS groups FROM (SELECT publisher_name ${calls} AND ${october} AND publisher_name IS NOT NULL GROUP BY 1 HAVING count(*) FILTER (WHERE converted) > 5)`,
  ],
  [
    // A day without calls is one with fewer than 3.
    "how many days in October had fewer than 3 calls",
    `SELECT 31 - (SELECT count(*) FROM (SELECT date_trunc('day', ${started}) ${calls} AND ${october} GROUP BY 1 HAVING count(*) >= 3)) AS groups`,
  ],
  [
    "average, least and most calls per day in October",
    `SELECT sum(calls) / 31 AS calls_average, CASE WHEN count(*) < 31 THEN 0 ELSE min(calls) END AS calls_least, max(calls) AS calls_most FROM (SELECT count(*) AS calls ${calls} AND ${october} GROUP BY date_trunc('day', ${started}))`,
  ],
  [
    "calls by buyer that failed or were shorter than 90 seconds or came from Texas",
    `SELECT buyer_name AS buyer, count(*) AS calls ${calls} AND (status = 'failed' OR duration < 90 OR caller_state = 'TX') GROUP BY 1 ORDER BY 2 DESC, 1`,
  ],
  [
    "what percentage of calls converted or were longer than 5 minutes",
    `SELECT count(*) FILTER (WHERE converted OR duration > 300) AS calls, 100.0 * count(*) FILTER (WHERE converted OR duration > 300) / count(*) AS calls_share ${calls}`,
  ],
  [
    "publishers with more than 22 calls or more than $150 in revenue in October",
    `SELECT publisher_name AS publisher, count(*) AS calls, coalesce(sum(revenue), 0) AS revenue ${calls} AND ${october} GROUP BY 1 HAVING count(*) > 22 OR sum(revenue) > 150 ORDER BY 2 DESC, 1`,
  ],
  [
    "what percent of revenue came from the top 2 publishers in October",
    `SELECT sum(revenue) AS revenue_total, 100.0 * sum(revenue) / (SELECT sum(revenue) ${calls} AND ${october}) AS revenue_share FROM (
      SELECT sum(revenue) AS revenue ${calls} AND ${october} AND publisher_name IS NOT NULL GROUP BY publisher_name ORDER BY 1 DESC NULLS LAST LIMIT 2)`,
  ],
  [
    "second best publisher by revenue in October",
    `SELECT publisher_name AS publisher, sum(revenue) AS revenue ${calls} AND ${october} AND publisher_name IS NOT NULL GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1 LIMIT 1 OFFSET 1`,
  ],
  [
    "which publishers sent more calls in October than in September",
    `SELECT publisher, calls, calls_before, 100.0 * (calls - calls_before) / nullif(calls_before, 0) AS calls_change FROM (
      SELECT publisher_name AS publisher, count(*) FILTER (WHERE ${october}) AS calls, count(*) FILTER (WHERE ${days(started, "2026-09-01", "2026-10-01")}) AS calls_before ${calls} GROUP BY 1
    ) AS sums WHERE calls > calls_before ORDER BY calls - calls_before DESC, publisher`,
  ],
  [
    "calls by caller today vs yesterday",
    `SELECT caller, calls, calls_before, 100.0 * (calls - calls_before) / nullif(calls_before, 0) AS calls_change FROM (
      SELECT caller_id AS caller, count(*) FILTER (WHERE ${days(started, "2026-11-21", "2026-11-22")}) AS calls, count(*) FILTER (WHERE ${days(started, "2026-11-20", "2026-11-20 10:00:00")}) AS calls_before ${calls} AND ${days(started, "2026-11-20", "2026-11-22")} GROUP BY 1
    ) AS sums WHERE calls + calls_before > 0 ORDER BY calls DESC, caller`,
  ],
  [
    "7 day moving average of calls in October",
    `SELECT day, calls, avg(calls) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS calls_moving_average FROM (
      SELECT strftime(days.day, '%Y-%m-%d') AS day, (SELECT count(*) ${calls} AND CAST(${started} AS DATE) = days.day) AS calls
      FROM (SELECT CAST(unnest(generate_series(DATE '2026-10-01', DATE '2026-10-31', INTERVAL 1 DAY)) AS DATE) AS day) AS days
    ) AS counted ORDER BY 1`,
  ],
  [
    "standard deviation of call duration by buyer",
    `SELECT buyer_name AS buyer, CASE WHEN count(duration) > 1 THEN stddev_samp(duration) END AS stddev_duration ${calls} GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1`,
  ],
  ["median call duration", `SELECT quantile_cont(duration, 0.5) AS median_duration ${calls}`],
  ["unique callers in October", `SELECT count(DISTINCT caller_id) AS unique_callers ${calls} AND ${october}`],
  [
    "calls between 2 and 5 minutes with revenue over $25",
    `SELECT count(*) AS calls ${calls} AND duration BETWEEN 120 AND 300 AND revenue > 25`,
  ],
];
