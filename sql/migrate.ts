import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text: a migration that was applied once is never edited. */
  readonly checksum: string;
}

export interface AppliedMigration {
  readonly version: number;
  readonly checksum: string;
}

/** The operations that the runner needs of a database. */
export interface MigrationTarget {
  /** Creates the table of applied migrations where it is missing, and reads it. */
  applied(): Promise<readonly AppliedMigration[]>;
  /** Runs a migration and notes it as applied, all or nothing where the engine can. */
  apply(migration: Migration): Promise<void>;
}

/** The migrations of a store for an engine: `sql/<store>/<engine>/NNNN_what.sql`, in the order of their numbers. */
export function readMigrations(store: string, engine: string): Migration[] {
  const folder = fileURLToPath(new URL(`${store}/${engine}/`, import.meta.url));
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .sort()
    .map((file) => {
      const match = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file);
      if (match === null) throw new Error(`${folder}${file}: name a migration NNNN_what.sql`);
      const sql = readFileSync(folder + file, "utf8");
      const checksum = createHash("sha256").update(sql).digest("hex");
      return { version: Number(match[1]), name: String(match[2]), sql, checksum };
    });
}

/** Brings a database to the newest version; forward only. Returns what it applied. */
export async function migrate(target: MigrationTarget, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = new Map((await target.applied()).map(({ version, checksum }) => [version, checksum]));
  const newest = Math.max(0, ...applied.keys());
  const pending: Migration[] = [];
  const versions = new Set<number>();
  for (const migration of migrations) {
    if (versions.has(migration.version)) {
      throw new Error(`Two migrations have number ${migration.version}: give ${migration.name} the next free one.`);
    }
    versions.add(migration.version);
    const checksum = applied.get(migration.version);
    if (checksum === undefined) pending.push(migration);
    else if (checksum !== migration.checksum) {
      throw new Error(
        `Migration ${migration.version} (${migration.name}) was edited after it had been applied: undo the edit and add a new migration.`,
      );
    }
  }
  if (newest > Math.max(0, ...migrations.map(({ version }) => version))) {
    throw new Error(`The database is at version ${newest}, newer than this program knows: start the newer program.`);
  }
  for (const migration of pending) await target.apply(migration);
  return pending;
}
