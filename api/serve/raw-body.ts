import type { IncomingMessage } from "node:http";
import { parseJson } from "../../ingest/parse.ts";
import { ApiError, ValidationError } from "./errors.ts";

/** The names and values of a form, in order. */
export type Fields = readonly (readonly [name: string, value: string])[];

export type FormOrJson =
  | { readonly kind: "form"; readonly fields: Fields }
  | { readonly kind: "json"; readonly value: Readonly<Record<string, unknown>> };

export const bodyFault = (type: string, msg: string): ValidationError =>
  new ValidationError([{ loc: ["body"], msg, type }]);

/**
 * Parses a form or a JSON object, by its Content-Type or, if that is neither, by its first character. Throws 422 for
 * anything else.
 */
export function parseFormOrJson(text: string, contentType: string | undefined): FormOrJson {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "application/x-www-form-urlencoded") return { kind: "form", fields: [...new URLSearchParams(text)] };
  if (!/[/+]json$/.test(type) && !text.trimStart().startsWith("{")) {
    throw bodyFault("missing", "Send a JSON object or a form, with its Content-Type.");
  }
  const parsed = parseJson(text);
  if (!parsed.ok) throw bodyFault("json_invalid", `The body is not valid JSON: ${parsed.error}`);
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw bodyFault("dict_type", "The body must be a JSON object.");
  }
  return { kind: "json", value: value as Record<string, unknown> };
}

const tooLarge = (limit: number): ApiError =>
  new ApiError(413, "body_too_large", `The body is larger than the ${limit} bytes that are read here.`, {
    // The rest of it is not read.
    headers: { Connection: "close" },
  });

/**
 * Reads the text of a body of at most `limit` bytes; throws 413 and 422, and 400 where the client disconnects before its
 * end, which is no error of ours. For routes before Express.
 */
export async function readText(request: IncomingMessage, limit: number): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw bodyFault("encoding_invalid", "Send the body uncompressed.");
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      if (size > limit) throw tooLarge(limit);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof ApiError || !request.destroyed) throw error;
    throw new ApiError(400, "bad_request", "The request ended before its body did.", { cause: error });
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Reads the fields of a JSON object or a form; an empty body has none. */
export async function readFields(
  request: IncomingMessage,
  { limit, fieldsOf }: { readonly limit: number; fieldsOf(body: object): Fields },
): Promise<Fields> {
  const text = await readText(request, limit);
  if (text.trim() === "") return [];
  const body = parseFormOrJson(text, request.headers["content-type"]);
  return body.kind === "form" ? body.fields : fieldsOf(body.value);
}
