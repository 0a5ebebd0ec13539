import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { checkDataDir } from "./check-data-dir.ts";
import { DataFileError, inOneLine } from "./data-file-error.ts";
import { restrictPermissions } from "./permissions.ts";
import {
  fingerprint,
  isOpen,
  readStoreStates,
  removeStoreStates,
  type StoredFile,
  stateFileName,
  storedFiles,
  writeStoreStates,
} from "./stored-files.ts";

/**
 * Checks `DATA_DIR`, and records the fingerprints of its stores when they are closed, so that the next process checks as a
 * whole only those that have changed. To be opened before the stores and closed after them. Throws `DataFileError`.
 */
export async function openDataDir(settings: Settings, warn: (text: string) => void) {
  const { DATA_DIR } = settings;
  const kept = storedFiles.filter((store) => store.isKept(settings));
  if (kept.length === 0) return { opened: () => undefined, closing: () => undefined, close: async () => undefined };
  await checkDataDir(settings, warn);
  makeFolder(DATA_DIR);
  const warning = restrictPermissions(DATA_DIR);
  if (warning !== null) warn(warning);
  const others = { ...readStoreStates(DATA_DIR) };
  for (const { name } of kept) delete others[name];

  const record = (toState: (store: StoredFile) => string | null): void => {
    const existing = kept.filter(
      ({ name }) => (statSync(join(DATA_DIR, name), { throwIfNoEntry: false })?.size ?? 0) > 0,
    );
    try {
      writeStoreStates(DATA_DIR, {
        ...others,
        ...Object.fromEntries(existing.map((store) => [store.name, toState(store)])),
      });
    } catch (error) {
      // The disk may be full.
      removeStoreStates(DATA_DIR);
      warn(`${join(DATA_DIR, stateFileName)} cannot be written: ${inOneLine(error)}.`);
    }
  };
  record(() => null);
  let wasOpened = false;
  return {
    /** Records that all stores are open. */
    opened(): void {
      wasOpened = true;
      record(() => isOpen);
    },
    /** Records that the stores are about to be closed. */
    closing(): void {
      if (wasOpened) record(() => null);
    },
    /** Records the fingerprints of the closed stores, unless the start failed on the way: then their state is unknown. */
    async close(): Promise<void> {
      if (wasOpened) record((store) => fingerprint(DATA_DIR, store));
    },
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DataFileError(
      path,
      `cannot be created: ${inOneLine(error)}. Set DATA_DIR to a folder that this user may create.`,
    );
  }
}
