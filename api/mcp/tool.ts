import { z } from "zod";
import { describeFault } from "../../ingest/fault.ts";
import { changesSomething, permissionsOf } from "../serve/areas.ts";
import type { Caller } from "../serve/caller.ts";
import { type Json, tidy } from "../serve/openapi-schemas.ts";
import type { Operation } from "../serve/operation.ts";
import { may } from "../serve/rights.ts";
import type { Bounds } from "./bound.ts";
import { objectOf } from "./schema-parts.ts";

/** Credentials that a client of the tools may have. */
export type ToolAccess = "user" | "api_key";

export type ToolAnswer = Readonly<Record<string, unknown>>;

/** A tool of the Model Context Protocol: an operation of the API, as a model is shown it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** The names of the operations behind it. A tool is offered to those only who may ask its operation over HTTP. */
  readonly operation: Readonly<Partial<Record<ToolAccess, string>>>;
  /** The tool's arguments; those that the operation has, too, go to it. */
  readonly input: z.ZodObject;
  /** Returns the tool's answer schema, made of the operation's. */
  toSchema(answer: z.ZodObject): z.ZodObject;
  /** Returns the fields of the operation's request. Default: the arguments as they are. */
  // biome-ignore lint/suspicious/noExplicitAny: a table of tools holds inputs of many types; `defineTool` types each one.
  toRequest?(input: any): ToolAnswer;
  /** Shapes the operation's answer; the schema leaves out the fields that it does not have. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  toAnswer?(answer: ToolAnswer, input: any): ToolAnswer;
  /** Returns what the answer comes to, in a sentence or two. */
  summarize(answer: ToolAnswer): string;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  boundsOf?(input: any): Bounds;
}

/** Types a tool's functions by its input. */
export function defineTool<I extends z.ZodObject>(
  tool: Omit<Tool, "input" | "toRequest" | "toAnswer" | "boundsOf"> & {
    readonly input: I;
    toRequest?(input: z.output<I>): ToolAnswer;
    toAnswer?(answer: ToolAnswer, input: z.output<I>): ToolAnswer;
    boundsOf?(input: z.output<I>): Bounds;
  },
): Tool {
  return tool;
}

/** A tool with what its operation decides, ready for one kind of credentials. */
export interface OfferedTool {
  readonly tool: Tool;
  readonly operation: Operation;
  readonly output: z.ZodObject;
  /** The tool as `tools/list` shows it. */
  readonly shown: ShownTool;
}

type JsonSchema = Record<string, unknown> & { type: "object" };

export interface ShownTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
}

/** Fields that every tool's answer has beside the operation's. */
const cutting = {
  truncated: z.boolean().describe("True if there is more than is shown."),
  left_out: z.array(z.string()).describe("What was left out to keep the answer short."),
};

/** Returns the tool for these credentials; null if they may not ask its operation. */
export function offerTool(tool: Tool, operations: readonly Operation[], access: ToolAccess): OfferedTool | null {
  const name = tool.operation[access];
  const operation = name === undefined ? undefined : operations.find((each) => each.name === name);
  if (operation === undefined || operation.access !== access) return null;
  const output = tool.toSchema(objectOf(operation.answer)).extend(cutting);
  const changes = changesSomething(operation);
  const { title, description } = tool;
  return {
    tool,
    operation,
    output,
    shown: {
      name: tool.name,
      title,
      description,
      inputSchema: toJsonSchema(argumentsOf(tool), "input"),
      outputSchema: toJsonSchema(output, "output"),
      annotations: { readOnlyHint: !changes, destructiveHint: changes, openWorldHint: false },
    },
  };
}

function toJsonSchema(schema: z.ZodObject, io: "input" | "output"): JsonSchema {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ jsonSchema }) => tidy(jsonSchema as Json, io === "output" ? "answer" : "parameters"),
  });
  return { ...json, type: "object" };
}

/** True for a caller with the rights that the tool's operation takes. */
export const mayUse = (caller: Caller, { operation }: OfferedTool): boolean =>
  permissionsOf(operation).every((permission) => may(caller, permission));

/** Unknown arguments are refused: a filter that is misspelt would be one that does nothing. */
const argumentsOf = ({ input }: Tool) => z.strictObject(input.shape);

/** Parses a tool's arguments. */
export const parseArguments = (tool: Tool, given: unknown) =>
  argumentsOf(tool).safeParse(given ?? {}, { error: describeFault, reportInput: true });
