import type { CallToolResult } from "@modelcontextprotocol/server";
import { toErrorAnswer } from "../serve/error-answers.ts";
import { parseInput } from "../serve/errors.ts";
import type { Operation, OperationRequest } from "../serve/operation.ts";
import { type BoundedAnswer, boundAnswer, maxAnswerLength } from "./bound.ts";
import { type OfferedTool, parseArguments, type ToolAnswer } from "./tool.ts";

export interface ToolRun extends Pick<OperationRequest<unknown, unknown, unknown>, "caller" | "requestId" | "signal"> {
  readonly sourceIp: string | null;
  readonly baseUrl: string;
  /** Lets the caller use an operation: throws 403 without the rights that it takes, and 429 beyond its limit. */
  admit(operation: Operation): Promise<void>;
  /** Receives the error of a tool that failed on our side. */
  onTrouble(error: unknown, tool: string): void;
}

/** Runs a tool's operation for the caller; its errors become results that a model can read and act on. */
export async function runTool(offered: OfferedTool, given: unknown, run: ToolRun): Promise<CallToolResult> {
  const { tool, operation } = offered;
  const parsed = parseArguments(tool, given);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "The call"} ${message}.`);
    const known = `Correct the arguments, which are ${Object.keys(tool.input.shape).join(", ")}, and call the tool again.`;
    return toFailure([...faults, known]);
  }
  try {
    if (operation.refusal !== undefined) throw operation.refusal;
    await run.admit(operation);
    return toResult(offered, await answerInBounds(offered, parsed.data, run));
  } catch (error) {
    const { status, body } = toErrorAnswer(error);
    if (status >= 500) run.onTrouble(error, tool.name);
    return toFailure([...toLines(body), ...adviceOf(status, run.requestId)]);
  }
}

/**
 * Asks the operation, and of a list fewer rows again while they are too much for one answer: the cursor of a list that is
 * cut afterwards would lead past what was cut.
 */
async function answerInBounds(offered: OfferedTool, input: ToolAnswer, run: ToolRun): Promise<BoundedAnswer> {
  const { tool } = offered;
  const answer = await ask(offered, input, run);
  const bounded = boundAnswer(answer, tool.boundsOf?.(input));
  const { limit } = input;
  if (bounded.fits || typeof limit !== "number" || limit <= 1) return bounded;
  return answerInBounds(offered, { ...input, limit: Math.floor(limit / 2) }, run);
}

async function ask({ tool, operation, output }: OfferedTool, input: ToolAnswer, run: ToolRun): Promise<ToolAnswer> {
  const { params, query, body } = operation;
  const { caller, requestId, sourceIp, baseUrl, signal } = run;
  const fields = tool.toRequest?.(input) ?? input;
  const answer = await operation.handle({
    caller,
    requestId,
    sourceIp,
    baseUrl,
    signal,
    params: params && parseInput(params, fields, "path"),
    query: query && parseInput(query, toQuery(fields), "query"),
    body: body && parseInput(body, fields, "body"),
  });
  const shaped = tool.toAnswer?.(answer as ToolAnswer, input) ?? (answer as ToolAnswer);
  // Through JSON, as it would be over HTTP.
  return output.parse({ ...JSON.parse(JSON.stringify(shaped)), left_out: [], truncated: shaped["truncated"] === true });
}

/** Fields as they stand in a query: `true` as text. */
const toQuery = (fields: ToolAnswer): ToolAnswer =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "boolean" ? String(value) : value]),
  );

function toResult({ tool }: OfferedTool, { answer: bounded, leftOut }: BoundedAnswer): CallToolResult {
  const truncated = bounded["truncated"] === true || leftOut.length > 0;
  const answer = { ...bounded, truncated, left_out: [...leftOut] };
  const summary = [tool.summarize(answer), ...leftOut.map((each) => `Left out here: ${each}.`)].join("\n");
  return {
    content: [
      { type: "text", text: summary },
      // For clients without structured content: the same, without what says nothing.
      { type: "text", text: JSON.stringify(answer, withoutEmpty) },
    ],
    structuredContent: answer,
  };
}

const withoutEmpty = (_name: string, value: unknown): unknown => {
  const isEmpty = value === null || (typeof value === "object" && Object.keys(value).length === 0);
  return isEmpty ? undefined : value;
};

const toFailure = (lines: readonly string[]): CallToolResult => ({
  content: [{ type: "text", text: lines.join("\n").slice(0, maxAnswerLength) }],
  isError: true,
});

interface Fault {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
}

/** Returns an error's body as lines of text. */
function toLines(body: unknown): string[] {
  const { detail } = body as { detail: { code: string; message: string } | readonly Fault[] };
  if (!("code" in detail)) return detail.map(({ loc, msg }) => `${loc.slice(1).join(".") || "The call"}: ${msg}`);
  return [`${detail.message} (${detail.code})`];
}

/** Advice to a model by the error's code, where the error's own text has none. */
function adviceOf(status: number, requestId: string): string[] {
  if (status === 404) return ["Take ids from the answers of other tools: those of another organization are not found."];
  if (status === 422) return ["Correct the arguments and call the tool again."];
  if (status === 500) return [`Calling it again will hardly help: tell the user the request id ${requestId}.`];
  return [];
}
