import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { onTestFinished } from "vitest";
// Loaded before a test asks for it: a busy machine takes seconds for it, in which idle connections are closed.
import "../../../api/mcp/mcp-server.ts";

const about = { name: "test", version: "1" };

/** What a tool has answered: `said` is its text, as a client shows it that reads nothing else. */
export interface ToolAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON the tool answers; tests assert on it.
  readonly answer: any;
  readonly isError: boolean;
  readonly said: string;
  /** The texts one by one. */
  readonly texts: readonly string[];
}

/**
 * The protocol's own client, of the versions that begin with a handshake. It holds what tools answer against the schemas
 * that they were listed with, and throws where it differs.
 */
export async function connect(url: string, headers: Record<string, string>) {
  const client = new Client(about);
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } });
  await client.connect(transport as Transport);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const use = async (name: string, input: Record<string, unknown> = {}) =>
    toAnswer(await client.callTool({ name, arguments: input }));
  return { client, tools, use };
}

/** The protocol's own client, of the version that is told with every request. */
export async function connectModern(url: string, headers: Record<string, string>) {
  const client = new ModernClient(about, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new ModernTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  const use = async (name: string, input: Record<string, unknown> = {}) =>
    toAnswer(await client.callTool({ name, arguments: input }));
  return { client, tools, use };
}

function toAnswer(result: Readonly<Record<string, unknown>>): ToolAnswer {
  const { structuredContent: answer, isError, content } = result;
  const texts = (content as { text: string }[]).map(({ text }) => text);
  return { answer, isError: isError === true, said: texts.join("\n"), texts };
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
