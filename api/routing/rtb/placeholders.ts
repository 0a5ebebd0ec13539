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
 * Returns the values of placeholders (semantics 8.6). A value that a step selected comes before the platform's own, and that
 * before a tag of the same name. `x_numeric` is the value of `x`.
 */
export function namesOf(context: PingContext, { captured, bid }: Known): Names {
  const byName = new Map<string, string | null>();
  const put = (values: Readonly<Record<string, string | null>>) => {
    for (const [name, value] of Object.entries(values)) byName.set(name.toLowerCase(), value);
  };
  put(context.tags);
  put(ownNames(context));
  if (bid !== undefined) put({ bid: String(bid) });
  put(captured);
  return (name) => {
    const folded = name.toLowerCase();
    return byName.get(folded) ?? byName.get(folded.replace(/_numeric$/, "")) ?? undefined;
  };
}

function ownNames(context: PingContext): Readonly<Record<string, string | null>> {
  const { caller_id, zip, state, call_id, request_id, publisher_id, campaign_id } = context;
  const digits = caller_id?.replace(/\D/g, "") ?? null;
  return {
    caller_id,
    caller_id_no_plus: digits,
    caller_id_numeric: digits,
    caller_id_10: digits?.slice(-10) ?? null,
    zip_code: zip,
    zip,
    state,
    call_id,
    request_id,
    publisher_id,
    campaign_id,
  };
}

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

/** Fills a text in one pass; placeholders inside values are not filled. One without a value becomes empty and is listed. */
export const fill = (template: string, encoding: Encoding, filling: Filling): string =>
  template.replace(placeholder, (_literal, braced: string | undefined, bracketed: string | undefined) =>
    escapes[encoding](textOf((braced ?? bracketed ?? "").trim(), filling)),
  );

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
  [...template.matchAll(placeholder)].some(([, braced, bracketed]) => is((braced ?? bracketed ?? "").trim()));
