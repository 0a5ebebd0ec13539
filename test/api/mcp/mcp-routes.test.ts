import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { foundCompany, phonesOf } from "../company.ts";
import { done, type Member, usePlatform } from "../use-platform.ts";

const limit = 40;
const { rig, join } = usePlatform({ settings: { ASSISTANT_RATE_LIMIT_PER_MIN: String(limit) } });

/** The protocol's own client, with a member's token. */
async function connect(token: string) {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${rig().url}/mcp`), { requestInit });
  const client = new Client({ name: "test", version: "1" });
  await client.connect(transport as Transport);
  onTestFinished(() => client.close());
  const use = async (name: string, input: Record<string, unknown> = {}) => {
    const { structuredContent, isError = false, content } = await client.callTool({ name, arguments: input });
    // biome-ignore lint/suspicious/noExplicitAny: whatever JSON the tool answers; tests assert on it.
    return { answer: structuredContent as any, isError, content };
  };
  return { client, use };
}

/** A member with one call that was answered and ended. */
async function withCall(): Promise<{ member: Member; callId: string }> {
  const member = await join();
  await foundCompany(member);
  const call = await done(
    member.post("/telephony/simulator/calls", { from: "+12125550123", to: phonesOf(member.id).number }),
  );
  const read = () => member.get(`/api/v1/reports/calls/${call.call_id}/timeline`);
  await vi.waitFor(async () => expect((await read()).status).toBe(200), 10_000);
  return { member, callId: call.call_id };
}

describe("the Model Context Protocol", () => {
  it("offers the catalog, questions, plans and timelines as tools that only read", async () => {
    const { client } = await connect((await join()).token);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["catalog", "ask", "query_plan", "call_timeline"]);
    expect(tools.every(({ annotations }) => annotations?.readOnlyHint === true)).toBe(true);
  });

  it("answers a question, then its plan changed, in one session that the API shows, too", async () => {
    const { member } = await withCall();
    const { use } = await connect(member.token);
    const { answer: catalog } = await use("catalog");
    expect(catalog.subjects.map(({ name }: { name: string }) => name)).toContain("calls");
    const { answer, content } = await use("ask", { query: "calls by campaign today" });
    expect(answer).toMatchObject({ data: { row_count: 1 }, plan: { dimensions: ["campaign"] } });
    expect(content).toEqual([{ type: "text", text: JSON.stringify(answer) }]);
    const plan = { ...answer.plan, dimensions: ["publisher"] };
    const { answer: planned } = await use("query_plan", { plan, period: "this month", session_id: answer.session_id });
    expect(planned.plan).toMatchObject({ dimensions: ["publisher"], period: { label: "this month" } });
    const headers = { Authorization: `Bearer ${member.token}` };
    const path = `/reporting_ai/sessions/${answer.session_id}/messages`;
    expect((await member.send("GET", path, { headers })).body.meta.total).toBe(2);
  });

  it("tells a call's timeline to its organization, and to no other", async () => {
    const { member, callId } = await withCall();
    const { answer } = await (await connect(member.token)).use("call_timeline", { call_id: callId });
    expect(answer.data[0]).toMatchObject({ event: "call.incoming" });
    const stranger = await connect((await join()).token);
    const refused = await stranger.use("call_timeline", { call_id: callId });
    expect([refused.isError, refused.answer.detail.code]).toEqual([true, "not_found"]);
    const asked = await stranger.use("ask", { query: "calls by campaign today" });
    expect(asked.answer.data.rows).toEqual([]);
  });

  it("says in a sentence what a tool's input lacks", async () => {
    const { isError, content } = await (await connect((await join()).token)).use("ask", {});
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toMatch(/is missing: it must be text/);
    expect(JSON.stringify(content)).not.toMatch(/Invalid input:/);
  });

  it("says what is wrong with a plan", async () => {
    const { use } = await connect((await join()).token);
    const { isError, answer } = await use("query_plan", { plan: { subject: "secrets" } });
    expect([isError, answer.detail[0].loc]).toEqual([true, ["body", "plan"]]);
  });

  it.each([
    ["no token", {}],
    ["a token that was made up", { Authorization: "Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0." }],
  ])("is 401 with %s", async (_what, headers) => {
    const member = await join();
    const { status, body } = await member.send("POST", "/mcp", { headers, body: {} });
    expect([status, body.detail.code]).toEqual([401, "unauthorized"]);
  });

  it("takes no batch, which would count as one", async () => {
    const member = await join();
    const headers = { Authorization: `Bearer ${member.token}`, Accept: "application/json, text/event-stream" };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const { status } = await member.send("POST", "/mcp", { headers, body: [message, message] });
    expect(status).toBe(422);
  });

  it("counts against the assistant's limit, and takes POST alone", async () => {
    const member = await join();
    const headers = { Authorization: `Bearer ${member.token}`, Accept: "application/json, text/event-stream" };
    const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const answers = await Promise.all(
      Array.from({ length: limit + 1 }, () => member.send("POST", "/mcp", { headers, body })),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    expect((await member.send("GET", "/reporting_ai/suggestions", { headers })).status).toBe(429);
    expect((await member.send("GET", "/mcp", { headers })).status).toBe(405);
  });
});
