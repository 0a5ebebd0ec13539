import { expect, it, onTestFinished } from "vitest";
import { openOpenAiModel } from "../../../assistant/llm/model-openai.ts";
import { replyForm } from "../../../assistant/llm/reply.ts";
import { openOpenAiServer, readRecording } from "./openai-server.ts";
import { createRecorder } from "./recorder.ts";

it("a recording holds what a model answered, and what it was told of it, to be replayed", async () => {
  const { question, exchanges } = readRecording("mended");
  const server = await openOpenAiServer(exchanges);
  onTestFinished(() => server.close());
  const { model, toRecording } = createRecorder(openOpenAiModel({ apiKey: "sk", baseUrl: server.url, model: "any" }));
  const signal = new AbortController().signal;
  for (const { sends } of exchanges)
    await model.complete([{ role: "user", content: sends.join(" ") }], { form: replyForm, signal });
  expect(toRecording("any", question)).toEqual({
    model: "any",
    question,
    exchanges: exchanges.map((exchange, at) => ({ ...exchange, sends: at === 0 ? [] : exchange.sends })),
  });
});
