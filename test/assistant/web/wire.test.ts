import { describe, expect, expectTypeOf, it } from "vitest";
import type { input } from "zod/mini";
import type { Answer } from "../../../assistant/answer.ts";
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

  it("has the type of the assistant's answer, but for units that the page does not know", () => {
    expectTypeOf<Omit<Answer, "data">>().toExtend<Omit<input<typeof answerSchema>, "data">>();
  });
});
