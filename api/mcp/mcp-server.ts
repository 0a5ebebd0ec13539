import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { Caller } from "../serve/caller.ts";
import { toErrorAnswer } from "../serve/error-answers.ts";
import { parseInput } from "../serve/errors.ts";
import type { Operation, OperationGuards } from "../serve/operation.ts";
import { type Tool, tools } from "./tools.ts";

export interface McpRequest {
  readonly caller: Caller;
  readonly authorize: OperationGuards["authorize"];
  readonly requestId: string;
  readonly sourceIp: string | null;
  readonly baseUrl: string;
  /** Receives the error of a tool that failed on our side. */
  onTrouble(error: unknown): void;
}

const instructions =
  "Reports of a pay-per-call platform for the organization of the access token. Ask in plain words, or read the catalog and run a plan.";

/** Opens a server for one request, connected to its transport, with the caller's data only. */
export async function openMcpServer(operations: readonly Operation[], request: McpRequest) {
  const server = createServer(operations, request);
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  // The SDK types its own transport with optional fields that may be undefined, which the interface does not allow.
  await server.connect(transport as Transport);
  return { answer: transport.handleRequest.bind(transport), close: () => server.close() };
}

function createServer(operations: readonly Operation[], request: McpRequest): McpServer {
  const server = new McpServer({ name: "trunkline", version: "1" }, { instructions });
  for (const tool of tools) {
    const { method, path } = tool.operation;
    const operation = operations.find((each) => each.method === method && each.path === path);
    if (operation === undefined) continue;
    const { name, title, description, input: inputSchema } = tool;
    const annotations = { readOnlyHint: true, openWorldHint: false };
    server.registerTool(name, { title, description, inputSchema, annotations }, (input, { signal }) =>
      run(operation, tool, { ...request, input, signal }),
    );
  }
  return server;
}

interface Run extends McpRequest {
  readonly input: unknown;
  readonly signal: AbortSignal;
}

/** Runs the operation; its errors become results that a model can read and act on. */
async function run(
  operation: Operation,
  { place }: Tool,
  { input, onTrouble, authorize, ...request }: Run,
): Promise<CallToolResult> {
  const { params, query, body } = operation;
  try {
    authorize(request.caller, operation);
    const answer = await operation.handle({
      ...request,
      params: params && parseInput(params, place === "params" ? input : {}, "path"),
      query: query && parseInput(query, {}, "query"),
      body: body && parseInput(body, place === "body" ? input : {}, "body"),
    });
    return toResult(withoutChart(answer));
  } catch (error) {
    const { status, body: fault } = toErrorAnswer(error);
    if (status >= 500) onTrouble(error);
    return { ...toResult(fault), isError: true };
  }
}

const toResult = (value: unknown): CallToolResult => ({
  content: [{ type: "text", text: JSON.stringify(value) }],
  structuredContent: value as Record<string, unknown>,
});

/** Removes the chart specification: it repeats all rows and is of no use to a model. */
function withoutChart(answer: unknown): unknown {
  if (typeof answer !== "object" || answer === null || !("chart_suggestion" in answer)) return answer;
  const { chart_suggestion: chart, ...rest } = answer;
  if (typeof chart !== "object" || chart === null) return answer;
  return { ...rest, chart_suggestion: { ...chart, vega_lite: null, alternatives: [] } };
}
