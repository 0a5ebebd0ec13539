import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ExportColumn } from "../../../api/exports/columns.ts";
import { csvEncoder } from "../../../api/exports/formats.ts";
import { toDelimited } from "../../../assistant/web/table/rows.ts";
import type { Value } from "../../../warehouse/warehouse.ts";
import { temporaryFolder } from "../../temporary.ts";

/** Both ways to a file: the export, and what the page copies. */
const writers = {
  export(names: readonly string[], rows: readonly (readonly Value[])[]): string {
    const columns = names.map((name): ExportColumn => ({ name, kind: "text" }));
    const { begin, add, end } = csvEncoder(columns);
    return Buffer.concat([begin(), add(rows.map((row) => toRow(names, row))), end()]).toString();
  },
  copy(names: readonly string[], rows: readonly (readonly Value[])[]): string {
    const columns = names.map((name) => ({ name, type: "text", unit: null }) as const);
    return toDelimited({ columns, rows: rows.map((row) => toRow(names, row)) as never }, ",");
  },
} as const;
const toRow = (names: readonly string[], row: readonly Value[]) =>
  Object.fromEntries(names.map((name, index) => [name, row[index] ?? null]));

/** As DuckDB reads it, a program that knows nothing of ours. */
async function openReader() {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  onTestFinished(() => {
    connection.closeSync();
    instance.closeSync();
  });
  const path = join(temporaryFolder(), "read.csv");
  return async (csv: string, width: number): Promise<string[][]> => {
    writeFileSync(path, csv);
    const types = Array.from({ length: width }, (_, index) => `'c${index}': 'VARCHAR'`).join(", ");
    const read = await connection.runAndReadAll(
      `FROM read_csv('${path}', columns = {${types}}, header = false, auto_detect = false, parallel = false,
         delim = ',', quote = '"', escape = '"', strict_mode = true)`,
    );
    return read.getRows().map((row) => row.map((cell) => String(cell ?? "")));
  };
}

/** Signs that mean something to readers of CSV or to spreadsheets, and others. */
const text = fc.string({
  unit: fc.constantFrom(..."=+-@\t\r\n,;\"' 1a＝＋－＠ü", "\r\n", "=1+1", "+12125550123"),
  maxLength: 12,
});
const startsFormula = (line: string): boolean => /^[=+\-@\t＝＋－＠]/.test(line) && !/^[+-]?\d[\d.,]*$/.test(line);

describe.each(Object.keys(writers) as (keyof typeof writers)[])("CSV (%s)", (name) => {
  const write = writers[name];

  it("is read by others as it was written, whatever is in its cells", { tags: ["slow"] }, async () => {
    const read = await openReader();
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(text, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
    await fc.assert(
      fc.asyncProperty(table, async (rows) => {
        const names = (rows[0] ?? []).map((_, index) => `column ${index}`);
        const [head, ...cells] = await read(write(names, rows), names.length);
        expect(head).toEqual(names);
        const shape = (all: readonly (readonly string[])[]) => all.map((row) => row.map(withoutApostrophes));
        expect(shape(cells)).toEqual(shape(rows));
      }),
      { numRuns: 300 },
    );
  });

  it("has no line in any cell that a spreadsheet would run", async () => {
    const read = await openReader();
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), async (cells) => {
        const names = cells.map((_, index) => `column ${index}`);
        const csv = write(names, [cells]);
        for (const cell of (await read(csv, names.length)).flat()) {
          expect(cell).not.toMatch(/^[\r\n]/);
          expect(cell.split(/\r\n|\r|\n/).filter(startsFormula)).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["a\nb", '"a\nb"'],
    ["a\rb", '"a\rb"'],
    ["a\r\nb", '"a\r\nb"'],
    ['"a"', '"""a"""'],
    ["a,b", '"a,b"'],
    ["a\n=1+1", '"a\n\'=1+1"'],
    ["a\r@SUM(A1)", '"a\r\'@SUM(A1)"'],
    ["\r=1+1", "\"'\r'=1+1\""],
    ["\n=1+1", "\"'\n'=1+1\""],
    ["\t=1+1", "'\t=1+1"],
    ["＝1+1", "'＝1+1"],
    ["-1+cmd", "'-1+cmd"],
    ["+12125550123", "+12125550123"],
    ["-12.50", "-12.50"],
    ["", '""'],
    [" a ", " a "],
  ])("has %j as %j", (cell, written) => {
    expect(write(["name"], [[cell]]).replace(/\r\n$/, "")).toBe(`name\r\n${written}`);
  });

  it("leaves numbers as they are, below nothing too, and names of columns harmless", () => {
    const csv = write(
      ["=1+1", "amount"],
      [
        ["a", -1.5],
        ["b", -1e-7],
        [null, -1e21],
      ],
    );
    expect(csv.trimEnd()).toBe("'=1+1,amount\r\na,-1.5\r\nb,-1e-7\r\n,-1e+21");
  });
});

/** What is left of a cell when the apostrophes that make it harmless are gone, with those that it had itself. */
const withoutApostrophes = (cell: string): string => cell.replaceAll("'", "");
