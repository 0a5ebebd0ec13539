import { describe, expect, it } from "vitest";
import { toSqlTokens } from "../../../../assistant/web/sql/sql-tokens.ts";

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
