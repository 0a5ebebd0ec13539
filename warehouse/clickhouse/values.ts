import { unreachable } from "../../ingest/primitives.ts";
import type { SqlValue } from "../statement.ts";
import type { ColumnType, Value } from "../warehouse.ts";

/** The engine's type of a bound value: a parameter is `{name:Type}`. */
export function toParameterType({ kind }: SqlValue): string {
  switch (kind) {
    case "text":
      return "String";
    case "integer":
      return "Int64";
    case "number":
      return "Float64";
    case "boolean":
      return "Bool";
    case "time":
      return "DateTime64(3, 'UTC')";
    default:
      return unreachable(kind);
  }
}

/** A bound value as the driver takes it. */
export const toParameter = (value: SqlValue): string | number | boolean =>
  value.kind === "time" ? toClickhouseTime(value.value) : value.value;

/** The times that a DateTime64 can be; the engine refuses a statement with any other. */
const [earliest, latest] = [Date.UTC(1900, 0, 1), Date.UTC(2299, 11, 31, 23, 59, 59, 999)];

export const toClickhouseTime = (at: Date): string =>
  new Date(Math.min(Math.max(at.getTime(), earliest), latest)).toISOString().slice(0, 23).replace("T", " ");

/** The type of JSON texts (sql/warehouse/clickhouse): its function does nothing, its name identifies them. */
const jsonText = "SimpleAggregateFunction(any, Nullable(String))";

/** Column types by the beginning of the engine's unwrapped type name. */
const kinds: readonly (readonly [RegExp, ColumnType])[] = [
  [/^U?Int/, "integer"],
  [/^(Float|BFloat|Decimal)/, "number"],
  [/^Bool$/, "boolean"],
  [/^Date/, "time"],
  [/^Map\(/, "map"],
  [/^(Array|Tuple)\(/, "json"],
];

export function toColumnType(type: string): ColumnType {
  if (type === jsonText) return "json";
  const bare = unwrap(type);
  return kinds.find(([pattern]) => pattern.test(bare))?.[1] ?? "text";
}

/** Returns the type inside `LowCardinality(…)`, `Nullable(…)` or `Variant(…)`; several variants have none. */
export function unwrap(type: string): string {
  const inner = /^(?:LowCardinality|Nullable|Variant)\((.*)\)$/s.exec(type)?.[1];
  return inner === undefined ? type : unwrap(inner);
}

/** A value of a row of JSON as every warehouse shows it. */
export function fromClickhouseValue(value: unknown, type: ColumnType): Value {
  if (value === null || value === undefined) return null;
  switch (type) {
    case "json":
      return typeof value === "string" ? fromJsonText(value) : (value as Value);
    case "time":
      // A date without a time of day is its midnight.
      return new Date(String(value)).toISOString();
    case "integer":
    case "number":
      return Number(value);
    default:
      return value as Value;
  }
}

/** Parses a JSON text in which the engine kept the content of the message's string. */
function fromJsonText(text: string): Value {
  try {
    return JSON.parse(text) as Value;
  } catch {
    return text;
  }
}
