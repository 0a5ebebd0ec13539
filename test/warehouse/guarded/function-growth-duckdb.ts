const nested = (times: number, outer: (inner: string) => string, inner: string): string =>
  times === 0 ? inner : outer(nested(times - 1, outer, inner));
const eight = Array(8).fill("x").join(", ");
const called = "(SELECT call_id AS x FROM calls)";
/** Each beside the one before it in FROM, and eight times as long. */
const lateral = Array.from({ length: 6 }, (_, at) => {
  const before = Array(8).fill(at === 0 ? "b0.call_id" : `b${at}.x`);
  return `LATERAL (SELECT concat(${before.join(", ")}) AS x) AS b${at + 1}`;
});

/** Texts of DuckDB's that make a little large, most of them a hundred times what the machine has. */
export const growing: readonly string[] = [
  `SELECT length(x) FROM ${nested(10, (inner) => `(SELECT concat(${eight}) AS x FROM ${inner})`, called)}`,
  `SELECT length(x) FROM ${nested(20, (inner) => `(SELECT x || x AS x FROM ${inner})`, called)}`,
  `SELECT length(x) FROM ${nested(12, (inner) => `(SELECT CAST(row(x, x, x, x) AS VARCHAR) AS x FROM ${inner})`, called)}`,
  `SELECT len(x) FROM ${nested(12, (inner) => `(SELECT x || x || x AS x FROM ${inner})`, "(SELECT [call_id] AS x FROM calls)")}`,
  `SELECT ${Array.from({ length: 30 }, (_, at) => `concat(x${at}, x${at}) AS x${at + 1}`).join(", ")} FROM (SELECT call_id AS x0 FROM calls)`,
  `WITH ${Array.from({ length: 15 }, (_, at) => `a${at + 1} AS (SELECT concat(x, x, x) AS x FROM ${at === 0 ? called : `a${at}`})`).join(", ")} SELECT x FROM a15`,
  `SELECT (SELECT ${nested(8, (inner) => `concat(${inner}, ${inner})`, "c.call_id")}) FROM calls AS c`,
  `SELECT x FROM calls AS c, (SELECT ${nested(7, (inner) => `concat(${inner}, ${inner})`, "c.call_id")} AS x)`,
  "SELECT length(array_to_string(string_split(x, ''), x)) FROM (SELECT array_to_string(string_split(call_id, ''), call_id) AS x FROM calls)",
  `SELECT length(${nested(32, (inner) => `regexp_escape(${inner})`, "'\\'")})`,
  `SELECT length(${nested(32, (inner) => `CAST(to_json(${inner}) AS VARCHAR)`, `'"'`)})`,
  `SELECT length(${nested(9, (inner) => `url_encode(${inner})`, "'%'")})`,
  `SELECT length(strftime(started_at, '${"%c".repeat(9000)}')) FROM calls`,
  `SELECT ${nested(5, (inner) => `list_transform(${inner}, x -> concat(${eight}))`, "[call_id]")} FROM calls`,
  `SELECT ${nested(5, (inner) => `[concat(${eight}) FOR x IN ${inner}]`, "[call_id]")} FROM calls`,
  `SELECT length(b6.x) FROM calls AS b0, ${lateral.join(", ")}`,
  `SELECT length(b6.x) FROM calls AS b0 ${lateral.map((each) => `JOIN ${each} ON true`).join(" ")}`,
  `SELECT length(b6.x) FROM calls AS b0, ${lateral.map((each) => each.replace("LATERAL ", "")).join(", ")}`,
  `SELECT length(x) FROM ${nested(10, (inner) => `(SELECT concat(${Array(8).fill("#1").join(", ")}) AS x FROM ${inner})`, called)}`,
  "SELECT string_agg(x) FROM (SELECT string_agg(x) AS x FROM (SELECT string_agg(call_id) AS x FROM calls))",
  "SELECT length(string_agg(a.call_id) OVER (ORDER BY a.call_id, b.call_id)) FROM calls AS a, calls AS b",
  "SELECT len(list(a.call_id) OVER (ORDER BY a.call_id, b.call_id)) FROM calls AS a, calls AS b",
  "SELECT len(list_transform(range(100000), x -> list_transform(range(100000), y -> x + y)))",
  "SELECT list_transform(list(call_id), x -> list_transform([1, 2], y -> x)) FROM calls",
  "SELECT length(list_transform(l, x -> l)) FROM (SELECT list(call_id) AS l FROM calls)",
  "SELECT length([l FOR x IN l]) FROM (SELECT list(call_id) AS l FROM calls)",
  "SELECT length(list_filter(l, x -> len(list_distinct(l)) > 1)) FROM (SELECT list(call_id) AS l FROM calls)",
  "SELECT list_transform(string_split(body, ''), x -> body) FROM outgoing_webhook_requests",
  "SELECT list_transform(string_split(body, ''), lambda x, i: concat(x, body)) FROM outgoing_webhook_requests",
  "SELECT list_transform(string_split(body, ''), x -> o.body) FROM outgoing_webhook_requests AS o",
  "SELECT list_transform(string_split(body, ''), x -> x.body) FROM outgoing_webhook_requests AS x",
  "SELECT list_transform(string_split(x, ''), X -> x) FROM (SELECT body AS x FROM outgoing_webhook_requests)",
  "SELECT list_transform(string_split(body, ''), x -> #1) FROM (SELECT body FROM outgoing_webhook_requests)",
  "SELECT len(list_transform(range(100000), x -> x + duration)) FROM calls",
  "SELECT len(flatten(list_transform(range(100000), x -> range(100000))))",
  "SELECT range(100000) || [duration] FROM calls",
  "SELECT len(generate_series(TIMESTAMP '2000-01-01', greatest(TIMESTAMP '2099-01-01', (SELECT max(started_at) FROM calls)), INTERVAL 1 HOUR)) FROM calls",
  "SELECT unnest(generate_series(TIMESTAMP '2000-01-01', greatest(TIMESTAMP '2099-01-01', (SELECT max(started_at) FROM calls)), INTERVAL 1 HOUR)) FROM calls",
];

/** Patterns that DuckDB tries in every way there is, and does not stop to, even while it plans. */
export const backtracking: readonly string[] = [
  `SELECT '${"a".repeat(500)}' LIKE '%_a%_a%_a%b'`,
  `SELECT '${"a".repeat(500)}' NOT LIKE '%_a%_a%_a%b'`,
  `SELECT '${"a".repeat(500)}' ILIKE '%_a%_a%_a%b'`,
  `SELECT '${"a".repeat(500)}' ILIKE '%a%a%a%a%a%b'`,
  `SELECT '${"a".repeat(500)}' GLOB '*a*a*a*a*a*b'`,
  `SELECT '${"a".repeat(500)}' LIKE '%_a%_a%_a%b' ESCAPE '!'`,
  "SELECT count(*) FROM calls AS a, calls AS b WHERE a.campaign_name LIKE b.campaign_name",
  "SELECT count(*) FROM calls WHERE campaign_name LIKE concat('%_a', '%_a%_a%b')",
];
