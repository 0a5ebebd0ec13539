import type { IncomingMessage } from "node:http";
import { parseJson } from "../../ingest/parse.ts";
import { ApiError, ValidationError } from "./errors.ts";

/** Names and values, in their order. */
export type Fields = readonly (readonly [name: string, value: string])[];

const fault = (type: string, msg: string): ValidationError => new ValidationError([{ loc: ["body"], msg, type }]);
const tooLarge = (limit: number): ApiError =>
  new ApiError(413, "body_too_large", `The body is larger than the ${limit} bytes that are read here.`, {
    // What is left of it is not read.
    headers: { Connection: "close" },
  });

/** The text of a body of so many bytes at most; throws 413 and 422. */
export async function readText(request: IncomingMessage, limit: number): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw fault("encoding_invalid", "Send the body uncompressed.");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * The fields of a JSON object or a form. What it is, its Content-Type says, or where that is neither its first
 * character. No body has no fields.
 */
export async function readFields(
  request: IncomingMessage,
  { limit, fieldsOf }: { readonly limit: number; fieldsOf(body: object): Fields },
): Promise<Fields> {
  const text = await readText(request, limit);
  if (text.trim() === "") return [];
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/x-www-form-urlencoded") return [...new URLSearchParams(text)];
  if (!/[/+]json$/.test(type) && !text.trimStart().startsWith("{")) {
    throw fault("missing", "Send a JSON object or a form, with its Content-Type.");
  }
  const parsed = parseJson(text);
  if (!parsed.ok) throw fault("json_invalid", `The body is not valid JSON: ${parsed.error}`);
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw fault("dict_type", "The body must be a JSON object.");
  }
  return fieldsOf(value);
}
