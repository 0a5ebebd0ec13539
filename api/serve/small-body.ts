import type { IncomingMessage } from "node:http";
import { ApiError } from "./errors.ts";
import { bodyFault, type Fields, parseFormOrJson } from "./form-or-json.ts";

const tooLarge = (limit: number): ApiError =>
  new ApiError(413, "body_too_large", `The body is larger than the ${limit} bytes that are read here.`, {
    // What is left of it is not read.
    headers: { Connection: "close" },
  });

/** The text of a body of so many bytes at most; throws 413 and 422. */
export async function readText(request: IncomingMessage, limit: number): Promise<string> {
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge(limit);
  const encoding = request.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") throw bodyFault("encoding_invalid", "Send the body uncompressed.");
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The fields of a JSON object or a form. No body has no fields. */
export async function readFields(
  request: IncomingMessage,
  { limit, fieldsOf }: { readonly limit: number; fieldsOf(body: object): Fields },
): Promise<Fields> {
  const text = await readText(request, limit);
  if (text.trim() === "") return [];
  const body = parseFormOrJson(text, request.headers["content-type"]);
  return body.kind === "form" ? body.fields : fieldsOf(body.value);
}
