import { shortForms } from "./short-forms.ts";
import { withPlainSigns } from "./signs.ts";

export interface Word {
  /** As typed. */
  readonly original: string;
  /** Lower case, without apostrophes. */
  readonly text: string;
  /** Singular. */
  readonly stem: string;
  readonly quoted: boolean;
}

const pattern =
  /["“]([^"”]+)["”]|(?<=\p{L}\s+)[-−–]\$?\d+(?![\d-])|(?<=\b(?:top|bottom|best|worst|over|above|under|below|than)\s+)[-−–]\s\$?\d+|\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b|\d{1,3}(?:\.\d{1,3}){3}|\+?1?[-. ]?\(?\d{3}\)?[-. ]\d{3}[-. ]\d{4}\b|\+?\d{10,15}\b|\d{4}-\d{1,2}-\d{1,2}|\d{1,2}\/\d{1,2}(?:\/\d{4})?|\d{1,2}:\d{2}(?:[ap]m)?\b|\$?\d(?:[\d,]*\d)?(?:\.\d+)?(?:[a-z]+|%)?|[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*|[<>]=?|[&%,\-/=]/giu;

/** Words, numbers, dates and quoted names, in order; hyphens part words. */
export function toWords(question: string): readonly Word[] {
  return [...withPlainSigns(question).matchAll(pattern)].map(([original, inner]) => {
    const plain = (inner ?? original)
      .toLowerCase()
      .replace(/['’]s$/u, "")
      .replace(/['’]/gu, "");
    const text = inner === undefined ? (toPhone(plain) ?? shortForms.get(plain) ?? plain) : plain;
    return { original: inner ?? original, text, stem: stem(text), quoted: inner !== undefined };
  });
}

/** "(212) 555-0100", "12125550100" and "+12125550100" are one number; undefined: no phone number. */
function toPhone(text: string): string | undefined {
  if (!/^[+(]?[\d(][\d\-. ()]+$/.test(text) || /^\d{4}-\d/.test(text)) return undefined;
  const digits = text.replace(/\D/g, "");
  if (digits.length === 10) return `+1${digits}`;
  return digits.length > 10 ? `+${digits}` : undefined;
}

/** Good enough to see that "deliveries" and "delivery" are one word; both sides of every comparison go through it. */
export function stem(text: string): string {
  if (text.length > 4 && text.endsWith("ies")) return `${text.slice(0, -3)}y`;
  if (/(ch|sh|ss|x)es$/.test(text)) return text.slice(0, -2);
  if (text.length > 3 && text.endsWith("s") && !/(ss|us|is)$/.test(text)) return text.slice(0, -1);
  return text;
}

/** What phrases are looked up by. */
export const keyOf = (words: readonly Word[]): string => words.map((word) => word.stem).join(" ");
export const toKey = (phrase: string): string => keyOf(toWords(phrase));
