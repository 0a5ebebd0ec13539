import { LRUCache } from "lru-cache";
import { memoizeByObject } from "../../conditions/memoize.ts";
import { encoded, inPath, onOneLine, pathEndOf } from "../../outbound/escape.ts";

/** The values of placeholders for one call or ping. */
export interface PingContext {
  /** E.164. */
  readonly caller_id: string | null;
  readonly zip: string | null;
  /** Two letters. */
  readonly state: string | null;
  readonly call_id: string | null;
  readonly request_id: string | null;
  readonly publisher_id: string | null;
  readonly campaign_id: string | null;
  readonly tags: Readonly<Record<string, string>>;
}

/** Returns the value of a placeholder by its name, in any case; undefined where there is none. */
export type Names = (name: string) => string | undefined;

/** Values of placeholders beside the context. */
export interface Known {
  /** Values that earlier steps selected of their answers. */
  readonly captured: Readonly<Record<string, string>>;
  /** Dollars; known to the steps of a winner alone. */
  readonly bid?: number;
}

/**
 * Returns the values of placeholders. A value that a step selected comes before the platform's own, and that
 * before a tag of the same name. `x_numeric` is the value of `x`.
 */
export function namesOf(context: PingContext, { captured, bid }: Known): Names {
  const selected = foldKeys(captured);
  const find = (name: string): string | undefined => {
    const found = selected.get(name) ?? (name === "bid" && bid !== undefined ? String(bid) : undefined);
    if (found !== undefined) return found;
    const own = ownNames.get(name);
    return own === undefined ? foldKeys(context.tags).get(name) : (own(context) ?? undefined);
  };
  return (name) => {
    const folded = name.toLowerCase();
    return find(folded) ?? find(folded.replace(/_numeric$/, ""));
  };
}

/** Values by their names in lower case; of several that fold to the same, the last one. */
const foldKeys = memoizeByObject((values: Readonly<Record<string, string>>): ReadonlyMap<string, string> => {
  return new Map(Object.entries(values).map(([name, value]) => [name.toLowerCase(), value]));
});

const digitsOf = ({ caller_id }: PingContext): string | null => caller_id?.replace(/\D/g, "") ?? null;

/** The platform's own; one that has no value is not a tag's either. */
const ownNames: ReadonlyMap<string, (context: PingContext) => string | null> = new Map([
  ["caller_id", ({ caller_id }: PingContext) => caller_id],
  ["caller_id_no_plus", digitsOf],
  ["caller_id_numeric", digitsOf],
  ["caller_id_10", (context: PingContext) => digitsOf(context)?.slice(-10) ?? null],
  ["zip_code", ({ zip }: PingContext) => zip],
  ["zip", ({ zip }: PingContext) => zip],
  ["state", ({ state }: PingContext) => state],
  ["call_id", ({ call_id }: PingContext) => call_id],
  ["request_id", ({ request_id }: PingContext) => request_id],
  ["publisher_id", ({ publisher_id }: PingContext) => publisher_id],
  ["campaign_id", ({ campaign_id }: PingContext) => campaign_id],
]);

/** The part of a request that a value is put in, which decides how it is escaped. */
export type Encoding = "path" | "query" | "header" | "json" | "xml" | "form" | "plain";

const escapes: Readonly<Record<Encoding, (value: string) => string>> = {
  path: inPath,
  query: encoded,
  header: onOneLine,
  json: (value) => JSON.stringify(value).slice(1, -1),
  xml: inXml,
  form: encoded,
  plain: (value) => value,
};

/** Escapes for XML, without the characters that no XML can hold. */
function inXml(value: string): string {
  const held = value.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
  return held.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A template being filled: the values, and the names that had none. */
export interface Filling {
  readonly names: Names;
  readonly unresolved: Set<string>;
}

/**
 * `{{name}}`, spaces allowed, or `[NAME]` in any case. A list of one literal is JSON's own, and `<![CDATA[name]]>` is
 * XML's.
 */
const placeholder = /\{\{([^{}]{1,255})\}\}|(?<!<!\[CDATA)\[(?!(?:true|false|null)\])([A-Z][A-Z0-9_]{0,254})\]/gi;

/** A template in parts: each literal but the last has a placeholder's name behind it. */
interface Template {
  readonly literals: readonly string[];
  readonly names: readonly string[];
}

/** Templates of formulas are read once; beyond so many characters, those that were filled longest ago are forgotten. */
const templates = new LRUCache<string, Template>({
  maxSize: 16_000_000,
  sizeCalculation: (_parsed, template) => template.length + 100,
  memoMethod: parseTemplate,
});

function parseTemplate(template: string): Template {
  const [literals, names]: [string[], string[]] = [[], []];
  let end = 0;
  for (const { 0: literal, 1: braced, 2: bracketed, index } of template.matchAll(placeholder)) {
    literals.push(template.slice(end, index));
    names.push((braced ?? bracketed ?? "").trim());
    end = index + literal.length;
  }
  return { literals: [...literals, template.slice(end)], names };
}

/** Fills a text in one pass; placeholders inside values are not filled. One without a value becomes empty and is listed. */
export function fill(template: string, encoding: Encoding, filling: Filling): string {
  const { literals, names } = templates.memo(template);
  if (names.length === 0) return template;
  const escaped = escapes[encoding];
  let text = literals[0] ?? "";
  for (const [index, name] of names.entries()) text += escaped(textOf(name, filling)) + literals[index + 1];
  return text;
}

function textOf(name: string, { names, unresolved }: Filling): string {
  const value = names(name) ?? "";
  if (value === "") unresolved.add(name);
  return value;
}

/** Fills an address; its path and its query are escaped each in its own way. */
export function fillUrl(template: string, filling: Filling): string {
  const pathEnd = pathEndOf(template);
  return fill(template.slice(0, pathEnd), "path", filling) + fill(template.slice(pathEnd), "query", filling);
}

/** The name of a template that is one `…_NUMERIC` placeholder and no more: in JSON it stands for a number. Else null. */
export function wholeNumeric(template: string): string | null {
  const [, braced, bracketed] = /^\s*(?:\{\{([^{}]{1,255})\}\}|\[([A-Z][A-Z0-9_]{0,254})\])\s*$/i.exec(template) ?? [];
  const name = (braced ?? bracketed)?.trim();
  return name !== undefined && /_numeric$/i.test(name) ? name : null;
}

/** Returns true if a template has a placeholder of a name for which `is` holds. */
export const mentions = (template: string, is: (name: string) => boolean): boolean =>
  templates.memo(template).names.some(is);
