import {
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from "@duckdb/node-api";
import { unreachable } from "../../ingest/primitives.ts";
import { render, type SqlValue, type Statement } from "../statement.ts";
import type { ColumnType, Value } from "../warehouse.ts";

/** A bound value as the driver takes it. */
function toDuckdbValue(value: SqlValue): DuckDBValue {
  switch (value.kind) {
    case "text":
    case "boolean":
    case "number":
      return value.value;
    case "integer":
      return BigInt(value.value);
    case "time":
      return new DuckDBTimestampValue(BigInt(value.value.getTime()) * 1000n);
    default:
      return unreachable(value);
  }
}

/** A statement as the driver takes it. */
export function toDuckdbText(statement: Statement): { readonly text: string; readonly values: readonly DuckDBValue[] } {
  const values: DuckDBValue[] = [];
  const text = render(statement, (value) => `$${values.push(toDuckdbValue(value))}`);
  return { text, values };
}

export function toColumnType(type: DuckDBType): ColumnType {
  if (type.alias === "JSON") return "json";
  switch (type.typeId) {
    case DuckDBTypeId.BOOLEAN:
      return "boolean";
    case DuckDBTypeId.TINYINT:
    case DuckDBTypeId.SMALLINT:
    case DuckDBTypeId.INTEGER:
    case DuckDBTypeId.BIGINT:
    case DuckDBTypeId.HUGEINT:
    case DuckDBTypeId.UTINYINT:
    case DuckDBTypeId.USMALLINT:
    case DuckDBTypeId.UINTEGER:
    case DuckDBTypeId.UBIGINT:
    case DuckDBTypeId.UHUGEINT:
      return "integer";
    case DuckDBTypeId.FLOAT:
    case DuckDBTypeId.DOUBLE:
    case DuckDBTypeId.DECIMAL:
      return "number";
    case DuckDBTypeId.DATE:
    case DuckDBTypeId.TIMESTAMP:
    case DuckDBTypeId.TIMESTAMP_MS:
    case DuckDBTypeId.TIMESTAMP_S:
    case DuckDBTypeId.TIMESTAMP_TZ:
      return "time";
    case DuckDBTypeId.MAP:
      return "map";
    case DuckDBTypeId.LIST:
      return "json";
    default:
      return "text";
  }
}

/** A value of a result as JSON shows it: decimals as numbers, times as UTC ISO text, maps as objects. */
export function fromDuckdbValue(value: DuckDBValue, type: ColumnType): Value {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return type === "json" ? (JSON.parse(value) as Value) : value;
  // NaN and infinity are no JSON: like a division by zero they mean that there is no figure.
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof DuckDBDecimalValue) return value.toDouble();
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) {
    return new Date(Number(value.micros / 1000n)).toISOString();
  }
  if (value instanceof DuckDBDateValue) return new Date(value.days * 86_400_000).toISOString();
  if (value instanceof DuckDBMapValue) {
    return Object.fromEntries(value.entries.map((entry) => [String(entry.key), String(entry.value)]));
  }
  if (value instanceof DuckDBListValue) return value.items.map((item) => fromDuckdbValue(item, "text"));
  return String(value);
}
