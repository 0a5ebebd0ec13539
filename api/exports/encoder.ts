import type { Row } from "../../warehouse/warehouse.ts";

/** Makes rows the bytes of a file, some at a time. */
export interface RowEncoder {
  /** What the file begins with. */
  begin(): Uint8Array;
  /** Of these rows, or of those before; nothing where more are waited for. */
  add(rows: readonly Row[]): Uint8Array;
  /** What is left. */
  end(): Uint8Array;
}
