import type { Resource } from "../../config/registry.ts";
import type { Placeholders } from "./placeholders.ts";

/** A request as it will be sent. */
export interface FilledRequest {
  readonly method: Resource<"outgoing_webhook">["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const placeholder = /\[([A-Z][A-Z0-9_]*)\]/g;

/**
 * Puts values in place of `[TAG_NAME]` in one pass; what a value contains is never filled again, and a tag that is
 * not populated stays as it stands (spec: Events rule 1).
 */
export const fill = (template: string, values: Placeholders, escaped: (value: string) => string = (value) => value) =>
  template.replace(placeholder, (literal, name: string) => {
    const value = values(name);
    return value === undefined ? literal : escaped(value);
  });

/** Fills URL, query, headers and body, each value escaped for where it stands: it can never add a part of its own. */
export function fillRequest(webhook: Resource<"outgoing_webhook">, values: Placeholders): FilledRequest {
  const { method, params, headers, body, body_type } = webhook;
  const sendsBody = method !== "GET" && Object.keys(body).length > 0;
  const isForm = !body_type.endsWith("json");
  return {
    method,
    url: fillUrl(webhook.url, params, values),
    headers: {
      ...(sendsBody ? { "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json" } : {}),
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), fill(value, values, onOneLine)]),
      ),
    },
    body: !sendsBody ? null : isForm ? fillForm(body, values) : JSON.stringify(fillJson(body, values)),
  };
}

/** Control characters would end a header or make the whole request invalid. */
const onOneLine = (value: string): string => value.replace(/\p{Cc}+/gu, " ");

function fillUrl(template: string, params: Readonly<Record<string, string>>, values: Placeholders): string {
  const pathEnd = template.search(/[?#]|$/);
  const filled = fill(template.slice(0, pathEnd), values, inPath) + fill(template.slice(pathEnd), values, encoded);
  // Sending tells what is wrong with it, in a record that its owner can read.
  if (!URL.canParse(filled)) return filled;
  const url = new URL(filled);
  const added = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) added.append(name, fill(value, values));
  // The template's own query stays byte for byte: it may be signed.
  if (added.size > 0) url.search += `${url.search === "" ? "?" : "&"}${added}`;
  return url.toString();
}

/** Half of a surrogate pair has no encoding: it becomes the replacement character. */
const encoded = (value: string): string => encodeURIComponent(value.replace(/\p{Surrogate}/gu, "\ufffd"));

/** `.` and `..`, encoded or not, would take segments away; encoded twice they arrive as a text that does nothing. */
const inPath = (value: string): string => (/^\.{1,2}$/.test(value) ? value.replaceAll(".", "%252E") : encoded(value));

const fillForm = (body: Readonly<Record<string, unknown>>, values: Placeholders): string =>
  new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? fill(value, values) : JSON.stringify(fillJson(value, values)),
    ]),
  ).toString();

/** Fills the text of a JSON template; a text that is one `[…_NUMERIC]` tag alone becomes a number. */
function fillJson(template: unknown, values: Placeholders): unknown {
  if (typeof template === "string") return toNumber(template, values) ?? fill(template, values);
  if (Array.isArray(template)) return template.map((each) => fillJson(each, values));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fillJson(value, values)]));
}

function toNumber(template: string, values: Placeholders): number | null {
  const name = /^\[([A-Z][A-Z0-9_]*_NUMERIC)\]$/.exec(template)?.[1];
  const value = name === undefined ? undefined : values(name);
  // Only a decimal that a JSON number can hold: `0x1f` is no amount, and a long id would lose its last digits.
  if (value === undefined || !/^\s*-?\d+(\.\d+)?\s*$/.test(value)) return null;
  return Math.abs(Number(value)) <= Number.MAX_SAFE_INTEGER ? Number(value) : null;
}
