import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { Row, Value } from "../../warehouse/warehouse.ts";
import type { ColumnKind, ExportColumn, RowEncoder } from "./columns.ts";

/** Rows of a row group: encoding one blocks the event loop for about ten milliseconds. */
const groupRows = 4000;

/** The Parquet types of columns, all nullable; times are UTC in milliseconds. */
const elements = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  json: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  integer: { type: "INT32" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  time: {
    type: "INT64",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    converted_type: "TIMESTAMP_MILLIS",
  },
} as const satisfies Record<ColumnKind, object>;

function toCell(value: Value | undefined, kind: ColumnKind) {
  if (value === null || value === undefined) return null;
  if (kind === "time") return new Date(String(value));
  return kind === "json" ? JSON.stringify(value) : value;
}

/** Parquet, compressed by Snappy, with objects and arrays as JSON text. The file is readable only with its last bytes. */
export function parquetEncoder(columns: readonly ExportColumn[]): RowEncoder {
  const bytes = new ByteWriter();
  const schema = [
    { name: "row", num_children: columns.length },
    ...columns.map(({ name, kind }) => ({ name, repetition_type: "OPTIONAL" as const, ...elements[kind] })),
  ];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: "Trunkline" });
  let waiting: Row[] = [];

  /** Takes the bytes written so far; the writer's `offset` keeps counting, since it is a position in the file. */
  function take(): Uint8Array {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return taken;
  }

  function writeGroup(): void {
    const columnData = columns.map(({ name, kind }) => ({
      name,
      offsetIndex: false,
      data: waiting.map((row) => toCell(row[name], kind)),
    }));
    void writer.write({ columnData, rowGroupSize: groupRows });
    waiting = [];
  }

  return {
    begin: take,
    add(rows) {
      waiting.push(...rows);
      if (waiting.length < groupRows) return new Uint8Array();
      writeGroup();
      return take();
    },
    end() {
      if (waiting.length > 0) writeGroup();
      void writer.finish();
      return take();
    },
  };
}
