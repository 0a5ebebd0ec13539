import { readFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the server does with one request. */
export type Step =
  /** The model calls its function with these arguments; text stands for what is no JSON. */
  | { readonly arguments: unknown; readonly usage?: { prompt: number; completion: number } }
  | { readonly status: number; readonly body: unknown }
  /** A body that is no completion. */
  | { readonly text: string }
  | "hang";

export interface SeenRequest {
  readonly authorization: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON the client sends; tests assert on it.
  readonly body: any;
}

export interface Recording {
  readonly question: string;
  /** In order; `sends` is what the request's last message must hold. */
  readonly exchanges: readonly { readonly sends: readonly string[]; readonly arguments: unknown }[];
}

export function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`recordings/${name}.json`, import.meta.url), "utf8")) as Recording;
}

/** A server that speaks as OpenAI's does, and does one step after the other; what comes after the last is a 500. */
export async function openOpenAiServer(steps: readonly Step[]) {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const step = steps[requests.length] ?? { status: 500, body: { error: { message: "nothing is left to replay" } } };
      requests.push({
        authorization: request.headers.authorization,
        body: JSON.parse(Buffer.concat(parts).toString()),
      });
      act(step, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function act(step: Step, response: ServerResponse): void {
  if (step === "hang") return;
  if ("text" in step) {
    response.writeHead(200, { "Content-Type": "application/json" }).end(step.text);
    return;
  }
  const { status, body } = "status" in step ? step : { status: 200, body: toCompletion(step) };
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}

function toCompletion({
  arguments: given,
  usage = { prompt: 1000, completion: 50 },
}: Extract<Step, { arguments: unknown }>) {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  const call = { id: "call_1", type: "function", function: { name: "answer", arguments: text } };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 0,
    model: "recorded",
    choices: [
      { index: 0, finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls: [call] } },
    ],
    usage: {
      prompt_tokens: usage.prompt,
      completion_tokens: usage.completion,
      total_tokens: usage.prompt + usage.completion,
    },
  };
}
