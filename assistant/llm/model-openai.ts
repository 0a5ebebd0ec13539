import type { AIMessageChunk } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { onAbort } from "../../ingest/on-abort.ts";
import {
  type Completion,
  type Filling,
  type Form,
  type Message,
  type Model,
  type ReplyWay,
  replyWays,
} from "./model.ts";
import { askFor, fieldsOf, readForm, readStreamed } from "./reply-ways.ts";
import { mayFillOtherwise, statusOf, toModelError } from "./server-errors.ts";

export interface OpenAiOptions {
  readonly apiKey: string;
  /** The address of an OpenAI-compatible server; OpenAI's own without it. */
  readonly baseUrl?: string | undefined;
  readonly model: string;
  /** Left out where the server refuses it, as it does with models that reason. Default: 0. */
  readonly temperature?: number | undefined;
  /** The most tokens of a reply. */
  readonly maxTokens?: number | undefined;
  /** The way in which the server is asked to fill the form; without it, a probe finds one. */
  readonly replyWay?: ReplyWay | undefined;
}

/** The way in which a server answers with a form. */
interface Manner {
  readonly way: ReplyWay;
  readonly temperature: number | undefined;
}

/** A model that says no more in this time is not waited for. */
const probeMs = 30_000;

/**
 * A model of an OpenAI-compatible server, through LangChain. Before its first answer it is probed for how it fills a
 * form, which is kept until it refuses a request. One call makes one request, but for a server that turns out not to
 * stream: retries are up to the caller.
 */
export function openOpenAiModel(options: OpenAiOptions): Model {
  const { temperature = 0, replyWay } = options;
  let found: Promise<Manner> | undefined;
  /** Undefined until a reply was asked for as a stream. */
  let streams: boolean | undefined;

  const ask = async (manner: Manner, messages: readonly Message[], { form, signal }: Filling) => {
    const raw = await openChat(options, manner, form).invoke(toChat(manner, form, messages), { signal });
    return { reply: readForm(raw, form), usage: toUsage(raw.usage_metadata) };
  };

  const askForStream = async (manner: Manner, messages: readonly Message[], { form, signal, onPartial }: Filling) => {
    const chunks = await openChat(options, manner, form).stream(toChat(manner, form, messages), { signal });
    let raw: AIMessageChunk | undefined;
    for await (const chunk of chunks) {
      streams = true;
      raw = raw === undefined ? chunk : raw.concat(chunk);
      onPartial?.(readStreamed(raw, form, false));
    }
    if (raw === undefined) throw new Error("The server does not stream.");
    return { reply: readStreamed(raw, form, true), usage: toUsage(raw.usage_metadata) };
  };

  /** The surest manner in which the server fills a small form. */
  async function probe(): Promise<Manner> {
    const signal = AbortSignal.timeout(probeMs);
    let last: unknown;
    for (const way of replyWay === undefined ? replyWays : [replyWay]) {
      for (const manner of [temperature, undefined].map((each) => ({ way, temperature: each }))) {
        try {
          const { reply } = await ask(manner, probeMessages, { form: probeForm, signal });
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

  async function fill(messages: readonly Message[], filling: Filling): Promise<Completion> {
    const manner = await findManner();
    if (filling.onPartial === undefined || streams === false) return ask(manner, messages, filling);
    try {
      return await askForStream(manner, messages, filling);
    } catch (error) {
      const mayBeStream = streams === undefined && (statusOf(error) === undefined || mayFillOtherwise(error));
      if (!mayBeStream || filling.signal.aborted) throw error;
      const completion = await ask(manner, messages, filling);
      streams = false;
      return completion;
    }
  }

  return {
    async complete(messages, filling) {
      try {
        return await untilAborted(fill(messages, filling), filling.signal);
      } catch (error) {
        const told = toModelError(error, filling.signal);
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

/** The messages for LangChain, the first with how to give the form. */
function toChat({ way }: Manner, form: Form, [system, ...others]: readonly Message[]) {
  const asked = { role: "system" as const, content: `${system?.content}\n\n${askFor(way, form)}` };
  return [asked, ...others].map(({ role, content }): [string, string] => [role, content]);
}

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

const mostBytes = 4 * 1024 * 1024;

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
