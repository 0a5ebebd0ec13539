import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { checkDataDir } from "./check-data-dir.ts";
import {
  fingerprint,
  isOpen,
  readClosedFiles,
  recordName,
  removeClosedFiles,
  writeClosedFiles,
} from "./closed-files.ts";
import { DataFileError, inOneLine } from "./file-error.ts";
import { narrowRights } from "./permissions.ts";
import { type StoredFile, storedFiles } from "./stored-files.ts";

/**
 * Checks `DATA_DIR`, and records what its stores are like when they are closed, so that the next process need not read what
 * nobody has touched. To be opened before the stores and closed after them. Throws `DataFileError`.
 */
export async function openDataDir(settings: Settings, warn: (text: string) => void) {
  const { DATA_DIR } = settings;
  const kept = storedFiles.filter((store) => store.isKept(settings));
  if (kept.length === 0) return { opened: () => undefined, closing: () => undefined, close: async () => undefined };
  await checkDataDir(settings, warn);
  makeFolder(DATA_DIR);
  const rights = narrowRights(DATA_DIR);
  if (rights !== null) warn(rights);
  const others = { ...readClosedFiles(DATA_DIR) };
  for (const { name } of kept) delete others[name];

  const record = (toState: (store: StoredFile) => string | null): void => {
    const there = kept.filter(({ name }) => (statSync(join(DATA_DIR, name), { throwIfNoEntry: false })?.size ?? 0) > 0);
    try {
      writeClosedFiles(DATA_DIR, {
        ...others,
        ...Object.fromEntries(there.map((store) => [store.name, toState(store)])),
      });
    } catch (error) {
      // Such as of a disk that is full.
      removeClosedFiles(DATA_DIR);
      warn(`${join(DATA_DIR, recordName)} cannot be written: ${inOneLine(error)}.`);
    }
  };
  record(() => null);
  let wasOpened = false;
  return {
    /** To be called when all stores are open. */
    opened(): void {
      wasOpened = true;
      record(() => isOpen);
    },
    /** To be called before any is closed. */
    closing(): void {
      if (wasOpened) record(() => null);
    },
    /** Stores of which some were not opened may have been left as anything. */
    async close(): Promise<void> {
      if (wasOpened) record((store) => fingerprint(DATA_DIR, store));
    },
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataFileError(path, `cannot be made: ${inOneLine(error)}. Set DATA_DIR to a folder of this user's.`);
  }
}
