// @module-tag slow
import { expect, it } from "vitest";
import { migratingToday } from "./migrating.ts";

it.each([
  ["sqlite", 6],
  ["postgres", 22],
] as const)(
  "sessions that were begun before stay, and their names are free to others in %s",
  async (engine, before) => {
    const { applyUpTo, run, read } = await migratingToday[engine]();
    await applyUpTo(before);
    const begin = (org: string, user: string, origin = "'page'") =>
      run(`INSERT INTO assistant_sessions (id, org_id, user_id, title, created_at, updated_at, origin)
         VALUES ('default', '${org}', '${user}', 'calls', '2026-01-01', '2026-01-02', ${origin})`);
    await begin("one", "ann", "NULL");
    await expect(begin("two", "ann")).rejects.toThrow();
    if (engine === "postgres") await run("ROLLBACK");
    await applyUpTo(before + 1);
    expect(
      await read("SELECT id, org_id, user_id, title, created_at, updated_at, origin FROM assistant_sessions"),
    ).toEqual([["default", "one", "ann", "calls", "2026-01-01", "2026-01-02", "null"]]);
    await begin("two", "ann");
    await begin("one", "bob");
    await expect(begin("one", "ann")).rejects.toThrow(/unique/i);
  },
);
