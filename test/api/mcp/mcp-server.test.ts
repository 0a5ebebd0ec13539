import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { answerMcp } from "../../../api/mcp/mcp-server.ts";
import { defineTool, offerTool } from "../../../api/mcp/tool.ts";
import type { ToolRun } from "../../../api/mcp/tool-run.ts";
import type { Caller } from "../../../api/serve/caller.ts";
import { ApiError } from "../../../api/serve/errors.ts";
import { defineOperation, type Operation } from "../../../api/serve/operation.ts";
import { allRights } from "../../../api/serve/rights.ts";
import { orgOne } from "../../make.ts";

const caller: Caller = {
  orgId: orgOne,
  actor: { type: "user", id: "ana", name: null },
  admin: false,
  rights: allRights,
};

/** One tool over an operation of this handler. */
function openTool(handle: (signal: AbortSignal) => Promise<unknown>, given: Partial<Operation> = {}) {
  const operation: Operation = {
    ...defineOperation({
      method: "get",
      path: "/figures",
      name: "listFigures",
      tag: "Reports",
      summary: "Figures",
      access: "user",
      limit: "api",
      status: 200,
      answer: z.object({ figure: z.number() }),
      handle: ({ signal }) => handle(signal),
    }),
    ...given,
  };
  const tool = defineTool({
    name: "figures",
    title: "Figures",
    description: "Figures.",
    operation: { user: "listFigures" },
    input: z.object({}),
    toSchema: (answer) => answer,
    summarize: ({ figure }) => `The figure is ${String(figure)}.`,
  });
  const offered = offerTool(tool, [operation], "user");
  if (offered === null) throw new Error("the tool is not offered");
  const troubles: unknown[] = [];
  const run: Omit<ToolRun, "signal"> = {
    caller,
    requestId: "request-1",
    sourceIp: null,
    baseUrl: "https://reports.example",
    admit: async () => undefined,
    onTrouble: (error) => troubles.push(error),
  };
  const version = "2026-07-28";
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": version,
    "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const eras = {
    handshake: { meta: {}, headers: {} },
    modern: {
      meta: { _meta },
      headers: { "MCP-Protocol-Version": version, "Mcp-Method": "tools/call", "Mcp-Name": "figures" },
    },
  };
  const call = async (era: keyof typeof eras, signal = new AbortController().signal) => {
    const { meta, headers } = eras[era];
    const message = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "figures", arguments: {}, ...meta },
    };
    const accepting = { Accept: "application/json, text/event-stream", "Content-Type": "application/json" };
    const sent = { method: "POST", headers: { ...accepting, ...headers }, body: JSON.stringify(message), signal };
    return answerMcp(new Request("https://reports.example/mcp", sent), message, [offered], run);
  };
  return { call, troubles };
}

describe.each(["handshake", "modern"] as const)("a tool that is called by a client of the %s versions", (era) => {
  it("answers what its operation does", async () => {
    const { call } = openTool(async () => ({ figure: 7, unknown: true }));
    const { result } = await (await call(era)).json();
    expect(result.structuredContent).toEqual({ figure: 7, truncated: false, left_out: [] });
    expect(result.content[0].text).toBe("The figure is 7.");
  });

  it("is given up when its client disconnects", async () => {
    const seen: string[] = [];
    const { call } = openTool((signal) => {
      seen.push("begun");
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          seen.push("given up");
          reject(signal.reason);
        });
      });
    });
    const gone = new AbortController();
    const answered = call(era, gone.signal).catch(() => null);
    await vi.waitFor(() => expect(seen).toEqual(["begun"]));
    gone.abort();
    await vi.waitFor(() => expect(seen).toEqual(["begun", "given up"]));
    expect(await answered).toBeDefined();
  });

  it("that fails on our side says so without details, and tells whoever runs the platform", async () => {
    const { call, troubles } = openTool(() => Promise.reject(new Error("secret table missing")));
    const { result } = await (await call(era)).json();
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toMatch(/^Something went wrong on our side/);
    expect(result.content[0].text).toContain("request-1");
    expect(JSON.stringify(result)).not.toContain("secret table");
    expect(troubles).toEqual([new Error("secret table missing")]);
  });

  it("is refused where its operation is, as by fixtures", async () => {
    const refusal = new ApiError(403, "read_only", "Nothing can be changed here.");
    const { call } = openTool(() => Promise.resolve({ figure: 7 }), { refusal });
    const { result } = await (await call(era)).json();
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe("Nothing can be changed here. (read_only)");
  });

  it("answers nothing that its schema does not allow", async () => {
    const { call, troubles } = openTool(async () => ({ figure: "seven" }));
    const { result } = await (await call(era)).json();
    expect([result.isError, result.structuredContent, troubles.length]).toEqual([true, undefined, 1]);
  });
});
