import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { DataFileError, inOneLine } from "./data-file-error.ts";
import { checkIntegrity } from "./integrity-check.ts";
import {
  fingerprint,
  isOpen,
  readStoreStates,
  type StoredFile,
  type StoreStates,
  stateFileName,
  storedFiles,
} from "./stored-files.ts";

const elsewhere = "Set DATA_DIR to a folder that this user may read and write.";
const restore = "Put it back from a backup, or start with an empty DATA_DIR; nothing was changed.";

/** A store of the installation, as found on disk. */
interface Found {
  readonly store: StoredFile;
  readonly path: string;
  /** Size of its file; undefined if there is none. */
  readonly bytes: number | undefined;
}

function findStores(settings: Settings): Found[] {
  return storedFiles
    .filter((store) => store.isKept(settings))
    .map((store) => {
      const path = join(settings.DATA_DIR, store.name);
      return { store, path, bytes: sizeOf(path) };
    });
}

function sizeOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size;
  } catch (error) {
    throw new DataFileError(path, `cannot be reached: ${inOneLine(error)}. ${elsewhere}`);
  }
}
const hasContent = ({ bytes }: Found): boolean => bytes !== undefined && bytes > 0;

/** Checks the header of one store, before it is opened by itself. Throws `DataFileError`. */
export function checkStore(settings: Settings, name: string): void {
  for (const found of findStores(settings)) if (found.store.name === name && hasContent(found)) checkHead(found);
}

/**
 * Checks the stores of these settings before any is opened: those that the installation had must exist, with a valid
 * header. A store that no process of this installation closed, or that has changed since, is read as a whole in a child
 * process. Throws `DataFileError`. Changes nothing.
 */
export async function checkDataDir(settings: Settings, warn: (text: string) => void): Promise<void> {
  const { DATA_DIR } = settings;
  if (statSync(DATA_DIR, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new DataFileError(DATA_DIR, `is not a folder. ${elsewhere}`);
  }
  const stores = findStores(settings);
  const states = readStoreStates(DATA_DIR);
  for (const each of stores) {
    checkPresence(each, { states, stores, dataDir: DATA_DIR });
    if (!hasContent(each)) continue;
    checkHead(each);
    const { name, besideWhileOpen } = each.store;
    if (besideWhileOpen === undefined || states?.[name] !== isOpen) continue;
    const path = join(DATA_DIR, besideWhileOpen);
    if (sizeOf(path) === undefined) throw withoutLatest(path);
  }
  const config = stores.filter(({ store }) => store.holdsConfig);
  const isConfigMissing = config.length > 0 && !config.some(hasContent);
  const changed = stores.filter(
    (each) => hasContent(each) && states?.[each.store.name] !== fingerprint(DATA_DIR, each.store),
  );
  const checked = await Promise.all(
    changed.map(async (found) => ({
      found,
      outcome: await checkIntegrity({ name: found.store.name, path: found.path }),
    })),
  );
  for (const { found, outcome } of checked) {
    if (outcome.kind === "fault") throw damaged(found, outcome.why);
    if (outcome.kind === "unfinished")
      warn(`${found.path} is opened without having been checked as a whole: ${outcome.why}.`);
    if (isConfigMissing && outcome.kind === "read" && outcome.held > 0)
      throw withoutConfig(config.at(-1)?.path ?? "", found.path);
  }
}

interface Context {
  readonly states: StoreStates | null;
  readonly stores: readonly Found[];
  readonly dataDir: string;
}

function checkPresence(found: Found, { states, stores, dataDir }: Context): void {
  const { store, path, bytes } = found;
  if (hasContent(found)) return;
  const what = bytes === undefined ? "is missing" : "is empty";
  const goOn = store.holdsConfig
    ? ""
    : ` To go on without what it held, delete ${join(dataDir, stateFileName)}${bytes === 0 ? " and it" : ""}.`;
  if (states !== null && store.name in states && !store.isTakenOver) {
    throw new DataFileError(path, `${what}, and this installation had it. ${restore}${goOn}`);
  }
  const left = store.beside.find((name) => (sizeOf(join(dataDir, name)) ?? 0) > 0);
  if (left !== undefined) throw new DataFileError(path, `${what} beside ${join(dataDir, left)}. ${restore}`);
  // A process killed while creating the file leaves it empty, and creates no store after it.
  const isLast = stores.slice(stores.indexOf(found) + 1).every((each) => !hasContent(each));
  if (bytes === 0 && states === null && !isLast) throw new DataFileError(path, `is empty. ${restore}`);
}

const withoutLatest = (path: string): DataFileError =>
  new DataFileError(
    path,
    "is missing, and holds the last writes of a process that was killed. Put it back, or create it empty to go on without them; nothing was changed.",
  );

const withoutConfig = (missing: string, holding: string): DataFileError =>
  new DataFileError(
    missing,
    `is missing, and ${holding} holds data that would belong to nobody. ${restore} To start with new config beside it, create an organization: npm run keys -- create --org NAME --new-org.`,
  );

function checkHead(found: Found): void {
  try {
    found.store.checkHead(found.path);
  } catch (error) {
    throw damaged(found, inOneLine(error), error);
  }
}

const damaged = ({ path, store }: Found, why: string, cause?: unknown): DataFileError => {
  const there = store.beside
    .map((name) => join(dirname(path), basename(name)))
    .filter((each) => sizeOf(each) !== undefined);
  const beside = there.length === 0 ? "" : ` It belongs together with ${there.join(", ")}.`;
  return new DataFileError(path, `is damaged: ${why}. ${restore}${beside}`, { cause });
};
