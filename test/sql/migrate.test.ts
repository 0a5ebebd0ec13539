import { describe, expect, it } from "vitest";
import { type AppliedMigration, type Migration, migrate, readMigrations } from "../../sql/migrate.ts";

const aMigration = (version: number, checksum = `sum-${version}`): Migration => ({
  version,
  name: `step_${version}`,
  sql: `CREATE TABLE t${version} (a INTEGER)`,
  checksum,
});

/** A database that remembers what was applied to it, in order. */
function aDatabase(applied: AppliedMigration[] = []) {
  const log = [...applied];
  const target = {
    applied: async () => log,
    async apply({ version, checksum }: Migration) {
      log.push({ version, checksum });
    },
  };
  return { target, versions: () => log.map(({ version }) => version) };
}

describe("migrating", () => {
  it("applies what is missing, in order, and nothing twice", async () => {
    const database = aDatabase();
    await migrate(database.target, [aMigration(1), aMigration(2)]);
    const applied = await migrate(database.target, [aMigration(1), aMigration(2), aMigration(3)]);
    expect(applied.map(({ version }) => version)).toEqual([3]);
    expect(database.versions()).toEqual([1, 2, 3]);
  });

  it("refuses a migration that was edited after it had been applied, and applies nothing", async () => {
    const database = aDatabase([{ version: 1, checksum: "another" }]);
    await expect(migrate(database.target, [aMigration(1), aMigration(2)])).rejects.toThrow(
      "Migration 1 (step_1) was edited",
    );
    expect(database.versions()).toEqual([1]);
  });

  it("refuses two migrations of one number, and applies neither", async () => {
    const database = aDatabase();
    const another = { ...aMigration(1), name: "other" };
    await expect(migrate(database.target, [aMigration(1), another])).rejects.toThrow("give other the next free one");
    expect(database.versions()).toEqual([]);
  });

  it("refuses a database that a newer program has migrated", async () => {
    const database = aDatabase([aMigration(1), aMigration(2)]);
    await expect(migrate(database.target, [aMigration(1)])).rejects.toThrow("at version 2, newer than this program");
  });

  it("stops at the first migration that fails", async () => {
    const database = aDatabase();
    const target = {
      ...database.target,
      apply: (migration: Migration) =>
        migration.version === 2 ? Promise.reject(new Error("no such type")) : database.target.apply(migration),
    };
    await expect(migrate(target, [aMigration(1), aMigration(2), aMigration(3)])).rejects.toThrow("no such type");
    expect(database.versions()).toEqual([1]);
  });
});

describe("the migrations of each store", () => {
  it.each([
    ["warehouse", "duckdb"],
    ["config", "duckdb"],
    ["config", "postgres"],
    ["warehouse", "clickhouse"],
  ])("of %s for %s are numbered from 1 without a gap, and known by their text", (store, engine) => {
    const migrations = readMigrations(store, engine);
    expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1));
    for (const { checksum } of migrations) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
  });
});
