import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPlanner } from "../../../api/adapters.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { offlinePlanner } from "../../../assistant/planning.ts";
import { systemClock } from "../../../ingest/clock.ts";
import { openOpenAiServer } from "../../assistant/llm/openai-server.ts";
import { type Member, usePlatform } from "../use-platform.ts";

const plan = {
  subject: "calls",
  measures: ["calls"],
  dimensions: [],
  grain: null,
  filters: [],
  having: [],
  period: null,
  compare: null,
  order: null,
  limit: null,
  columns: [],
};
const reply = { arguments: { kind: "plan", reading: "How many calls there are.", plan } };
const model = await openOpenAiServer([reply, reply]);
afterAll(() => model.close());

const { join, rig } = usePlatform({
  settings: {
    OPENAI_API_KEY: "sk-test",
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: "own",
    OPENAI_REPLY_FORMAT: "json_schema",
    OPENAI_MAX_TOKENS: "900",
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
    const metrics = await (await fetch(`${rig().url}/metrics`)).text();
    const lines = metrics.split("\n");
    for (const line of [
      'questions_total{outcome="plan"} 1',
      "requests_total 1",
      "repairs_total 0",
      "fallbacks_total 0",
      'tokens_total{direction="input"} 1000',
      'tokens_total{direction="output"} 50',
      'seconds_count{outcome="plan"} 1',
    ])
      expect(lines).toContain(`trunkline_assistant_model_${line}`);
  });

  it("is not asked where there is no key", async () => {
    const guarded = { engine: "DuckDB", select: () => Promise.reject(new Error("nothing runs")) } as const;
    expect(await openPlanner(readSettings({}), { guarded, clock: systemClock, onTrouble: () => {} })).toBe(
      offlinePlanner,
    );
  });

  it("needs a key beside its address", () => {
    expect(() => readSettings({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" })).toThrow(/OPENAI_API_KEY: must be set/);
  });
});
