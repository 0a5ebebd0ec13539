import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server does with one request. */
export type Step =
  /** The model fills the form with these arguments, in the way it was asked to; text stands for what is no JSON. */
  | { readonly arguments: unknown; readonly usage?: { prompt: number; completion: number } }
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
  /** What it does with the probe instead, while this gives a step. */
  readonly probed?: () => Step | undefined;
}

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
  const probes: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = JSON.parse(Buffer.concat(parts).toString());
      const seen = { authorization: request.headers.authorization, body };
      const isProbe = JSON.stringify(body.messages).includes("Say that you are ready");
      const next = steps[requests.length] ?? { status: 500, body: { error: { message: "nothing is left to replay" } } };
      (isProbe ? probes : requests).push(seen);
      const step = isProbe ? (supports.probed?.() ?? { arguments: { ready: true } }) : next;
      act(refusal(body, supports) ?? step, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    probes,
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: whatever JSON the client sends.
function refusal(body: any, { tools = true, jsonSchema = true, temperature = true }: Supports): Step | undefined {
  const unsupported = [
    ...(!tools && body.tools !== undefined ? ["tools"] : []),
    ...(!jsonSchema && body.response_format !== undefined ? ["response_format"] : []),
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
function toCompletion(step: Extract<Step, { arguments: unknown } | { message: object }>, request: any) {
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

/** The form by a call of the tool that was asked for, or as the message's text. */
function filled(given: unknown, tool: string | undefined): object {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  if (tool === undefined) return { content: text };
  return { content: null, tool_calls: [{ id: "call_1", type: "function", function: { name: tool, arguments: text } }] };
}
