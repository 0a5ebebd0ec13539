import type { AIMessage } from "@langchain/core/messages";
import { readJson } from "../../ingest/parse.ts";

/** A JSON Schema with the name of its form. */
export interface Form {
  readonly title: string;
  readonly description: string;
}

/** How a server is made to answer with a form, the surest first: a tool that must be called, a JSON Schema, or words. */
export const replyWays = ["tools", "json_schema", "json"] as const;
export type ReplyWay = (typeof replyWays)[number];

/** The fields of a request by which the form is asked for. */
export function fieldsOf(way: ReplyWay, { title, description, ...schema }: Form): Record<string, unknown> {
  switch (way) {
    case "tools": {
      const tool = { type: "function", function: { name: title, description, parameters: schema } };
      return { tools: [tool], tool_choice: { type: "function", function: { name: title } } };
    }
    case "json_schema":
      return { response_format: { type: "json_schema", json_schema: { name: title, description, schema } } };
    default:
      return {};
  }
}

/** What the model is told of the form, beside the fields. */
export function askFor(way: ReplyWay, { title, description, ...schema }: Form): string {
  switch (way) {
    case "tools":
      return `Call the function \`${title}\`.`;
    case "json_schema":
      return `Answer with the JSON \`${title}\`: ${description}`;
    default:
      return `Answer with one JSON object and nothing else. ${description} Its JSON Schema:\n${JSON.stringify(schema)}`;
  }
}

/** The filled form: of the tool's call, else the JSON object in what the model wrote; null where there is none. */
export function readForm({ tool_calls = [], content }: AIMessage, { title }: Form): unknown {
  if (tool_calls.length > 0) return tool_calls.find(({ name }) => name === title)?.args ?? null;
  // Some servers put it between words, or fences.
  const [written] = (typeof content === "string" && /\{[\s\S]*\}/.exec(content)) || [];
  return written === undefined ? null : (readJson(written) ?? null);
}
