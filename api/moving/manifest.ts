import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const count = z.number().int().min(0);

/** What a folder of an export holds, and how far it is: `manifest.json` in it. */
const manifestSchema = z.object({
  format: z.literal(1),
  /** Where the log stood when the export began, topic by topic: a later run goes on only from the same state. */
  state: z.string(),
  /** When the export began: what was shown then is in it, however long it takes. */
  at: z.iso.datetime(),
  complete: z.boolean(),
  /** Rows of each table of config that is carried. */
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

/** Null where there is none. Throws in words when it is none of ours. */
export function readManifest(folder: string): Manifest | null {
  const path = pathIn(folder);
  if (!existsSync(path)) return null;
  const parsed = manifestSchema.safeParse(JSON.parse(readFileSync(path, "utf8")));
  if (!parsed.success) throw new Error(`${path} is no manifest of an export that this version can read.`);
  return parsed.data;
}

/** A reader finds the old one or the new one, never half of one. Exports hold secrets: nobody else may read them. */
export function writeManifest(folder: string, manifest: Manifest): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = pathIn(folder);
  writeFileSync(`${path}.new`, JSON.stringify(manifest, null, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

export const historyFile = (folder: string, table: string): string => join(folder, `${table}.ndjson.gz`);
export const configFile = (folder: string): string => join(folder, "config.ndjson.gz");
