import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { maxAnswerLength, mostFields } from "../../../api/mcp/bound.ts";
import { anIncomingRequest, anOutgoingRequest, secondsIn } from "../../make.ts";
import { foundCompany, phonesOf } from "../company.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";
import { joinerWithHistory, series } from "../webhooks/stored-history.ts";
import { bearer, connect } from "./mcp-client.ts";

const platform = usePlatform();
const { rig, join } = platform;
const joinWith = joinerWithHistory(platform);
const toolsOf = ({ token }: Member) => connect(rig().url, bearer(token));

/** A member with calls that came in with these tags. */
async function withCalls(tags: readonly Record<string, string>[] = [{}]): Promise<{ member: Member; ids: string[] }> {
  const member = await join();
  await foundCompany(member);
  const ids: string[] = [];
  for (const [index, each] of tags.entries()) {
    const from = `+1212555${String(1000 + index)}`;
    const call = { from, to: phonesOf(member.id).number, tags: each };
    ids.push((await done(member.post("/telephony/simulator/calls", call))).call_id);
  }
  const stored = () => member.get("/api/v1/reports/calls");
  await vi.waitFor(async () => expect((await stored()).body.meta.total).toBe(ids.length), 10_000);
  return { member, ids };
}

/** How many fields each object of a JSON schema has. */
function fieldCounts(schema: unknown): number[] {
  if (typeof schema !== "object" || schema === null) return [];
  const own = "properties" in schema ? [Object.keys(schema.properties ?? {}).length] : [];
  return [...own, ...Object.values(schema).flatMap(fieldCounts)];
}

describe("the tools", () => {
  it("are offered with schemas of what they take and answer, and say that they only read", async () => {
    const { tools } = await toolsOf(await join());
    expect(tools.map(({ name }) => name)).toEqual([
      ...["ask", "query_plan", "saved_answer", "saved_questions", "catalog", "catalog_search"],
      ...["calls", "call", "call_timeline", "deliveries", "delivery", "received_requests", "received_request"],
    ]);
    for (const { inputSchema, outputSchema, annotations, description } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(outputSchema?.properties).toMatchObject({ truncated: { type: "boolean" }, left_out: { type: "array" } });
      expect(annotations).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
      expect(description?.length).toBeGreaterThan(40);
    }
    expect(Math.max(...tools.flatMap(({ outputSchema }) => fieldCounts(outputSchema)))).toBeLessThan(mostFields);
    // What a client puts before a model with every conversation.
    expect(JSON.stringify(tools.map(({ outputSchema: _not, ...shown }) => shown)).length).toBeLessThan(24_000);
    expect(JSON.stringify(tools).length).toBeLessThan(60_000);
  });

  it("answer in their structure, and for clients without it in a sentence and as JSON", async () => {
    const { member } = await withCalls();
    const { answer, texts } = await (await toolsOf(member)).use("ask", { query: "calls by campaign today" });
    expect(texts[0]).toMatch(/^Calls by campaign today .*: Sunny campaign 1\.\nsession_id [\w-]+ follows up on it\.$/);
    const read = JSON.parse(texts[1] ?? "");
    expect(read).toMatchObject({ answer: answer.answer, plan: { dimensions: ["campaign"] } });
    expect(read.data.rows).toEqual(answer.data.rows);
  });
});

describe("questions", () => {
  it("are answered, then by their plan changed, in one session that the API shows, too", async () => {
    const { member } = await withCalls();
    const { use } = await toolsOf(member);
    const session_id = "s".repeat(128);
    const { answer } = await use("ask", { query: "calls by campaign today", session_id });
    expect(answer).toMatchObject({ data: { row_count: 1 }, session_id, truncated: false, left_out: [] });
    expect(answer.chart_suggestion).toEqual({ type: "number", x_axis: "campaign", y_axis: "calls" });
    const plan = { ...answer.plan, dimensions: ["publisher"] };
    const { answer: planned } = await use("query_plan", { plan, period: "this month", session_id });
    expect(planned.plan).toMatchObject({ dimensions: ["publisher"], period: { label: "this month" } });
    const path = `/reporting_ai/sessions/${session_id}/messages`;
    const kept = await member.send("GET", path, { headers: bearer(member.token) });
    expect(kept.body.meta.total).toBe(2);
  });

  it("take a plan with what it is about alone", async () => {
    const { member } = await withCalls();
    const { use } = await toolsOf(member);
    const plan = { subject: "calls", measures: ["calls"], dimensions: ["publisher"] };
    const { answer } = await use("query_plan", { plan, period: "today", compare: "the period before" });
    expect(answer.data.rows).toMatchObject([{ publisher: "Sunny publisher", calls: 1 }]);
  });

  it("show as many rows as were asked for, and say how many there are", async () => {
    const { member } = await withCalls(["a", "b", "c", "d"].map((utm_source) => ({ utm_source })));
    const { use } = await toolsOf(member);
    const { answer, said } = await use("ask", { query: "calls by utm_source today", max_rows: 2 });
    expect([answer.data.rows.length, answer.data.row_count, answer.truncated]).toEqual([2, 4, true]);
    expect(answer.left_out).toEqual(["data.rows: 2 of 4 are shown"]);
    expect(said).toContain("Left out here: data.rows: 2 of 4 are shown.");
  });

  it.each([
    [{ subject: "secrets" }, /plan\.subject must be one of "calls", .*not "secrets"/],
    [
      { subject: "calls", measures: ["revenues"] },
      /calls has no measure "revenues": look names up with catalog_search/,
    ],
    [{ subject: "calls" }, /It has neither measures nor columns/],
    [{ subject: "calls", measures: ["calls"], share: true }, /Say the one thing to split it by/],
    [{ subject: "calls", measures: ["calls"], group_by: ["x"] }, /must not have "group_by"/],
  ])("say what is wrong with the plan %j", async (plan, fault) => {
    const { isError, answer, said } = await (await toolsOf(await join())).use("query_plan", { plan });
    expect([isError, answer]).toEqual([true, undefined]);
    expect(said).toMatch(fault);
  });

  it("are listed where they were saved, and answered as of now", async () => {
    const { member } = await withCalls();
    const { use } = await toolsOf(member);
    const plan = { subject: "calls", measures: ["calls"], dimensions: [], grain: null, filters: [], having: [] };
    const rest = { period: null, zone: "UTC", compare: null, order: null, limit: null, columns: [] };
    const headers = bearer(member.token);
    const body = { name: "How many", query: "how many calls", plan: { ...plan, ...rest } };
    const saved = await done(member.send("POST", "/reporting_ai/saved", { headers, body }));
    expect((await use("saved_questions")).answer).toMatchObject({ data: [{ id: saved.id, name: "How many" }] });
    const { answer, said } = await use("saved_answer", { saved_question_id: saved.id });
    expect(answer).toMatchObject({ name: "How many", data: { rows: [{ calls: 1 }] } });
    expect(said).toMatch(/^How many: /);
    const byKey = await connect(rig().url, { "X-API-Key": member.key });
    expect((await byKey.use("saved_answer", { saved_question_id: saved.id })).answer.data.rows).toEqual([{ calls: 1 }]);
  });
});

describe("calls", () => {
  it("are listed by their filters in pages that lead on", async () => {
    const { member, ids } = await withCalls([{ utm_source: "radio" }, { utm_source: "tv" }, { utm_source: "tv" }]);
    const { use } = await toolsOf(member);
    const seen = async (input: Record<string, unknown>) => {
      const { answer } = await use("calls", input);
      return answer.data.map(({ call_id }: { call_id: string }) => call_id);
    };
    expect(await seen({})).toEqual(ids.toReversed());
    expect(await seen({ tags: { utm_source: "radio" } })).toEqual(ids.slice(0, 1));
    expect(await seen({ caller_id: "+12125551001", live: true })).toEqual(ids.slice(1, 2));
    expect(await seen({ live: false })).toEqual([]);
    const { answer, said } = await use("calls", { limit: 2, sort_direction: "asc" });
    expect(answer).toMatchObject({ meta: { total: 3, has_more: true }, truncated: true });
    expect(said).toMatch(/^2 of 3 calls\. Pass meta\.next_cursor as cursor to go on\./);
    expect(await seen({ limit: 2, cursor: answer.meta.next_cursor })).toEqual(ids.slice(2));
    expect(answer.data[0]).not.toHaveProperty("org_id");
  });

  it("are shown whole, and their timeline in pages", async () => {
    const { member, ids } = await withCalls();
    const [call_id] = ids;
    const { use } = await toolsOf(member);
    const { answer, said } = await use("call", { call_id });
    expect(answer.call).toMatchObject({ call_id, campaign_name: "Sunny campaign" });
    expect(answer).not.toHaveProperty("timeline");
    expect(said).toMatch(/^Call \S+ of \S+: incoming/);
    const first = (await use("call_timeline", { call_id, limit: 1 })).answer;
    expect(first.data).toMatchObject([{ seq: 1, event: "call.incoming" }]);
    expect([first.truncated, first.next_after]).toEqual([true, 1]);
    const rest = (await use("call_timeline", { call_id, after: first.next_after })).answer;
    expect([rest.data.length, rest.next_after, rest.truncated]).toEqual([first.total - 1, null, false]);
    expect(rest.data[0].seq).toBe(2);
  });

  it("are refused with what to do where a filter is none", async () => {
    const { use } = await toolsOf(await join());
    const { isError, said } = await use("calls", { campain_id: "x", limit: 100 });
    expect(isError).toBe(true);
    expect(said).toMatch(/must not have "campain_id"/);
    expect(said).toMatch(/limit must be at most 25, not 100/);
    expect(said).toMatch(/Correct the arguments, which are start_date, end_date, caller_id, /);
    expect((await use("calls", { start_date: "yesterday" })).said).toMatch(/start_date: .*ISO 8601/);
    expect((await use("calls", { cursor: "none" })).said).toMatch(/cursor: is no cursor/);
  });
});

describe("webhook deliveries", () => {
  it("are listed by their filters, and shown whole with their error", async () => {
    const { member } = await joinWith([
      ...series(3),
      anOutgoingRequest({
        id: "out-lost",
        call_id: "call-9",
        created_at: secondsIn(9),
        outcome: "timeout",
        response_status_code: null,
        error: "No answer within 10 s.",
        next_attempt_at: secondsIn(20),
      }),
      anIncomingRequest({ id: "in-1", call_id: "call-9" }),
    ]);
    const { use } = await toolsOf(member);
    const ids = async (name: string, input: Record<string, unknown> = {}) =>
      (await use(name, input)).answer.data.map(({ id }: { id: string }) => id);
    expect(await ids("deliveries")).toEqual(["out-lost", "out-2", "out-1", "out-0"]);
    expect(await ids("deliveries", { response_status: "none" })).toEqual(["out-lost"]);
    expect(await ids("deliveries", { outcome: "timeout", call_id: "call-9" })).toEqual(["out-lost"]);
    expect(await ids("deliveries", { end_date: secondsIn(1) })).toEqual(["out-0"]);
    expect(await ids("received_requests", { call_id: "call-9" })).toEqual(["in-1"]);
    const { answer, said } = await use("delivery", { request_id: "out-lost" });
    expect(answer).toMatchObject({ outcome: "timeout", error: "No answer within 10 s." });
    expect(said).toContain(`: timeout. No answer within 10 s. It is tried again at ${secondsIn(20)}.`);
    expect((await use("received_request", { request_id: "in-1" })).answer.webhook_config_name).toBe("Leads");
  });

  it("stay within a model's context however large they are, and their pages lead on over all", async () => {
    const large = { body: JSON.stringify({ text: "x".repeat(60_000) }), response_body: "y".repeat(60_000) };
    const { member } = await joinWith(series(30, { ...large, path: `/${"p".repeat(800)}` }));
    const { use } = await toolsOf(member);
    const seen: string[] = [];
    for (let cursor: string | undefined = ""; cursor !== undefined; ) {
      const page = await use("deliveries", { limit: 25, ...(cursor === "" ? {} : { cursor }) });
      expect(JSON.stringify(page.answer).length).toBeLessThan(maxAnswerLength + 500);
      expect(page.answer.data[0].body).toMatch(/\[cut\]$/);
      expect(page.answer.left_out[0]).toMatch(/texts are cut after \d+ characters/);
      seen.push(...page.answer.data.map(({ id }: { id: string }) => id));
      cursor = page.answer.meta.next_cursor ?? undefined;
    }
    expect(new Set(seen).size).toBe(30);
    const { answer } = await use("delivery", { request_id: "out-1" });
    expect([answer.body.length, answer.truncated]).toEqual([2005, true]);
  });
});

describe("another organization", () => {
  it("sees nothing through any tool, with a token or with a key", async () => {
    const { member, ids } = await withCalls();
    const published = [
      anOutgoingRequest({ id: "out-own", org_id: member.id }),
      anIncomingRequest({ id: "in-own", org_id: member.id }),
    ];
    await rig().platform.log.publish(
      published.map((record) => ({ topic: "webhook-deliveries", key: record.id, value: JSON.stringify(record) })),
    );
    const owner = await toolsOf(member);
    await vi.waitFor(async () => {
      expect((await owner.use("deliveries")).answer.data).toHaveLength(1);
      expect((await owner.use("received_requests")).answer.data).toHaveLength(1);
    }, 10_000);
    const plan = { subject: "calls", measures: ["calls"], columns: [] };
    const headers = bearer(member.token);
    const full = { ...plan, dimensions: [], grain: null, filters: [], having: [], period: null, zone: "UTC" };
    const body = { name: "Own", plan: { ...full, compare: null, order: null, limit: null } };
    const saved = await done(member.send("POST", "/reporting_ai/saved", { headers, body }));
    const stranger = await join();
    const shown: string[] = [];
    for (const credentials of [bearer(stranger.token), { "X-API-Key": stranger.key }]) {
      const { tools, use } = await connect(rig().url, credentials);
      const byName: Readonly<Record<string, Record<string, unknown>>> = {
        ask: { query: "calls by campaign today" },
        query_plan: { plan: { subject: "calls", columns: ["call_id"] } },
        saved_answer: { saved_question_id: saved.id },
        call: { call_id: ids[0] },
        call_timeline: { call_id: ids[0] },
        delivery: { request_id: "out-own" },
        received_request: { request_id: "in-own" },
      };
      for (const { name } of tools) {
        const { said, isError, answer } = await use(name, byName[name] ?? {});
        shown.push(name);
        expect(said).not.toMatch(/Sunny/);
        expect(said).not.toContain(member.id);
        if (isError) expect(said, name).toMatch(/was not found\. \(not_found\)/);
        else if (Array.isArray(answer.data)) expect(answer.data, name).toEqual([]);
        else if (answer.data) expect(answer.data.rows, name).toEqual([]);
      }
    }
    expect(shown).toContain("ask");
    expect(shown.filter((name) => name === "deliveries")).toHaveLength(2);
  });
});

describe("the guide", () => {
  it("names every tool, and for each whether keys may use it", async () => {
    const member = await join();
    const guide = readFileSync(new URL("../../../api/mcp/README.md", import.meta.url), "utf8");
    const rows = [...guide.matchAll(/^\| `(\w+)` \|.*\|(.*)\|$/gm)].map(([, name, keys = ""]) => [name, keys.trim()]);
    const [byToken, byKey] = [await toolsOf(member), await connect(rig().url, { "X-API-Key": member.key })];
    const forKeys = new Set(byKey.tools.map(({ name }) => name));
    expect(rows).toEqual(byToken.tools.map(({ name }) => [name, forKeys.has(name) ? "yes" : ""]));
  });
});
