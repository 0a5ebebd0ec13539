import { XMLParser, XMLValidator } from "fast-xml-parser";
import { parseJson } from "../../../ingest/parse.ts";

/** The content of a buyer's answer, in any format. */
export type Answer =
  | { readonly kind: "decoded"; readonly value: unknown }
  /** Nothing at all, which is how buyers say that they do not bid. */
  | { readonly kind: "empty" }
  | { readonly kind: "unreadable"; readonly error: string };

/** Deeper than any answer is meant to be; a parser that recurses is safe with it. */
const maxDepth = 64;

/** Texts stay texts, so that no leading zero is lost; attributes have an `@` before their names. */
const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: "@",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  maxNestedTags: maxDepth,
});

/**
 * Reads a body as JSON, then XML, then a form. Platforms label their answers carelessly, so the label decides only
 * what it alone can: what was called JSON, XML or a page is no form.
 */
export function decodeAnswer({ status, contentType, body }: AnswerGiven): Answer {
  const text = body.replace(/^\ufeff/, "").trim();
  if (status === 204 || text === "") return { kind: "empty" };
  if (text.startsWith("<")) return decodeXml(text);
  const json = parseJson(text);
  if (json.ok) return isNothing(json.value) ? { kind: "empty" } : { kind: "decoded", value: json.value };
  if (/^[{["]/.test(text) || /json|xml|html/i.test(contentType)) {
    return { kind: "unreadable", error: `The answer is neither JSON nor XML: ${json.error}` };
  }
  if (form.test(text)) return { kind: "decoded", value: Object.fromEntries(new URLSearchParams(text)) };
  return { kind: "unreadable", error: "The answer is neither JSON nor XML nor a form." };
}

export interface AnswerGiven {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** `name=value`, and more of them; text that only has an equals sign in it is none. */
const form = /^[^=&\s]+=[^&\s]*(&[^=&\s]+=[^&\s]*)*$/;

const isNothing = (value: unknown): boolean =>
  value === null || (typeof value === "object" && Object.keys(value).length === 0);

function decodeXml(text: string): Answer {
  // Declarations could name entities that grow, or files; an answer has no use for them.
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) {
    return { kind: "unreadable", error: "The answer is a page or has a document type, and is not read." };
  }
  try {
    const valid = XMLValidator.validate(text);
    if (valid !== true) return { kind: "unreadable", error: `The answer is no valid XML: ${valid.err.msg}` };
    const value: unknown = xml.parse(text);
    return isNothing(value) ? { kind: "empty" } : { kind: "decoded", value };
  } catch (error) {
    return { kind: "unreadable", error: `The answer cannot be read as XML: ${(error as Error).message}` };
  }
}

/**
 * The text of a value; undefined where there is none, and of what is no single value. An XML element with attributes
 * keeps its text beside them.
 */
export function scalarOf(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
    case "boolean":
      return String(value);
    case "object":
      return value !== null && Object.hasOwn(value, "#text")
        ? scalarOf((value as { readonly "#text": unknown })["#text"])
        : undefined;
    default:
      return undefined;
  }
}
