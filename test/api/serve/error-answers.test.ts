import { describe, expect, it } from "vitest";
import { DatabaseError } from "../../../api/database/database.ts";
import { toErrorAnswer } from "../../../api/serve/error-answers.ts";

describe("the config database", () => {
  it("that is out of reach is 503, with when to try again", () => {
    const { status, headers, body } = toErrorAnswer(new DatabaseError("unavailable", "connect ECONNREFUSED 10.0.0.1"));
    expect([status, headers]).toEqual([503, { "Retry-After": "5" }]);
    expect(body).toMatchObject({ detail: { code: "config_unavailable" } });
    expect(JSON.stringify(body)).not.toContain("10.0.0.1");
  });

  it.each(["invalid", "unique_violation"] as const)("that refuses a statement as %s is our own fault", (code) => {
    expect(toErrorAnswer(new DatabaseError(code, "secret detail"))).toMatchObject({
      status: 500,
      body: { detail: { code: "internal_error" } },
    });
  });
});
