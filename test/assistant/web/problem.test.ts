import { describe, expect, it } from "vitest";
import { RequestError, toProblem } from "../../../assistant/web/problem.ts";

const wordsOf = (status: number, change: { message?: string; retryAfterSeconds?: number } = {}) =>
  toProblem(new RequestError({ status, code: "some_code", message: "", ...change }));

describe("problems", () => {
  it("a refused token leads to signing in", () => {
    expect(wordsOf(401).remedy).toBe("sign_in");
  });

  it("too many questions say how long to wait when the server does", () => {
    expect(wordsOf(429, { retryAfterSeconds: 17 }).advice).toBe("Wait 17 seconds, then try again.");
    expect(wordsOf(429).advice).toBe("Wait a minute, then try again.");
  });

  it("a question that cannot be read is given back for editing, with the reason", () => {
    const problem = wordsOf(422, { message: "at most 2000 characters" });
    expect(problem.remedy).toBe("edit");
    expect(problem.advice).toBe("at most 2000 characters. Change it and ask again.");
  });

  it("an unavailable service passes on its own words", () => {
    const problem = wordsOf(503, { message: "The warehouse does not answer." });
    expect(problem.advice).toBe("The warehouse does not answer. Try again in a moment.");
  });

  it("any other failure names the code for the administrator", () => {
    expect(wordsOf(500).advice).toContain("some_code");
  });

  it("a lost connection is told from a failure of the server", () => {
    expect(toProblem(new TypeError("fetch failed")).title).toBe("The server could not be reached.");
  });

  it("an answer that never comes is told apart too", () => {
    expect(toProblem(new DOMException("late", "TimeoutError")).title).toMatch(/^No answer came within \d+ seconds/);
  });
});
