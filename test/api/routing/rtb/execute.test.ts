import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ExecuteOptions, execute } from "../../../../api/routing/rtb/ping.ts";
import type { PingContext } from "../../../../api/routing/rtb/placeholders.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";
import { bids, noBids, unreadable } from "./answers.ts";
import { type Answering, type Asked, openBuyer, openPinger } from "./buyer.ts";
import { aFormula, aPingContext, aStep } from "./formula.ts";

const aBid = { body: JSON.stringify({ bid: 12.5, duration: 90, phone: "+18885550101" }) };
const json = (value: unknown): Answering => ({ body: JSON.stringify(value) });

type Given = Parameters<typeof aFormula>[0];
const ask = (given: Given, context: Partial<PingContext> = {}, limits: ExecuteOptions["limits"] = {}) =>
  execute(aFormula(given), aPingContext(context), {
    limits,
    sender: openPinger(),
    clock: createManualClock(startOfTime),
  });

/** Asks a buyer whose answers are by path; steps are given without their addresses. */
async function askAt(
  answers: Readonly<Record<string, (asked: Asked) => Answering>>,
  steps: readonly (Parameters<typeof aStep>[0] & { readonly url: string })[],
  given: Given = {},
) {
  const buyer = await openBuyer((asked) => answers[asked.path.split("?")[0] ?? ""]?.(asked) ?? { status: 404 });
  const placed = steps.map((step) => aStep({ ...step, url: buyer.url + step.url }));
  return { ...buyer, execution: await ask({ ...given, steps: placed }) };
}

describe("a buyer that answers with", () => {
  const asked = async (answer: Answering, paths: Given) => {
    const { url } = await openBuyer(() => answer);
    return ask({ steps: [aStep({ url })], ...paths });
  };

  it.each(bids)("$shape bids", async ({ answer, paths }) => {
    expect(await asked(answer, { mapped_response: paths })).toMatchObject({
      kind: "bid",
      bid: 12.5,
      duration: 90,
      phone_number: "+18885550101",
      health: { kind: "healthy" },
    });
  });

  it.each(noBids)("$shape does not bid", async ({ answer, paths }) => {
    expect(await asked(answer, { mapped_response: paths })).toMatchObject({
      kind: "refused",
      reason: "no_bid",
      bid: null,
      health: { kind: "healthy" },
    });
  });

  it.each(unreadable)("$shape cannot be understood", async ({ answer, paths }) => {
    expect(await asked(answer, { mapped_response: paths })).toMatchObject({
      kind: "refused",
      reason: "ping_parse_error",
      health: { kind: "healthy" },
    });
  });

  it("gzip is unpacked", async () => {
    const packed = { headers: { "Content-Encoding": "gzip" }, body: gzipSync(aBid.body) };
    expect(await asked(packed, {})).toMatchObject({ kind: "bid", bid: 12.5 });
  });

  it.each([
    [301, "healthy", null],
    [400, "healthy", null],
    [404, "healthy", null],
    [429, "failing", "7"],
    [500, "failing", null],
    [503, "failing", null],
  ] as const)("status %i is refused as an error of HTTP, and is %s", async (status, kind, retryAfter) => {
    const headers = retryAfter === null ? {} : { "Retry-After": retryAfter };
    const execution = await asked({ ...aBid, status, headers }, {});
    expect(execution).toMatchObject({ reason: "ping_http_error", steps: [{ status_code: status }] });
    expect(execution.health).toEqual(kind === "failing" ? { kind, retryAfter } : { kind });
  });
});

describe("a step's list of statuses", () => {
  it.each([
    ["409, 422", 409, "bid", false],
    ["409", 410, "refused", false],
    ["409", 200, "bid", false],
    ["return answer.status === 409;", 409, "refused", true],
  ] as const)("%j with status %i makes a %s", async (process_response_code, status, kind, script_skipped) => {
    const { execution } = await askAt({ "/": () => ({ ...aBid, status }) }, [{ url: "/", process_response_code }]);
    expect(execution).toMatchObject({ kind, steps: [{ script_skipped }] });
  });
});

describe("several steps", () => {
  const selected_keys = [{ key: "token", path: "$.auth.token" }];

  it("are asked in their order, each filled with what earlier ones selected; a winner's are left out", async () => {
    const { asked, execution } = await askAt(
      { "/first": () => json({ auth: { token: "t/1" } }), "/second": () => aBid },
      [
        { url: "/won", run_on_rtb_group_win: true },
        { url: "/first", selected_keys },
        { url: "/second?t={{token}}", body_type: "json", body_params: [{ key: "bid", value: "{{bid}}" }] },
      ],
    );
    expect(asked.map(({ path, body }) => [path, body])).toEqual([
      ["/first", ""],
      ["/second?t=t%2F1", '{"bid":""}'],
    ]);
    expect(execution).toMatchObject({ kind: "bid", captured: { token: "t/1" } });
    expect(execution.steps.map(({ index, unresolved }) => [index, unresolved])).toEqual([
      [1, []],
      [2, ["bid"]],
    ]);
  });

  it("end with the reason of one that fails", async () => {
    const { asked, execution } = await askAt({ "/second": () => aBid }, [{ url: "/first" }, { url: "/second" }]);
    expect(execution).toMatchObject({ kind: "refused", reason: "ping_http_error" });
    expect(asked).toHaveLength(1);
  });

  it("go on after one that may fail, what it selects empty", async () => {
    const { execution } = await askAt({ "/second": () => aBid }, [
      { url: "/first", continue_on_failure: true, selected_keys },
      { url: "/second", headers: [{ key: "x", value: "{{token}}" }] },
    ]);
    expect(execution).toMatchObject({ kind: "bid", captured: { token: "" }, health: { kind: "healthy" } });
    expect(execution.steps.map(({ status_code, unresolved }) => [status_code, unresolved])).toEqual([
      [404, []],
      [200, ["token"]],
    ]);
  });

  it("without a bid have the reason for which the last one may have failed", async () => {
    const { execution } = await askAt({ "/first": () => json({ ok: 1 }) }, [
      { url: "/first" },
      { url: "/second", continue_on_failure: true },
    ]);
    expect(execution).toMatchObject({ kind: "refused", reason: "ping_http_error" });
  });

  it("may have answers that nobody reads, where another one has the bid", async () => {
    const { execution } = await askAt({ "/first": () => ({ body: "OK" }), "/second": () => aBid }, [
      { url: "/first" },
      { url: "/second" },
    ]);
    expect(execution).toMatchObject({ kind: "bid" });
    expect(execution.steps[0]?.error).toContain("neither JSON nor XML");
  });

  it("end with an answer that cannot be read where something is to be selected of it", async () => {
    const { asked, execution } = await askAt({ "/first": () => ({ body: "OK" }), "/second": () => aBid }, [
      { url: "/first", selected_keys },
      { url: "/second" },
    ]);
    expect(execution).toMatchObject({ reason: "ping_parse_error" });
    expect(asked).toHaveLength(1);
  });
});

describe("criteria", () => {
  const target_selection_criteria = { field: "$.status", operator: "equals", value: "sold" };

  it.each([
    ["sold", { kind: "bid" }],
    ["declined", { kind: "refused", reason: "not_accepted", bid: null }],
  ])("of an answer that is %s make %j", async (status, expected) => {
    const answer = json({ status, bid: 5, phone: "+18885550101" });
    const { execution } = await askAt({ "/": () => answer }, [{ url: "/", target_selection_criteria }]);
    expect(execution).toMatchObject(expected);
  });

  it("keep a bid out of the result though the step may fail", async () => {
    const answer = json({ status: "declined", bid: 5, phone: "+18885550101" });
    const step = { url: "/", target_selection_criteria, continue_on_failure: true };
    const { execution } = await askAt({ "/": () => answer }, [step]);
    expect(execution).toMatchObject({ kind: "refused", reason: "not_accepted" });
  });
});

describe("tags that answers give", () => {
  it("are those of the step that each mapping names, and fill later steps", async () => {
    const response_field_mappings = [
      { fieldPath: "$.tier", stepIndex: 0, tagName: "tier" },
      { fieldPath: "$.tier", stepIndex: 1, tagName: "second_tier" },
      { fieldPath: "$.nothing", stepIndex: 0, tagName: "nothing" },
      { fieldPath: "$.tier", stepIndex: 0, tagName: "x".repeat(65) },
      { fieldPath: "$.tier", stepIndex: 9, tagName: "never" },
    ];
    const { asked, execution } = await askAt(
      { "/0": () => json({ tier: "gold" }), "/1": () => json({ tier: "é".repeat(2000), bid: 5, phone: "8885550101" }) },
      [{ url: "/0" }, { url: "/1?tier=[TIER]", response_field_mappings }],
    );
    expect(asked[1]?.path).toBe("/1?tier=gold");
    expect(execution.tags).toEqual({ tier: "gold", second_tier: "é".repeat(1024) });
  });

  it("are no more than a call can carry", async () => {
    const { url } = await openBuyer(() => json({ a: 1, bid: 5 }));
    const tags = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`tag_${at}`, "x"]));
    const mapping = (tagName: string) => ({ fieldPath: "a", stepIndex: 0, tagName });
    const response_field_mappings = ["tag_0", "new_1", "new_2"].map(mapping);
    const execution = await ask({ steps: [aStep({ url, response_field_mappings })] }, { tags });
    expect(execution.tags).toEqual({ tag_0: "1", new_1: "1" });
  });
});

describe("retries", () => {
  it.each([502, 503, 504])("are made after %i, and each is recorded", async (status) => {
    let answered = 0;
    const { url } = await openBuyer(() => (++answered < 3 ? { status } : aBid));
    const execution = await ask({ steps: [aStep({ url })], misc_settings: { retryCount: 2 } });
    expect(execution.kind).toBe("bid");
    expect(execution.steps.map(({ index, attempt, status_code }) => [index, attempt, status_code])).toEqual([
      [0, 1, status],
      [0, 2, status],
      [0, 3, 200],
    ]);
  });

  it.each([
    [500, { retryCount: 3 }, 1],
    [429, { retryCount: 3 }, 1],
    [503, { retryCount: 1 }, 2],
    [503, { retryCount: 99 }, 4],
    [503, {}, 1],
  ])("after %i with %j are %i requests in all", async (status, misc_settings, requests) => {
    const { url, asked } = await openBuyer(() => ({ status }));
    const execution = await ask({ steps: [aStep({ url })], misc_settings });
    expect([asked.length, execution.steps.length]).toEqual([requests, requests]);
    expect(execution).toMatchObject({ reason: "ping_http_error" });
  });
});

describe("the record of a step", () => {
  it("shows what was sent and answered, without secrets", async () => {
    const { url } = await openBuyer(() => aBid);
    const step = aStep({
      url: `${url.replace("://", "://user:secret@")}/p?q={{zip}}`,
      headers: [{ key: "X-Api-Key", value: "secret" }],
      body_type: "json",
      body_params: [{ key: "caller", value: "{{caller_id}}" }],
    });
    const { steps } = await ask({ steps: [step] });
    expect(steps).toEqual([
      {
        index: 0,
        attempt: 1,
        url: `${url.replace("://", "://user:***@")}/p?q=10001`,
        method: "POST",
        request_headers: { "content-type": "application/json", "x-api-key": "***" },
        request_body: '{"caller":"+12125550123"}',
        status_code: 200,
        response_body: aBid.body,
        truncated: false,
        duration_ms: expect.any(Number),
        error: null,
        unresolved: [],
        script_skipped: false,
      },
    ]);
  });

  it("keeps 16 KiB of a longer answer, of which all is read", async () => {
    const { url } = await openBuyer(() => json({ pad: "x".repeat(20_000), bid: 5, phone: "8885550101" }));
    const execution = await ask({ steps: [aStep({ url })] });
    expect(execution).toMatchObject({ kind: "bid", steps: [{ truncated: true }] });
    expect(execution.steps[0]?.response_body).toHaveLength(16 * 1024 + "[cut]".length);
  });
});
