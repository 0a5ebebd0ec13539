import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { checkDataDir } from "./check-data-dir.ts";
import { DataFileError, inOneLine } from "./data-file-error.ts";
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

/** Names that the platform creates under `DATA_DIR`; anything else there is left alone. */
const ownNames =
  /^(log|keys|stores\.json(\.new)?|demo(-history)?\.json(\.new)?|(warehouse|config)\.duckdb(\.wal|\.tmp|\.snapshots|\.imported)?|platform\.sqlite(-wal|-journal)?)$/;

/** All permissions of others, and write for the group. */
const forbidden = 0o027;

/**
 * Restricts the files of the platform to its user. The folder's own permissions stay, as it may be shared on purpose, such
 * as a mounted one; returns a warning if they are wide. Throws nothing.
 */
export function restrictPermissions(dataDir: string): string | null {
  if (process.platform === "win32") return null;
  try {
    for (const name of readdirSync(dataDir).filter((each) => ownNames.test(each))) restrict(join(dataDir, name));
    const mode = statSync(dataDir).mode & 0o777;
    if ((mode & forbidden) === 0) return null;
    return `Others than its owner may read or change ${dataDir} (${mode.toString(8)}): chmod 700 ${dataDir}.`;
  } catch (error) {
    return `The permissions of ${dataDir} cannot be restricted: ${error instanceof Error ? error.message : error}.`;
  }
}

function restrict(path: string): void {
  const stat = statSync(path);
  if ((stat.mode & 0o077) !== 0) chmodSync(path, stat.mode & 0o700);
  if (stat.isDirectory()) for (const name of readdirSync(path)) restrict(join(path, name));
}
