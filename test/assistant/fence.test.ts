import { describe, expect, it, onTestFinished } from "vitest";
import { catalog } from "../../assistant/catalog/catalog.ts";
import type { Subject } from "../../assistant/catalog/field.ts";
import { sql } from "../../warehouse/statement.ts";
import { openEmptyWarehouse } from "../migrated-files.ts";

/** Kept for whoever opens one record or one call; nothing that analysts are shown. */
const hidden = [
  "call_traces",
  "eligible_routes",
  "ineligible_routes",
  "allocations",
  "life_log",
  "steps",
  "terms",
  "updates",
];

/** The hidden names that a subject reaches: its table, or a column in any of its expressions. */
function findHidden(subject: Pick<Subject, "name">): string[] {
  const identifiers = new Set(JSON.stringify({ ...subject, words: [] }).match(/\w+/g));
  return hidden.filter((name) => identifiers.has(name));
}

describe("the fence around analysts", () => {
  it("leaves out the traces of calls and what is kept whole of a record", () => {
    expect(catalog.flatMap(findHidden)).toEqual([]);
  });

  it("hides things that are there", async () => {
    const warehouse = await openEmptyWarehouse();
    onTestFinished(() => warehouse.close());
    const { rows } = await warehouse.query(
      sql`SELECT DISTINCT table_name AS name FROM information_schema.columns
          UNION SELECT column_name FROM information_schema.columns`,
    );
    const there = rows.map(({ name }) => name);
    for (const name of hidden) expect(there).toContain(name);
  });

  it("would be seen to have a hole", () => {
    const [first] = catalog;
    expect(findHidden({ ...first, name: "call_traces" } as unknown as Subject)).toEqual(["call_traces"]);
    const listing = { ...first, listing: ["created_at", "life_log"] } as unknown as Subject;
    expect(findHidden(listing)).toEqual(["life_log"]);
  });
});
