import { z } from "zod";

/** What a column of an export holds; `json` is whatever has parts. */
export type ColumnKind = "text" | "integer" | "number" | "boolean" | "time" | "json";
export interface ExportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

interface Described {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly Described[];
}

/** Columns as the schema of a list's rows has them, in its order. */
export function columnsOf(row: z.ZodObject): ExportColumn[] {
  const { properties = {} } = z.toJSONSchema(row, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, described]) => ({ name, kind: kindOf(described as Described) }));
}

function kindOf({ type: types, format, anyOf }: Described): ColumnKind {
  const given = anyOf?.find((each) => each.type !== "null");
  if (given !== undefined) return kindOf(given);
  const type = [types].flat().find((each) => each !== "null");
  if (type === "integer" || type === "number" || type === "boolean") return type;
  if (type === "object" || type === "array") return "json";
  return format === "date-time" ? "time" : "text";
}
