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

/** Likewise the value alone: undefined of what is no JSON. */
export function readJson(text: string): unknown {
  const json = parseJson(text);
  return json.ok ? json.value : undefined;
}

const maxIssues = 10;

/** What a schema found wrong, in one line: `from: must be text, not 5; at: …`; the first ten issues. */
export function describeIssues({ issues }: z.ZodError): string {
  const told = issues.slice(0, maxIssues).map(({ path, message }) => `${path.join(".") || "message"}: ${message}`);
  return [...told, ...(issues.length > maxIssues ? [`and ${issues.length - maxIssues} more`] : [])].join("; ");
}
