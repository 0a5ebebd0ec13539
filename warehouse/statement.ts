import { unreachable } from "../ingest/primitives.ts";

/** A value that is bound, never spliced: what it is, is said where it is used, so each engine can type its parameter. */
export type SqlValue =
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "integer"; readonly value: number }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "boolean"; readonly value: boolean }
  /** UTC. */
  | { readonly kind: "time"; readonly value: Date };

export const text = (value: string): SqlValue => ({ kind: "text", value });
export const integer = (value: number): SqlValue => ({ kind: "integer", value });
export const number = (value: number): SqlValue => ({ kind: "number", value });
export const boolean = (value: boolean): SqlValue => ({ kind: "boolean", value });
export const time = (value: Date): SqlValue => ({ kind: "time", value });

/** SQL text with its bound values standing in between; statements nest. */
export interface Statement {
  readonly parts: readonly (string | SqlValue)[];
}

/** Builds a statement: `sql\`select … where org_id = ${text(org)} and ${condition}\``. Strings cannot be spliced in. */
export function sql(strings: TemplateStringsArray, ...values: readonly (SqlValue | Statement)[]): Statement {
  const parts: (string | SqlValue)[] = [strings[0] ?? ""];
  values.forEach((value, index) => {
    if ("parts" in value) parts.push(...value.parts);
    else parts.push(value);
    parts.push(strings[index + 1] ?? "");
  });
  return { parts };
}

/** SQL text from a closed list in code, such as a column's name; never from input. */
export const raw = (trusted: string): Statement => ({ parts: [trusted] });

export function join(statements: readonly Statement[], separator: string): Statement {
  return { parts: statements.flatMap((each, index) => (index === 0 ? each.parts : [separator, ...each.parts])) };
}

/** The text with each value handed to `place`, which returns what stands in its stead. */
export function render(statement: Statement, place: (value: SqlValue, index: number) => string): string {
  let index = 0;
  return statement.parts.map((part) => (typeof part === "string" ? part : place(part, index++))).join("");
}

/** A value as standard SQL writes it. */
export function toLiteral(value: SqlValue): string {
  switch (value.kind) {
    case "text":
      // Backslashes stay as they are; an engine that reads them as escapes needs them doubled.
      return `'${value.value.replaceAll("'", "''")}'`;
    case "integer":
    case "number":
      return String(value.value);
    case "boolean":
      return value.value ? "true" : "false";
    case "time":
      return `TIMESTAMP '${value.value.toISOString().slice(0, 23).replace("T", " ")}'`;
    default:
      return unreachable(value);
  }
}
