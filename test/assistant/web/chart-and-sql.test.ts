import { describe, expect, it } from "vitest";
import { describeChart, mixesColours, toFittedSpec } from "../../../assistant/web/chart/chart-spec.ts";
import { toSqlTokens } from "../../../assistant/web/sql/sql-tokens.ts";
import { answerSchema, type Data } from "../../../assistant/web/wire.ts";

const data: Data = { columns: [], rows: [{ calls: 1 }, { calls: 2 }], row_count: 2, truncated: false };
const bar = {
  type: "bar",
  x_axis: "publisher",
  y_axis: "connected_calls",
  vega_lite: { mark: "bar" },
  alternatives: [],
};

describe("charts", () => {
  it("a single view is fitted to the width with its axes", () => {
    expect(toFittedSpec({ mark: "bar" }, 600)).toEqual({
      mark: "bar",
      width: 600,
      autosize: { type: "fit-x", contains: "padding" },
    });
  });

  it("stacked panels get a width that leaves room for their axes", () => {
    const fitted = toFittedSpec({ vconcat: [{ mark: "line" }, { mark: "bar" }] }, 600);
    expect(fitted["vconcat"]).toEqual([
      { mark: "line", width: 516 },
      { mark: "bar", width: 516 },
    ]);
    expect(fitted).not.toHaveProperty("autosize");
  });

  it("a colour is mixed where it tells more from less, in any panel, and not where it names", () => {
    const byColour = (type: string) => ({ mark: "rect", encoding: { color: { field: "calls", type } } });
    expect(mixesColours(byColour("quantitative"))).toBe(true);
    expect(mixesColours({ vconcat: [{ mark: "line" }, byColour("quantitative")] })).toBe(true);
    expect([byColour("nominal"), { mark: "bar" }].map(mixesColours)).toEqual([false, false]);
  });

  it("options for the embedder do not get through", () => {
    expect(toFittedSpec({ mark: "bar", usermeta: { embedOptions: {} } }, 600)).not.toHaveProperty("usermeta");
  });

  it("a chart is described in words", () => {
    expect(describeChart(bar, data)).toBe(
      "Bar chart of connected calls by publisher, 2 rows. The table below holds the same figures.",
    );
    expect(describeChart({ ...bar, vega_lite: { title: "Top 20 of 80 by connected calls" } }, data)).toBe(
      "Bar chart of connected calls by publisher, Top 20 of 80 by connected calls. The table below holds all figures.",
    );
    expect(describeChart({ ...bar, type: "heatmap", x_axis: null, y_axis: null }, data)).toMatch(/^Heatmap, 2 rows/);
  });
});

describe("SQL", () => {
  const sql = `SELECT "from", count(*) FROM calls -- where
WHERE name = 'it''s FROM' AND n > 12.5 /* LIMIT */`;

  it("colouring changes no character", () => {
    expect(
      toSqlTokens(sql)
        .map((token) => token.text)
        .join(""),
    ).toBe(sql);
  });

  it("keywords inside names, strings and comments are not keywords", () => {
    const keywords = toSqlTokens(sql).filter((token) => token.kind === "keyword");
    expect(keywords.map((token) => token.text)).toEqual(["SELECT", "count", "FROM", "WHERE", "AND"]);
  });

  it("strings, numbers and comments are recognised", () => {
    const of = (kind: string) => toSqlTokens(sql).filter((token) => token.kind === kind);
    expect(of("string").map((token) => token.text)).toEqual(["'it''s FROM'"]);
    expect(of("number").map((token) => token.text)).toEqual(["12.5"]);
    expect(of("comment").map((token) => token.text)).toEqual(["-- where", "/* LIMIT */"]);
  });
});

describe("the wire", () => {
  const answer = {
    answer: "",
    sql: "",
    explanation: "",
    data: {
      columns: [{ name: "tags", type: "text", unit: "parsecs" }],
      rows: [{ tags: { a: 1 } }],
      row_count: 1,
      truncated: false,
    },
    plan: null,
  };

  it("a unit this page does not know is a number without one, an object its JSON text", () => {
    const parsed = answerSchema.parse(answer);
    expect(parsed.data.columns[0]?.unit).toBeNull();
    expect(parsed.data.rows[0]?.["tags"]).toBe('{"a":1}');
  });

  it("an answer without its rows is refused", () => {
    expect(answerSchema.safeParse({ ...answer, data: undefined }).success).toBe(false);
  });
});
