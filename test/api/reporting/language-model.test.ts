import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { openModelParts } from "../../../api/adapters.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { offlinePlanner } from "../../../assistant/planning.ts";
import { readEvents } from "../../../assistant/web/client.ts";
import { systemClock } from "../../../ingest/clock.ts";
import { aPlan } from "../../assistant/a-plan.ts";
import { planReply } from "../../assistant/llm/llm-assistant.ts";
import { openOpenAiServer } from "../../assistant/llm/openai-server.ts";
import { type Member, usePlatform } from "../use-platform.ts";

const written = { ...planReply(), reading: "How many calls there are." };
const reply = { arguments: written };
const begun = { ...reply, letters: JSON.stringify(written).length / 2 };
const model = await openOpenAiServer([reply, reply, begun, reply, reply], {
  embeds: (text) => [/volume|traffic/.test(text) ? 1 : 0, 0.1],
});
afterAll(() => model.close());

const metricsToken = "operators-alone";
const { join, rig } = usePlatform({
  settings: {
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: "own",
    OPENAI_REPLY_FORMAT: "json_schema",
    OPENAI_MAX_TOKENS: "900",
    OPENAI_PRICE_INPUT: "0.4",
    OPENAI_PRICE_OUTPUT: "1.6",
    METRICS_TOKEN: metricsToken,
    OPENAI_EMBEDDING_MODEL: "meanings",
  },
});
let member: Member;
beforeAll(async () => {
  member = await join();
});

const ask = (headers: Record<string, string> = {}) =>
  member.send("POST", "/reporting_ai/query", {
    headers: { Authorization: `Bearer ${member.token}`, ...headers },
    body: { query: "so, tell me: volume?" },
  });

const metricsAt = async (path: string): Promise<string> => {
  const response = await fetch(rig().url + path, { headers: { Authorization: `Bearer ${metricsToken}` } });
  return response.text();
};

describe("a language model that the settings name", () => {
  it("understands questions; the answer and the metrics tell what it took", async () => {
    const { status, body } = await ask();
    expect({ status, ...body }).toMatchObject({
      status: 200,
      planner: "llm",
      plan: { measures: ["calls"] },
      usage: { input_tokens: 1000, output_tokens: 50, requests: 1 },
    });
    const sent = { model: "own", temperature: 0, max_tokens: 900, response_format: { type: "json_schema" } };
    expect(model.requests[0]).toMatchObject({ authorization: "Bearer sk-test", body: sent });
    expect(model.probes).toHaveLength(1);
    const lines = (await metricsAt("/metrics")).split("\n");
    for (const line of [
      'questions_total{outcome="plan"} 1',
      "requests_total 1",
      "repairs_total 0",
      "fallbacks_total 0",
      'tokens_total{direction="input"} 1000',
      'tokens_total{direction="output"} 50',
      "cost_dollars_total 0.00048",
      'seconds_count{outcome="plan"} 1',
    ])
      expect(lines).toContain(`trunkline_assistant_model_${line}`);
  });

  /** The events of an answer, as they come. */
  async function* eventsOf(signal: AbortSignal) {
    const response = await fetch(`${rig().url}/reporting_ai/query`, {
      method: "POST",
      signal,
      headers: {
        Authorization: `Bearer ${member.token}`,
        "Content-Type": "application/json",
        Accept: "text/event-stream",
      },
      body: JSON.stringify({ query: "so, tell me: volume?" }),
    });
    if (response.body !== null) yield* readEvents(response.body);
  }

  it("is read along while it writes, and is no longer asked once the client has gone", async () => {
    const whole: string[] = [];
    for await (const { event, data } of eventsOf(AbortSignal.timeout(30_000)))
      if (event === "planning") whole.push((data as { reading?: string }).reading ?? "");
    expect(whole).toEqual(["", "How", "How many", "How many calls", "How many calls there"]);
    const { aborted } = model;
    const client = new AbortController();
    const told: string[] = [];
    await expect(async () => {
      for await (const { event } of eventsOf(client.signal)) {
        told.push(event);
        if (told.length === 2) client.abort();
      }
    }).rejects.toThrow(/abort/i);
    expect(new Set(told)).toEqual(new Set(["planning"]));
    await vi.waitFor(() => expect(model.aborted).toBe(aborted + 1));
  });

  it("tells an organization what it took by day, and operators by organization", async () => {
    const [own, other] = [await join(), await join()];
    const usageOf = async (of: Member, query = "") => {
      const headers = { Authorization: `Bearer ${of.token}` };
      return of.send("GET", `/reporting_ai/usage${query}`, { headers });
    };
    const spent = { questions: 1, requests: 1, input_tokens: 1000, output_tokens: 50, cost_usd: 0.00048 };
    await ask({ Authorization: `Bearer ${own.token}` });
    await vi.waitFor(async () => {
      const { body } = await usageOf(own);
      expect(body).toEqual({
        data: [{ day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), model: "own", ...spent }],
        total: spent,
      });
    });
    expect((await usageOf(own, "?start_date=2020-01-01&end_date=2020-02-01")).body.data).toEqual([]);
    expect((await usageOf(own, "?start_date=2020-01-01&end_date=2026-01-01")).status).toBe(422);
    expect((await usageOf(other)).body).toMatchObject({ data: [], total: { questions: 0, cost_usd: null } });
    const told = await metricsAt("/metrics/organizations");
    expect(told).toContain(`trunkline_assistant_model_month_cost_dollars{org_id="${own.id}"} 0.00048`);
    expect(told).toContain(`trunkline_assistant_model_month_input_tokens{org_id="${own.id}"} 1000`);
    expect(await metricsAt("/metrics")).not.toContain(own.id);
    expect((await fetch(`${rig().url}/metrics/organizations`)).status).toBe(401);
  });

  it("is told approved answers of the same meaning, found by embeddings", async () => {
    const own = await join();
    const send = async (path: string, body: object) =>
      own.send("POST", `/reporting_ai${path}`, { headers: { Authorization: `Bearer ${own.token}` }, body });
    const { body } = await send("/query", { query: "traffic?", plan: aPlan({ measures: ["connected_calls"] }) });
    expect((await send(`/messages/${body.message_id}/feedback`, { useful: true })).body).toMatchObject({
      remembered: true,
    });
    await send("/query", { query: "so, tell me: volume?" });
    const told = JSON.parse(model.requests.at(-1)?.body.messages[1].content);
    expect(told.examples).toMatchObject([{ question: "traffic?", plan: { measures: ["connected_calls"] } }]);
  });

  it("is not asked where there is no key", async () => {
    const guarded = { engine: "DuckDB", select: () => Promise.reject(new Error("nothing runs")) } as const;
    expect(await openModelParts(readSettings({}), { guarded, clock: systemClock, onTrouble: () => {} })).toEqual({
      planner: offlinePlanner,
    });
  });

  it("needs a key beside its address", () => {
    expect(() => readSettings({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toThrow(/OPENAI_API_KEY: must be set/);
  });
});
