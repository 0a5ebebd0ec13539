import type { Message, Model } from "../../../assistant/llm/model.ts";
import type { Recording } from "./openai-server.ts";

/** A model that keeps what it was asked and what it answered, in the form in which tests replay it. */
export function createRecorder(model: Model) {
  const exchanges: Recording["exchanges"][number][] = [];

  /** The first request holds the whole catalog, which grows; those after it what was wrong with the reply before. */
  const sendsOf = (messages: readonly Message[]): string[] =>
    exchanges.length === 0 ? [] : [messages.at(-1)?.content ?? ""];

  const recording: Model = {
    async complete(messages, filling) {
      const completion = await model.complete(messages, filling);
      exchanges.push({ sends: sendsOf(messages), arguments: completion.reply });
      return completion;
    },
  };
  return {
    model: recording,
    toRecording: (name: string, question: string): Recording => ({ model: name, question, exchanges }),
  };
}
