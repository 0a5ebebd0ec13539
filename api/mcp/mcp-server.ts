import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { mayUse, type OfferedTool } from "./tool.ts";
import { runTool, type ToolRun } from "./tool-run.ts";

const about =
  "Reports of a pay-per-call platform for the organization of the credentials. Lists are short unless a limit is given, and say how to go on. Times are UTC, money is in dollars.";
const asking =
  "Ask in plain words with ask; for a question that it does not understand, look up names in catalog and catalog_search and run a plan with query_plan.";

/** The list of tools changes with an installation's version alone. */
const listForMs = 300_000;

/**
 * Answers one request of the Model Context Protocol, of a client that has begun with a handshake or of one that sends its
 * version with every request (2026-07-28). Neither leaves anything behind, so that any process may take the next one.
 */
export async function answerMcp(
  request: Request,
  parsedBody: unknown,
  offered: readonly OfferedTool[],
  run: Omit<ToolRun, "signal">,
): Promise<Response> {
  const factory = () => createServer(offered, run);
  if (!(await isLegacyRequest(request, parsedBody))) {
    // No list of changes to listen to: nothing changes while a client is connected.
    const handler = createMcpHandler(factory, { legacy: "reject", maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody });
  }
  const server = factory();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  // Cancels the work of a client that has disconnected; the library would then leave the request without any answer.
  const gone = new Promise<Response>((resolve) => {
    const giveUp = () => {
      void server.close();
      resolve(new Response(null, { status: 499 }));
    };
    if (request.signal.aborted) giveUp();
    else request.signal.addEventListener("abort", giveUp, { once: true });
  });
  return Promise.race([transport.handleRequest(request, { parsedBody }), gone]);
}

function createServer(offered: readonly OfferedTool[], run: Omit<ToolRun, "signal">): Server {
  const usable = offered.filter((each) => mayUse(run.caller, each));
  const server = new Server(
    { name: "trunkline", title: "Trunkline", version: "1" },
    {
      capabilities: { tools: {} },
      instructions: usable.some(({ tool }) => tool.name === "ask") ? `${about} ${asking}` : about,
      // The list of tools depends on the credentials.
      cacheHints: { "tools/list": { ttlMs: listForMs, cacheScope: "private" } },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: usable.map(({ shown }) => shown) }));
  server.setRequestHandler("tools/call", ({ params }, { mcpReq }) => {
    const called = offered.find(({ tool }) => tool.name === params.name);
    if (called === undefined) throw unknownTool(params.name, offered);
    return runTool(called, params.arguments, { ...run, signal: mcpReq.signal });
  });
  return server;
}

function unknownTool(name: string, offered: readonly OfferedTool[]): ProtocolError {
  const names = offered.map(({ tool }) => tool.name).join(", ");
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}. There are ${names}.`);
}
