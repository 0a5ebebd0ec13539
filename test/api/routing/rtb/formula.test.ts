import { describe, expect, it } from "vitest";
import { deadlineOf, retriesOf, winDeadlineOf } from "../../../../api/routing/rtb/formula.ts";
import { aFormula } from "./formula.ts";

const now = 1_000_000;
const timeOf = (given: Parameters<typeof aFormula>[0], limits: Parameters<typeof deadlineOf>[1] = {}) =>
  deadlineOf(aFormula(given), limits, now) - now;

describe("the deadline", () => {
  it.each([
    [{}, {}, 5000],
    [{ rtb_timeout: 800 }, {}, 800],
    [{ misc_settings: { timeoutMs: 600 } }, {}, 600],
    [{ misc_settings: { timeoutMs: "600" } }, {}, 600],
    [{ misc_settings: { timeoutMs: 0 } }, {}, 5000],
    [{ misc_settings: { timeoutMs: -5 } }, {}, 5000],
    [{ misc_settings: { timeoutMs: 9000 } }, {}, 5000],
    [{}, { groupTimeoutMs: 2000 }, 2000],
    [{}, { groupTimeoutMs: 2000, linkTimeoutMs: 700 }, 700],
    [{}, { groupTimeoutMs: 2000, linkTimeoutMs: 3000 }, 3000],
    [{}, { groupTimeoutMs: 2000, linkTimeoutMs: 0 }, 2000],
    [{}, { groupTimeoutMs: 0, linkTimeoutMs: undefined }, 5000],
    [{}, { callerDeadlineAt: now + 400 }, 375],
    [{ rtb_timeout: 300 }, { callerDeadlineAt: now + 400 }, 300],
    [{}, { callerDeadlineAt: now + 10 }, -15],
  ])("of %j within %j is %i ms away", (given, limits, ms) => {
    expect(timeOf(given, limits)).toBe(ms);
  });

  it("of a winner's steps is at most three seconds away", () => {
    expect(winDeadlineOf(aFormula(), now) - now).toBe(3000);
    expect(winDeadlineOf(aFormula({ rtb_timeout: 900 }), now) - now).toBe(900);
  });
});

it.each([
  [undefined, 0],
  [2, 2],
  ["1", 1],
  [50, 3],
  [-1, 0],
  [1.5, 0],
  [{}, 0],
])("a retryCount of %j is %i retries", (retryCount, retries) => {
  expect(retriesOf(aFormula({ misc_settings: { retryCount } }))).toBe(retries);
});
