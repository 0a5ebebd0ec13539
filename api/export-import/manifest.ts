import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const count = z.number().int().min(0);

/** Contents and progress of an export, kept as `manifest.json` in its folder. */
const manifestSchema = z.object({
  format: z.literal(1),
  /** End offsets of the log when the export began, by topic: a later run resumes only from the same state. */
  state: z.string(),
  /** Start of the export: rows visible at that time are in it, however long it takes. */
  at: z.iso.datetime(),
  complete: z.boolean(),
  /** Rows of each exported table of the config database. */
  config: z.record(z.string(), count).nullable(),
  /** Rows of each table of the warehouse. */
  history: z.record(z.string(), count),
  files: z.record(
    z.string(),
    z.object({
      rows: count,
      bytes: count,
      place: z.object({ at: z.string(), orgId: z.string(), key: z.string() }).nullable(),
    }),
  ),
});
export type Manifest = z.infer<typeof manifestSchema>;

const pathIn = (folder: string): string => join(folder, "manifest.json");

/** Reads the manifest of a folder, null where there is none. Throws when it is not one of this version. */
export function readManifest(folder: string): Manifest | null {
  const path = pathIn(folder);
  if (!existsSync(path)) return null;
  const parsed = manifestSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new Error(`${path} is not a manifest of an export that this version can read.`);
  return parsed.data;
}

/** Writes the manifest atomically, readable by its owner alone: exports hold secrets. */
export function writeManifest(folder: string, manifest: Manifest): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = pathIn(folder);
  writeFileSync(`${path}.new`, JSON.stringify(manifest, null, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export const historyFile = (folder: string, table: string): string => join(folder, `${table}.ndjson.gz`);
export const configFile = (folder: string): string => join(folder, "config.ndjson.gz");
