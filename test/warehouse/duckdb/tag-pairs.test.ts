import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import fc from "fast-check";
import { expect, it, onTestFinished } from "vitest";
import { tagPairsOf, toTagPair } from "../../../warehouse/duckdb/tag-pairs.ts";

const migration = readFileSync(new URL("../../../sql/warehouse/duckdb/0009_tag_pairs.sql", import.meta.url), "utf8");

const aText = fc.string({ unit: fc.constantFrom("a", "b", "\u001d", "\u001e", "\u001f", "0", "1", "2"), maxLength: 4 });
const someTags = fc.dictionary(aText, aText, { maxKeys: 3 }).map(Object.entries<string>);

it("finds the calls that have a tag and no others, whether they were stored before the text was or after", {
  tags: ["slow"],
}, async () => {
  const instance = await DuckDBInstance.create(":memory:");
  onTestFinished(() => instance.closeSync());
  const connection = await instance.connect();
  await fc.assert(
    fc.asyncProperty(fc.array(someTags, { maxLength: 6 }), fc.tuple(aText, aText), async (calls, other) => {
      await connection.run("CREATE OR REPLACE TABLE stored_calls (call_id INTEGER, tags MAP(VARCHAR, VARCHAR))");
      for (const [id, tags] of calls.entries())
        await connection.run(
          'INSERT INTO stored_calls SELECT $1, map_from_entries(from_json($2::JSON, \'[{"k":"VARCHAR","v":"VARCHAR"}]\'))',
          [id, JSON.stringify(tags.map(([k, v]) => ({ k, v })))],
        );
      await connection.run(migration);
      for (const wanted of [...calls.flat(), other]) {
        const found = await connection.runAndReadAll(
          `SELECT call_id FROM stored_calls WHERE contains(tag_pairs, $1)
             AND contains(${tagPairsOf("tags")}, $1) ORDER BY call_id`,
          [toTagPair(...wanted)],
        );
        const having = [...calls.entries()].filter(([, tags]) =>
          tags.some(([k, v]) => k === wanted[0] && v === wanted[1]),
        );
        expect(found.getRows().map(([id]) => id)).toEqual(having.map(([id]) => id));
      }
      const { rowsChanged } = await connection.run(
        `DELETE FROM stored_calls WHERE tag_pairs IS DISTINCT FROM ${tagPairsOf("tags")}`,
      );
      expect(rowsChanged).toBe(0);
    }),
    { numRuns: 30 },
  );
});
