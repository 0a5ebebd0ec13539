import type { z } from "zod";

export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: string };

export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) };
  }
}

/** Returns the parsed value; undefined for text that is not JSON. */
export function readJson(text: string): unknown {
  const json = parseJson(text);
  return json.ok ? json.value : undefined;
}

const maxIssues = 10;

/** Lists a schema's first ten issues in one line: `from: must be text, not 5; at: …`. */
export function describeIssues({ issues }: z.ZodError): string {
  const shown = issues.slice(0, maxIssues).map(({ path, message }) => `${path.join(".") || "message"}: ${message}`);
  return [...shown, ...(issues.length > maxIssues ? [`and ${issues.length - maxIssues} more`] : [])].join("; ");
}

/** Parses a decimal number; NaN for anything else: empty text is not 0, nor `0x1F` 31. */
export function toDecimal(text: string): number {
  const number = /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}
