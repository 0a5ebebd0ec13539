import type { AIMessage, AIMessageChunk } from "@langchain/core/messages";
import { parsePartialJson } from "@langchain/core/output_parsers";
import { readJson } from "../../ingest/parse.ts";
import type { Form, ReplyWay } from "./model.ts";

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

/** Returns the sentences of the prompt that ask for the form, beside those fields. */
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

/** The form of a reply that has been streamed, whole or as far as it is written; null where there is none. */
export function readStreamed({ tool_call_chunks = [], content }: AIMessageChunk, { title }: Form, isWhole: boolean) {
  const call = tool_call_chunks.find(({ name }) => name === title);
  const text = call?.args ?? (tool_call_chunks.length === 0 && typeof content === "string" ? content : "");
  // Some servers put the form between words, or fences.
  const from = text.indexOf("{");
  if (from < 0) return null;
  if (isWhole) return readJson(text.slice(from, text.lastIndexOf("}") + 1)) ?? null;
  return parsePartialJson(text.slice(from)) as unknown;
}

/** The filled form: of the tool's call, else the JSON object in what the model wrote; null where there is none. */
export function readForm({ tool_calls = [], content }: AIMessage, { title }: Form): unknown {
  if (tool_calls.length > 0) return tool_calls.find(({ name }) => name === title)?.args ?? null;
  // Some servers put it between words, or fences.
  const [written] = (typeof content === "string" && /\{[\s\S]*\}/.exec(content)) || [];
  return written === undefined ? null : (readJson(written) ?? null);
}
