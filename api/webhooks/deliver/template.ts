import type { Resource } from "../../config/registry.ts";
import { encoded, inPath, onOneLine, pathEndOf, toJsonNumber, withQuery } from "../../outbound/escape.ts";
import type { Placeholders } from "../../outbound/webhook-placeholders.ts";

/** A request as it will be sent. */
export interface FilledRequest {
  readonly method: Resource<"outgoing_webhook">["method"];
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

type Template = Readonly<Record<string, unknown>>;

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

/** Returns the tags of a template that have no value and stay as they are, each once. */
export function literalTags(
  { url, params, headers, body }: Pick<Resource<"outgoing_webhook">, "url" | "params" | "headers" | "body">,
  values: Placeholders,
): string[] {
  const texts = [url, ...[params, headers, body].map((part) => JSON.stringify(part))];
  const names = texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name]) => String(name)));
  return [...new Set(names)].filter((name) => values(name) === undefined);
}

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
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), onOneLine(fillText(value, values))]),
      ),
    },
    body: !sendsBody ? null : isForm ? fillForm(body, values) : JSON.stringify(fillJson(body, values)),
  };
}

function fillUrl(template: string, params: Template, values: Placeholders): string {
  const pathEnd = pathEndOf(template);
  const filled = fill(template.slice(0, pathEnd), values, inPath) + fill(template.slice(pathEnd), values, encoded);
  return withQuery(
    filled,
    Object.entries(params).map(([name, value]) => [name, fillText(value, values)]),
  );
}

const fillForm = (body: Template, values: Placeholders): string =>
  new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, fillText(value, values)]),
  ).toString();

/** Fills what is sent as text; a template that is no text is sent as its JSON. */
const fillText = (template: unknown, values: Placeholders): string =>
  typeof template === "string" ? fill(template, values) : JSON.stringify(fillJson(template, values));

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
  return value === undefined ? null : toJsonNumber(value);
}
