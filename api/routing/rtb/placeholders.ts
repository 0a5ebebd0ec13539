import { encoded, inPath, onOneLine, pathEndOf } from "../../outbound/escape.ts";

/** What is known of a call when buyers are asked for it. */
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

/** The text that stands for a placeholder's name, in any case; undefined where nothing does. */
export type Names = (name: string) => string | undefined;

/** What a context is asked with, beside what it is. */
export interface Known {
  /** What earlier steps selected of their answers. */
  readonly captured: Readonly<Record<string, string>>;
  /** Dollars; known to the steps of a winner alone. */
  readonly bid?: number;
}

/**
 * Names of a context (semantics 8.6). What a step selected was named on purpose, so it comes before the platform's own
 * name, and that before a tag which only happens to be called so. `x_numeric` is the value of `x`.
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

/** Where a value is put decides how it is written. */
export type Place = "path" | "query" | "header" | "json" | "xml" | "form" | "plain";

const escapes: Readonly<Record<Place, (value: string) => string>> = {
  path: inPath,
  query: encoded,
  header: onOneLine,
  json: (value) => JSON.stringify(value).slice(1, -1),
  xml: inXml,
  form: encoded,
  plain: (value) => value,
};

/** Characters that no XML can hold are left out. */
function inXml(value: string): string {
  const held = value.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "");
  return held.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** A filling under way: the names, and those that were asked for and had no text. */
export interface Filling {
  readonly names: Names;
  readonly unresolved: Set<string>;
}

/**
 * `{{name}}`, spaces allowed, or `[NAME]` in any case. A list of one literal is JSON's own, and `<![CDATA[name]]>` is
 * XML's.
 */
const placeholder = /\{\{([^{}]{1,255})\}\}|(?<!<!\[CDATA)\[(?!(?:true|false|null)\])([A-Z][A-Z0-9_]{0,254})\]/gi;

/** Fills a text in one pass; what a value contains is never filled again. What has no text becomes empty and is listed. */
export const fill = (template: string, place: Place, filling: Filling): string =>
  template.replace(placeholder, (_literal, braced: string | undefined, bracketed: string | undefined) =>
    escapes[place](textOf((braced ?? bracketed ?? "").trim(), filling)),
  );

function textOf(name: string, { names, unresolved }: Filling): string {
  const value = names(name) ?? "";
  if (value === "") unresolved.add(name);
  return value;
}

/** An address: its path and its query are escaped each in its own way. */
export function fillUrl(template: string, filling: Filling): string {
  const pathEnd = pathEndOf(template);
  return fill(template.slice(0, pathEnd), "path", filling) + fill(template.slice(pathEnd), "query", filling);
}

/** The name that is a whole template, when it is one `…_NUMERIC` alone: in JSON it stands for a number. */
export function wholeNumeric(template: string): string | null {
  const [, braced, bracketed] = /^\s*(?:\{\{([^{}]{1,255})\}\}|\[([A-Z][A-Z0-9_]{0,254})\])\s*$/i.exec(template) ?? [];
  const name = (braced ?? bracketed)?.trim();
  return name !== undefined && /_numeric$/i.test(name) ? name : null;
}

/** Whether a template has a placeholder of a name for which `is` holds. */
export const mentions = (template: string, is: (name: string) => boolean): boolean =>
  [...template.matchAll(placeholder)].some(([, braced, bracketed]) => is((braced ?? bracketed ?? "").trim()));
