import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** Three headers of 4096 bytes; behind the first one's checksum stands what such files are known by. */
const headBytes = 3 * 4096;
const magic = { text: "DUCK", at: 8 };

/** Says what is wrong with the file, as what goes on after its name. */
export class DuckdbFileFault extends Error {
  override readonly name = "DuckdbFileFault";
}

/** Throws `DuckdbFileFault` where a file is none of DuckDB's, or shorter than any. */
export function checkDuckdbHead(path: string): void {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size < headBytes) throw new DuckdbFileFault(`is ${size} bytes long, and such a file at least ${headBytes}`);
    const begins = Buffer.alloc(magic.text.length);
    readSync(file, begins, 0, begins.length, magic.at);
    if (begins.toString("latin1") !== magic.text) throw new DuckdbFileFault("does not begin as a DuckDB file does");
  } finally {
    closeSync(file);
  }
}
