import { ChatOpenAI } from "@langchain/openai";
import { type Completion, type Message, type Model, ModelError } from "./model.ts";
import { replyForm } from "./reply.ts";

export interface OpenAiOptions {
  readonly apiKey: string;
  /** The address of an OpenAI-compatible server; OpenAI's own without it. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
}

/**
 * A model of an OpenAI-compatible server, through LangChain. The form is sent as a tool that must be called: more
 * servers support that than newer ways. One call makes one request: retries are up to the caller.
 */
export function openOpenAiModel({ apiKey, baseUrl, model }: OpenAiOptions): Model {
  const chat = new ChatOpenAI({
    model,
    apiKey,
    maxRetries: 0,
    useResponsesApi: false,
    configuration: baseUrl === undefined ? {} : { baseURL: baseUrl },
  });
  const options = { name: "answer", method: "functionCalling", includeRaw: true } as const;
  const form = chat.withStructuredOutput<Record<string, unknown>>(replyForm, options);
  return {
    async complete(messages: readonly Message[], signal: AbortSignal): Promise<Completion> {
      try {
        const { raw, parsed } = await form.invoke(
          messages.map(({ role, content }) => [role, content] as const),
          { signal },
        );
        const used = "usage_metadata" in raw ? toUsage(raw.usage_metadata) : toUsage(undefined);
        return { reply: parsed ?? null, usage: used };
      } catch (error) {
        throw toModelError(error, signal);
      }
    },
  };
}

function toUsage(metadata: unknown): Completion["usage"] {
  const counts: Readonly<Record<string, unknown>> =
    typeof metadata === "object" && metadata !== null ? { ...metadata } : {};
  const count = (name: string): number => {
    const value = counts[name];
    return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
  };
  return { input_tokens: count("input_tokens"), output_tokens: count("output_tokens") };
}

function toModelError(error: unknown, signal: AbortSignal): ModelError {
  if (signal.aborted) return new ModelError("stopped", "The language model took too long, or nobody waits for it.");
  const status = typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
  if (status === 401 || status === 403)
    return new ModelError("refused_key", `The language model's server refused OPENAI_API_KEY with ${status}.`);
  if (status === 429)
    return new ModelError("too_many_requests", "The language model's server takes no more requests now (429).");
  const what = typeof status === "number" ? `answered ${status}` : "could not be reached or understood";
  return new ModelError("unavailable", `The language model's server ${what}.`);
}
