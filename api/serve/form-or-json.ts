import { parseJson } from "../../ingest/parse.ts";
import { ValidationError } from "./errors.ts";

/** Names and values, in their order. */
export type Fields = readonly (readonly [name: string, value: string])[];

/** What a body was sent as. */
export type FormOrJson =
  | { readonly kind: "form"; readonly fields: Fields }
  | { readonly kind: "json"; readonly value: Readonly<Record<string, unknown>> };

export const bodyFault = (type: string, msg: string): ValidationError =>
  new ValidationError([{ loc: ["body"], msg, type }]);

/**
 * A form or the object that JSON is of: which of them, its Content-Type says, or where that is neither its first
 * character. Throws 422 for all else.
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
