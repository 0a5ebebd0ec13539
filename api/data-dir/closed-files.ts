import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJson } from "../../ingest/parse.ts";
import type { StoredFile } from "./stored-files.ts";

/**
 * Under `DATA_DIR`: which stores there are, and what each was like when it was closed; `isOpen` while a process has it open,
 * null while one opens or closes it.
 */
export const recordName = "stores.json";
export const isOpen = "open";
const recordSchema = z.record(z.string(), z.string().nullable());
export type ClosedFiles = z.infer<typeof recordSchema>;

/** Null where there is none that can be read: then nothing is known of the stores. */
export function readClosedFiles(dataDir: string): ClosedFiles | null {
  try {
    return recordSchema.safeParse(readJson(readFileSync(join(dataDir, recordName), "utf8"))).data ?? null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function writeClosedFiles(dataDir: string, files: ClosedFiles): void {
  const path = join(dataDir, recordName);
  writeFileSync(`${path}.new`, JSON.stringify(files, null, 2), { mode: 0o600 });
  renameSync(`${path}.new`, path);
}

/** Deletes the record, for a disk on which a new one cannot be written: no record is better than one that is out of date. */
export const removeClosedFiles = (dataDir: string): void => rmSync(join(dataDir, recordName), { force: true });

/** Fingerprint of a store's files: changes with any write. Without their times of writing, which a copy may keep. */
export function fingerprint(dataDir: string, { name, beside }: Pick<StoredFile, "name" | "beside">): string {
  return [name, ...beside].map((file) => describeFile(join(dataDir, file))).join(" ");
}

function describeFile(path: string): string {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? "-" : `${stat.ino}:${stat.size}:${stat.ctimeNs}`;
}
