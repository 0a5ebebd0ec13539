import { ChatOpenAI } from "@langchain/openai";
import { onAbort } from "../../ingest/on-abort.ts";
import { type Completion, type Message, type Model, ModelError } from "./model.ts";
import { replyForm } from "./reply.ts";
import { askFor, type Form, fieldsOf, type ReplyWay, readForm, replyWays } from "./reply-ways.ts";

export interface OpenAiOptions {
  readonly apiKey: string;
  /** The address of an OpenAI-compatible server; OpenAI's own without it. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
  /** Left out where the server refuses it, as it does with models that reason. Default: 0. */
  readonly temperature?: number | undefined;
  /** The most tokens of a reply. */
  readonly maxTokens?: number | undefined;
  /** How the server is made to fill the form; without it, a probe finds out. */
  readonly replyWay?: ReplyWay | undefined;
}

/** How a server answers with a form. */
interface Manner {
  readonly way: ReplyWay;
  readonly temperature: number | undefined;
}

/** A model that says no more in this time is not waited for. */
const probeMs = 30_000;

/**
 * A model of an OpenAI-compatible server, through LangChain. Before its first answer it is probed for how it fills a
 * form, which is kept until it refuses a request. One call makes one request: retries are up to the caller.
 */
export function openOpenAiModel(options: OpenAiOptions): Model {
  const { temperature = 0, replyWay } = options;
  let found: Promise<Manner> | undefined;

  const ask = async (manner: Manner, form: Form, messages: readonly Message[], signal: AbortSignal) => {
    const [system, ...others] = messages;
    const asked = { role: "system" as const, content: `${system?.content}\n\n${askFor(manner.way, form)}` };
    const raw = await openChat(options, manner, form).invoke(
      [asked, ...others].map(({ role, content }) => [role, content] as const),
      { signal },
    );
    return { reply: readForm(raw, form), usage: toUsage(raw.usage_metadata) };
  };

  /** The surest manner in which the server fills a small form. */
  async function probe(): Promise<Manner> {
    const signal = AbortSignal.timeout(probeMs);
    let last: unknown;
    for (const way of replyWay === undefined ? replyWays : [replyWay]) {
      for (const manner of [temperature, undefined].map((each) => ({ way, temperature: each }))) {
        try {
          const { reply } = await ask(manner, probeForm, probeMessages, signal);
          if (isReady(reply)) return manner;
          break;
        } catch (error) {
          if (!mayFillOtherwise(error)) throw error;
          last = error;
        }
      }
    }
    throw last ?? new Error("It fills a form neither by a tool, nor by a JSON Schema, nor in words.");
  }

  function findManner(): Promise<Manner> {
    if (found !== undefined) return found;
    const probing = probe();
    found = probing;
    probing.catch(() => {
      if (found === probing) found = undefined;
    });
    return probing;
  }

  async function fill(messages: readonly Message[], signal: AbortSignal): Promise<Completion> {
    return ask(await findManner(), replyForm, messages, signal);
  }

  return {
    async complete(messages, signal) {
      try {
        return await untilAborted(fill(messages, signal), signal);
      } catch (error) {
        const told = toModelError(error, signal);
        if (told.code === "refused_request") found = undefined;
        throw told;
      }
    },
  };
}

const probeForm = {
  title: "ready",
  description: "Says that you can fill a form.",
  type: "object",
  properties: { ready: { type: "boolean" } },
  required: ["ready"],
};
const probeMessages: readonly Message[] = [
  { role: "system", content: "You fill forms." },
  { role: "user", content: "Say that you are ready: true." },
];
const isReady = (reply: unknown): boolean => typeof reply === "object" && reply !== null && "ready" in reply;

function openChat({ model, apiKey, baseUrl, maxTokens }: OpenAiOptions, { way, temperature }: Manner, form: Form) {
  return new ChatOpenAI({
    model,
    apiKey,
    maxRetries: 0,
    useResponsesApi: false,
    configuration: { fetch: fetchBounded, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) },
    modelKwargs: fieldsOf(way, form),
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
  });
}

const mostBytes = 1024 * 1024;

/** The answer of a server that sends without end breaks off. */
const fetchBounded: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  if (response.body === null) return response;
  let bytes = 0;
  const bounded = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) controller.error(new Error("The answer is too large."));
      else controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(bounded), response);
};

/** Rejects when the signal aborts, also while a body is being read. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = (): void => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    leave = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    leave();
  }
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

const statusOf = (error: unknown): number | undefined =>
  typeof error === "object" && error !== null && "status" in error && typeof error.status === "number"
    ? error.status
    : undefined;

const isRefused = (status: number | undefined): boolean => status === 400 || status === 413 || status === 422;

/** Servers answer so to a field that they do not know; some fail on it. */
const mayFillOtherwise = (error: unknown): boolean => {
  const status = statusOf(error);
  return isRefused(status) || status === 500 || status === 501;
};

function toModelError(error: unknown, signal: AbortSignal): ModelError {
  if (signal.aborted) return new ModelError("stopped", "The language model took too long, or nobody waits for it.");
  const status = statusOf(error);
  const retryAfter = retryAfterOf(error);
  if (status === 401 || status === 403)
    return new ModelError("refused_key", `The language model's server refused OPENAI_API_KEY with ${status}.`);
  if (status === 429)
    return new ModelError(
      "too_many_requests",
      "The language model's server takes no more requests now (429).",
      retryAfter,
    );
  if (isRefused(status))
    return new ModelError("refused_request", `The language model's server refused a request with ${status}.`);
  const what = status === undefined ? "could not be reached or understood" : `answered ${status}`;
  return new ModelError("unavailable", `The language model's server ${what}.`, retryAfter);
}

const retryAfterOf = (error: unknown): string | null =>
  typeof error === "object" && error !== null && "headers" in error && error.headers instanceof Headers
    ? error.headers.get("Retry-After")
    : null;
