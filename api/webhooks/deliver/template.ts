import type { Resource } from "../../config/registry.ts";
import { encoded, inPath, onOneLine, pathEndOf, toAddress, toJsonNumber } from "../../outbound/escape.ts";
import type { Placeholders } from "../../outbound/webhook-placeholders.ts";

type Webhook = Resource<"outgoing_webhook">;

/** A request as it will be sent. */
export interface FilledRequest {
  readonly method: Webhook["method"];
  readonly url: string;
  /** The parsed `url`; null for one that is invalid. */
  readonly address?: URL | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

const placeholder = /\[([A-Z][A-Z0-9_]*)\]/g;

/** A `[TAG_NAME]` of a template. */
interface Tag {
  readonly name: string;
  /** The text in its place while the tag is not populated. */
  readonly literal: string;
  encode(value: string): string;
}
/** A compiled template: constant text and tags, in order. */
type Parts = readonly (string | Tag)[];

/**
 * Puts values in place of tags in one pass; what a value contains is never filled again, and a tag that is not populated
 * stays as it stands.
 */
function render(parts: Parts, values: Placeholders): string {
  let text = "";
  for (const part of parts) {
    if (typeof part === "string") text += part;
    else {
      const value = values(part.name);
      text += value === undefined ? part.literal : part.encode(value);
    }
  }
  return text;
}

const asIs = (value: string): string => value;

function compileText(template: string, encode: Tag["encode"] = asIs, constant: Tag["encode"] = asIs): Parts {
  const parts: (string | Tag)[] = [];
  let end = 0;
  for (const match of template.matchAll(placeholder)) {
    const [literal, name = ""] = match;
    parts.push(constant(template.slice(end, match.index)), { name, literal: constant(literal), encode });
    end = match.index + literal.length;
  }
  parts.push(constant(template.slice(end)));
  return parts;
}

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const asNumber = (value: string): string => JSON.stringify(toJsonNumber(value) ?? value);

/** Compiles a JSON template; a text that is one `[…_NUMERIC]` tag alone becomes a number. */
function compileJson(template: unknown): Parts {
  if (typeof template === "string") {
    const name = /^\[([A-Z][A-Z0-9_]*_NUMERIC)\]$/.exec(template)?.[1];
    if (name !== undefined) return [{ name, literal: JSON.stringify(template), encode: asNumber }];
    return ['"', ...compileText(template, inJson, inJson), '"'];
  }
  if (typeof template !== "object" || template === null) return [JSON.stringify(template)];
  const [open, close] = Array.isArray(template) ? "[]" : "{}";
  const parts: (string | Tag)[] = [];
  for (const [key, value] of Object.entries(template)) {
    parts.push(parts.length === 0 ? String(open) : ",", Array.isArray(template) ? "" : `${JSON.stringify(key)}:`);
    for (const part of compileJson(value)) parts.push(part);
  }
  if (parts.length === 0) parts.push(String(open));
  return [...parts, String(close)];
}

/** Compiles what is sent as text; a template that is no text is sent as its JSON. */
const compileValue = (template: unknown): Parts =>
  typeof template === "string" ? compileText(template) : compileJson(template);

const compileValues = (templates: Readonly<Record<string, unknown>>) =>
  Object.entries(templates).map(([name, template]) => [name, compileValue(template)] as const);

type Compiled = (values: Placeholders) => FilledRequest;

/** Compiled templates by webhook: a changed one is another object. */
const compiledOf = new WeakMap<Webhook, Compiled>();

/** Fills URL, query, headers and body, each value escaped for where it stands: it can never add a part of its own. */
export function fillRequest(webhook: Webhook, values: Placeholders): FilledRequest {
  const compiled = compiledOf.get(webhook) ?? compile(webhook);
  compiledOf.set(webhook, compiled);
  return compiled(values);
}

function compile({ method, url, params, headers, body, body_type }: Webhook): Compiled {
  const pathEnd = pathEndOf(url);
  const address = [...compileText(url.slice(0, pathEnd), inPath), ...compileText(url.slice(pathEnd), encoded)];
  const query = compileValues(params);
  const fields = compileValues(headers);
  const sendsBody = method !== "GET" && Object.keys(body).length > 0;
  const isForm = !body_type.endsWith("json");
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json";
  const fillBody = isForm ? compileForm(body) : compileJsonBody(body);
  return (values) => {
    const filled = render(address, values);
    const parsed = toAddress(
      filled,
      query.map(([name, parts]) => [name, render(parts, values)]),
    );
    const sent: Record<string, string> = sendsBody ? { "content-type": type } : {};
    for (const [name, parts] of fields) sent[name.toLowerCase()] = onOneLine(render(parts, values));
    return {
      method,
      url: parsed?.href ?? filled,
      address: parsed,
      headers: sent,
      body: sendsBody ? fillBody(values) : null,
    };
  };
}

function compileJsonBody(body: Webhook["body"]) {
  const parts = compileJson(body);
  return (values: Placeholders): string => render(parts, values);
}

function compileForm(body: Webhook["body"]) {
  const fields = compileValues(body);
  return (values: Placeholders): string =>
    new URLSearchParams(fields.map(([name, parts]): [string, string] => [name, render(parts, values)])).toString();
}

/** Fills one text. */
export const fill = (template: string, values: Placeholders): string => render(compileText(template), values);

/** Returns the tags of a template that have no value and stay as they are, each once. */
export function literalTags(
  { url, params, headers, body }: Pick<Webhook, "url" | "params" | "headers" | "body">,
  values: Placeholders,
): string[] {
  const texts = [url, ...[params, headers, body].map((part) => JSON.stringify(part))];
  const names = texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name]) => String(name)));
  return [...new Set(names)].filter((name) => values(name) === undefined);
}
