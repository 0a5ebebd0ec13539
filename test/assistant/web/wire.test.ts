import { describe, expect, it } from "vitest";
import { answerSchema } from "../../../assistant/web/wire.ts";

describe("an answer of the server", () => {
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
