import { describe, expect, it, onTestFinished } from "vitest";
import type { Filling } from "../../../assistant/llm/model.ts";
import { type OpenAiOptions, openOpenAiModel } from "../../../assistant/llm/model-openai.ts";
import { replyForm } from "../../../assistant/llm/reply.ts";
import { planReply } from "./llm-assistant.ts";
import { openOpenAiServer, type Step, type Supports } from "./openai-server.ts";

async function open(supports: Supports = {}, options: Partial<OpenAiOptions> = {}) {
  const reply: Step = { arguments: planReply() };
  const server = await openOpenAiServer([reply, reply, reply], supports);
  onTestFinished(() => server.close());
  const model = openOpenAiModel({ apiKey: "sk", baseUrl: server.url, model: "any", ...options });
  const messages = [
    { role: "system", content: "Rules." },
    { role: "user", content: "Calls?" },
  ] as const;
  const complete = (onPartial?: Filling["onPartial"]) =>
    model.complete(messages, { form: replyForm, signal: new AbortController().signal, onPartial });
  return { server, complete };
}

describe("a server of OpenAI's kind", () => {
  it.each<[string, Supports, object]>([
    ["tools", {}, { tool_choice: { function: { name: "answer" } } }],
    ["a JSON Schema where it has no tools", { tools: false }, { response_format: { type: "json_schema" } }],
    ["words where it has neither", { tools: false, jsonSchema: false }, { model: "any" }],
  ])("fills the form by %s", async (_by, supports, sent) => {
    const { server, complete } = await open(supports);
    expect(await complete()).toEqual({
      reply: planReply(),
      usage: { input_tokens: 1000, output_tokens: 50 },
    });
    expect(server.requests[0]?.body).toMatchObject({ ...sent, temperature: 0 });
  });

  it("is given the form's schema where it fills it by words, also between words and fences", async () => {
    const text = `Sure!\n\`\`\`json\n${JSON.stringify(planReply())}\n\`\`\`\nThat is it.`;
    const server = await openOpenAiServer([{ message: { content: text } }]);
    onTestFinished(() => server.close());
    const model = openOpenAiModel({ apiKey: "sk", baseUrl: server.url, model: "any", replyWay: "json" });
    const { reply } = await model.complete([{ role: "system", content: "Rules." }], {
      form: replyForm,
      signal: new AbortController().signal,
    });
    expect(reply).toEqual(planReply());
    expect(server.requests[0]?.body.messages[0].content).toContain('"enum":["calls"');
    expect(server.requests[0]?.body).not.toHaveProperty("response_format");
  });

  it("is probed once for all questions, those at the same time included", async () => {
    const { server, complete } = await open({ tools: false });
    await Promise.all([complete(), complete()]);
    await complete();
    // Tools with a temperature and without one, then the schema.
    expect(server.probes.map(({ body }) => Object.keys(body).filter((name) => /tools|format/.test(name)))).toEqual([
      ["tools"],
      ["tools"],
      ["response_format"],
    ]);
    expect(server.requests).toHaveLength(3);
  });

  it("is sent no temperature where it refuses one", async () => {
    const { server, complete } = await open({ temperature: false });
    await complete();
    expect(server.requests[0]?.body).not.toHaveProperty("temperature");
    expect(server.requests[0]?.body).toHaveProperty("tools");
  });

  it("gets the temperature and the tokens that are set", async () => {
    const { server, complete } = await open({}, { temperature: 0.5, maxTokens: 700 });
    await complete();
    expect(server.requests[0]?.body).toMatchObject({ temperature: 0.5, max_tokens: 700 });
  });

  it("is probed anew after a probe that failed, and after it refused a request", async () => {
    const refused = { status: 400, body: { error: { message: "no" } } };
    const steps: Step[] = [{ status: 503, body: {} }];
    const server = await openOpenAiServer([refused, { arguments: planReply() }], { probed: () => steps.shift() });
    onTestFinished(() => server.close());
    const model = openOpenAiModel({ apiKey: "sk", baseUrl: server.url, model: "any" });
    const complete = () =>
      model
        .complete([{ role: "system", content: "Rules." }], { form: replyForm, signal: new AbortController().signal })
        .catch(({ code }) => code);
    expect(await complete()).toBe("unavailable");
    expect(await complete()).toBe("refused_request");
    expect(await complete()).toMatchObject({ reply: planReply() });
    expect(server.probes).toHaveLength(3);
  });

  it.each<[string, Supports]>([
    ["by a tool's call", {}],
    ["by a JSON Schema", { tools: false }],
    ["by words", { tools: false, jsonSchema: false }],
  ])("streams the form to who listens, %s", async (_by, supports) => {
    const { server, complete } = await open(supports);
    const partials: unknown[] = [];
    expect(await complete((partial) => partials.push(partial))).toEqual({
      reply: planReply(),
      usage: { input_tokens: 1000, output_tokens: 50 },
    });
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(partials).toContainEqual({ kind: "plan", reading: "Cal" });
    expect(partials.at(-1)).toEqual(planReply());
  });

  it.each<[string, Supports]>([
    ["refuses to stream", { streams: "refused" }],
    ["answers whole where a stream was asked for", { streams: "ignored" }],
  ])("that %s is asked again, and not for a stream from then on", async (_what, supports) => {
    const { server, complete } = await open(supports);
    const listen = () => complete(() => undefined);
    expect(await listen()).toMatchObject({ reply: planReply(), usage: { output_tokens: 50 } });
    expect(await listen()).toMatchObject({ reply: planReply() });
    expect(server.requests.map(({ body }) => body.stream ?? false)).toEqual([true, false, false]);
  });

  it("that fills a form in no way is unavailable", async () => {
    const { complete } = await open({ probed: () => ({ message: { content: "Hello!" } }) });
    await expect(complete()).rejects.toMatchObject({ code: "unavailable" });
  });
});
