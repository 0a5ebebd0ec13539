import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server does with one request. */
export type Step =
  /** The model fills the form with these arguments, in the way it was asked to; text stands for what is no JSON. */
  | { readonly arguments: unknown; readonly usage?: { prompt: number; completion: number } }
  /** As above, but only so many letters of the form are streamed; the rest does not come. */
  | { readonly arguments: unknown; readonly letters: number }
  /** The model's message as it is. */
  | { readonly message: object }
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** A body that is no completion, JSON by its header unless `type` is another. */
  | { readonly text: string; readonly type?: string }
  /** A body that begins and never ends: a space every few milliseconds, or as many as the client takes. */
  | "drip"
  | "flood"
  /** A connection that ends within the body. */
  | "cut"
  | "hang";

/** What a server of this kind supports. Default: all of it. */
export interface Supports {
  readonly tools?: boolean;
  readonly jsonSchema?: boolean;
  readonly temperature?: boolean;
  /** What it does with a request for a stream, where it has none. */
  readonly streams?: "refused" | "ignored";
  /** The embedding of a text; without it, requests for embeddings fail. */
  readonly embeds?: (text: string) => readonly number[];
  /** Texts of which it refuses the embedding, with all that are sent beside them. */
  readonly refusesToEmbed?: RegExp;
  /** What it does with the probe instead, while this gives a step. */
  readonly probed?: () => Step | undefined;
}

/** A step in which the model speaks. */
type Filled = Extract<Step, { arguments: unknown } | { message: object }>;

export interface SeenRequest {
  readonly authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON the client sends; tests assert on it.
  readonly body: any;
}

export interface Recording {
  /** The model that was recorded. */
  readonly model: string;
  readonly question: string;
  /** In order; `sends` is what the request's last message must hold. */
  readonly exchanges: readonly { readonly sends: readonly string[]; readonly arguments: unknown }[];
}

export function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`recordings/${name}.json`, import.meta.url), "utf8")) as Recording;
}

/**
 * A server that speaks as OpenAI's does. It is ready when it is probed, by what it supports; to questions it does one
 * step after the other, and what comes after the last is a 500.
 */
export async function openOpenAiServer(steps: readonly Step[], supports: Supports = {}) {
  const requests: SeenRequest[] = [];
  const embedded: string[][] = [];
  const counts = { aborted: 0 };
  const probes: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(parts).toString());
      const seen = { authorization: request.headers.authorization, body };
      if (request.url?.endsWith("/embeddings") === true) {
        embedded.push(body.input);
        act(toEmbeddings(body.input, supports), body, response);
        return;
      }
      const isProbe = JSON.stringify(body.messages).includes("Say that you are ready");
      const next = steps[requests.length] ?? { status: 500, body: { error: { message: "nothing is left to replay" } } };
      (isProbe ? probes : requests).push(seen);
      const step = isProbe ? (supports.probed?.() ?? { arguments: { ready: true } }) : next;
      response.on("close", () => {
        if (!response.writableEnded) counts.aborted += 1;
      });
      const isStream = body.stream === true && supports.streams !== "ignored";
      const given = refusal(body, supports) ?? step;
      if (isStream && typeof given === "object" && ("arguments" in given || "message" in given))
        streamCompletion(given, body, response);
      else act(given, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    probes,
    /** The texts of each request for embeddings. */
    embedded,
    /** Requests whose client went away before their answer was whole. */
    get aborted() {
      return counts.aborted;
    },
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON the client sends.
function refusal(body: any, supports: Supports): Step | undefined {
  const { tools = true, jsonSchema = true, temperature = true, streams } = supports;
  const unsupported = [
    ...(!tools && body.tools !== undefined ? ["tools"] : []),
    ...(!jsonSchema && body.response_format !== undefined ? ["response_format"] : []),
    ...(streams === "refused" && body.stream === true ? ["stream"] : []),
    ...(!temperature && body.temperature !== undefined ? ["temperature"] : []),
  ];
  if (unsupported.length === 0) return undefined;
  return { status: 400, body: { error: { message: `Unsupported parameter: ${unsupported.join(", ")}` } } };
}

const dripMs = 5;

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON the client sends.
function act(step: Step, request: any, response: ServerResponse): void {
  if (step === "hang") return;
  if (step === "drip" || step === "flood" || step === "cut") {
    response.writeHead(200, { "Content-Type": "application/json" });
    breakOff(step, response);
    return;
  }
  if ("text" in step) {
    response.writeHead(200, { "Content-Type": step.type ?? "application/json" }).end(step.text);
    return;
  }
  const { status, body, headers = {} } = "status" in step ? step : { status: 200, body: toCompletion(step, request) };
  response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
}

function breakOff(step: "drip" | "flood" | "cut", response: ServerResponse): void {
  if (step === "cut") {
    response.write('{"id": "chatcmpl-1", "choi', () => response.destroy());
    return;
  }
  const spaces = " ".repeat(step === "drip" ? 1 : 64 * 1024);
  const timer = setInterval(() => response.write(spaces), dripMs);
  response.on("close", () => clearInterval(timer));
}

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON the client sends.
function toCompletion(step: Filled, request: any) {
  const { prompt, completion } = ("usage" in step && step.usage) || { prompt: 1000, completion: 50 };
  const message = "message" in step ? step.message : filled(step.arguments, request.tools?.[0].function.name);
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: "recorded",
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
    usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON the client sends.
function streamCompletion(step: Filled, request: any, response: ServerResponse): void {
  const { id, choices, usage } = toCompletion(step, request);
  const message: Spoken = { content: null, ...choices[0]?.message };
  const [call] = message.tool_calls ?? [];
  const text = (call?.function.arguments ?? message.content ?? "").slice(
    0,
    "letters" in step ? step.letters : undefined,
  );
  const send = (delta: object, more: object = {}) => {
    const chunk = { id, object: "chat.completion.chunk", model: "recorded", choices: [{ index: 0, delta }], ...more };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  const asCall = (more: object) => ({ role: "assistant", tool_calls: [{ index: 0, ...more }] });
  if (call !== undefined) send(asCall({ ...call, function: { ...call.function, arguments: "" } }));
  for (const part of text) {
    send(call === undefined ? { role: "assistant", content: part } : asCall({ function: { arguments: part } }));
  }
  if ("letters" in step) return;
  send({}, { choices: [], usage });
  response.end("data: [DONE]\n\n");
}

interface Spoken {
  readonly content: string | null;
  readonly tool_calls?: readonly { readonly function: { readonly arguments: string } }[];
}

function toEmbeddings(texts: readonly string[], { embeds, refusesToEmbed }: Supports): Step {
  if (texts.some((text) => refusesToEmbed?.test(text))) {
    return { status: 400, body: { error: { message: "too long" } } };
  }
  if (embeds === undefined) return { status: 500, body: { error: { message: "no such model" } } };
  const data = texts.map((text, index) => ({ object: "embedding", index, embedding: embeds(text) }));
  return {
    status: 200,
    body: { object: "list", model: "recorded", data, usage: { prompt_tokens: 1, total_tokens: 1 } },
  };
}

/** The form by a call of the tool that was asked for, or as the message's text. */
function filled(given: unknown, tool: string | undefined): object {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  if (tool === undefined) return { content: text };
  return { content: null, tool_calls: [{ id: "call_1", type: "function", function: { name: tool, arguments: text } }] };
}
