const nested = (levels: number, wrap: (inner: string) => string, inner: string): string =>
  levels === 0 ? inner : wrap(nested(levels - 1, wrap, inner));

const columns = ["campaign_name", "publisher_name", "buyer_name", "target_name", "caller_state", "status", "duration"];
const many = ["calls AS a", "calls AS b", "calls AS c"].join(", ");

/** SELECTs that cost an engine all that it is let have: to bind, in time, in memory, on disk. */
export const bombs: Readonly<Record<string, string>> = {
  "lateral aliases": `SELECT duration AS x0, ${Array.from({ length: 24 }, (_, at) => `x${at}+x${at} AS x${at + 1}`).join(", ")} FROM calls`,
  "stars of stars": nested(16, (inner) => `SELECT *, * FROM (${inner})`, "SELECT * FROM calls"),
  "comments in comments": `SELECT 1 ${"/*".repeat(4900)}${"*/".repeat(4900)}`,
  "aliases of two columns": nested(
    14,
    (inner) => `SELECT a AS a, a AS b, b AS c FROM (${inner}) AS t(a, b, c)`,
    "SELECT duration, revenue, payout FROM calls",
  ),
  cube: `SELECT ${columns.join(", ")}, count(DISTINCT call_id), list(call_id) FROM calls GROUP BY CUBE (${columns.join(", ")})`,
  "grouping sets over a join": `SELECT a.caller_id, b.call_id, count(*) FROM calls AS a, calls AS b GROUP BY GROUPING SETS ((a.caller_id, b.call_id), (a.call_id, b.caller_id), (a.call_id, b.call_id))`,
  "windows over a join":
    "SELECT a.call_id, sum(a.revenue) OVER (ORDER BY b.call_id, a.call_id), rank() OVER (PARTITION BY a.caller_state ORDER BY b.started_at, a.call_id) FROM calls AS a, calls AS b",
  "an endless join": `SELECT count(*) FROM ${many} WHERE a.duration + b.duration + c.duration < 0`,
  "a sort of a join": `SELECT a.*, b.* FROM calls AS a, calls AS b ORDER BY a.caller_id, b.call_id DESC`,
};
