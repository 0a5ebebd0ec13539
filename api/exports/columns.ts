import { z } from "zod";
import type { Row } from "../../warehouse/warehouse.ts";

/** The type of an export's column; objects and arrays are `json`. */
export type ColumnKind = "text" | "integer" | "number" | "boolean" | "time" | "json";
export interface ExportColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

interface Described {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly Described[];
  /** An object that has an id. */
  readonly $ref?: string;
}

/** Returns the columns of a list's row schema, in its order. */
export function columnsOf(row: z.ZodObject): ExportColumn[] {
  // A copy without the schema's id: with it, the properties would be in `$defs` and not here.
  const { properties = {} } = z.toJSONSchema(z.object(row.shape), { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, described]) => ({ name, kind: kindOf(described as Described) }));
}

function kindOf({ type: types, format, anyOf, $ref }: Described): ColumnKind {
  if ($ref !== undefined) return "json";
  const given = anyOf?.find((each) => each.type !== "null");
  if (given !== undefined) return kindOf(given);
  const type = [types].flat().find((each) => each !== "null");
  if (type === "integer" || type === "number" || type === "boolean") return type;
  if (type === "object" || type === "array") return "json";
  return format === "date-time" ? "time" : "text";
}

/** Encodes rows as the bytes of a file, batch by batch. */
export interface RowEncoder {
  /** Returns the first bytes of the file. */
  begin(): Uint8Array;
  /** Returns bytes of these or earlier rows; none while the encoder collects more of them. */
  add(rows: readonly Row[]): Uint8Array;
  /** Returns the last bytes. */
  end(): Uint8Array;
}
