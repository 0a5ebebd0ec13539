import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { type ClosedFiles, fingerprint, isOpen, readClosedFiles, recordName } from "./closed-files.ts";
import { DataFileError, inOneLine } from "./file-error.ts";
import { type StoredFile, storedFiles } from "./stored-files.ts";
import { tryFile } from "./trial.ts";

const elsewhere = "Set DATA_DIR to a folder that this user may read and write.";
const restore = "Put it back from a backup, or begin with an empty DATA_DIR; nothing was changed.";

/** A store that these settings keep, as it lies there. */
interface Found {
  readonly store: StoredFile;
  readonly path: string;
  /** Of its own file; undefined where there is none. */
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
const isMade = ({ bytes }: Found): boolean => bytes !== undefined && bytes > 0;

/** Checks how one store begins, before it is opened by itself. Throws `DataFileError`. */
export function checkStore(settings: Settings, name: string): void {
  for (const found of findStores(settings)) if (found.store.name === name && isMade(found)) checkHead(found);
}

/**
 * Checks the stores of these settings before any is opened: that those are there which the installation has had, and how they
 * begin; what was not closed by a process of this installation, or has been touched since, is read as a whole, in a process
 * of its own. Throws `DataFileError`. Changes nothing.
 */
export async function checkDataDir(settings: Settings, warn: (text: string) => void): Promise<void> {
  const { DATA_DIR } = settings;
  if (statSync(DATA_DIR, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new DataFileError(DATA_DIR, `is no folder. ${elsewhere}`);
  }
  const stores = findStores(settings);
  const closed = readClosedFiles(DATA_DIR);
  for (const each of stores) {
    checkPresence(each, { closed, stores, dataDir: DATA_DIR });
    if (!isMade(each)) continue;
    checkHead(each);
    const { name, besideWhileOpen } = each.store;
    if (besideWhileOpen === undefined || closed?.[name] !== isOpen) continue;
    const path = join(DATA_DIR, besideWhileOpen);
    if (sizeOf(path) === undefined) throw withoutLatest(path);
  }
  const config = stores.filter(({ store }) => store.holdsConfig);
  const isConfigMissing = config.length > 0 && !config.some(isMade);
  const touched = stores.filter(
    (each) => isMade(each) && closed?.[each.store.name] !== fingerprint(DATA_DIR, each.store),
  );
  const tried = await Promise.all(
    touched.map(async (found) => ({ found, outcome: await tryFile({ name: found.store.name, path: found.path }) })),
  );
  for (const { found, outcome } of tried) {
    if (outcome.kind === "fault") throw damaged(found, outcome.why);
    if (outcome.kind === "unfinished")
      warn(`${found.path} is opened without having been read as a whole: ${outcome.why}.`);
    if (isConfigMissing && outcome.kind === "read" && outcome.held > 0)
      throw withoutConfig(config.at(-1)?.path ?? "", found.path);
  }
}

interface Surroundings {
  readonly closed: ClosedFiles | null;
  readonly stores: readonly Found[];
  readonly dataDir: string;
}

function checkPresence(found: Found, { closed, stores, dataDir }: Surroundings): void {
  const { store, path, bytes } = found;
  if (isMade(found)) return;
  const what = bytes === undefined ? "is missing" : "is empty";
  const goOn = store.holdsConfig
    ? ""
    : ` To go on without what it held, delete ${join(dataDir, recordName)}${bytes === 0 ? " and it" : ""}.`;
  if (closed !== null && store.name in closed && !store.isTakenOver) {
    throw new DataFileError(path, `${what}, and this installation had it. ${restore}${goOn}`);
  }
  const left = store.beside.find((name) => (sizeOf(join(dataDir, name)) ?? 0) > 0);
  if (left !== undefined) throw new DataFileError(path, `${what} beside ${join(dataDir, left)}. ${restore}`);
  // A process that was killed as it made the file has left such a one; then it made no other after it.
  const isLast = stores.slice(stores.indexOf(found) + 1).every((each) => !isMade(each));
  if (bytes === 0 && closed === null && !isLast) throw new DataFileError(path, `is empty. ${restore}`);
}

const withoutLatest = (path: string): DataFileError =>
  new DataFileError(
    path,
    "is missing, where a process that was killed has written last. Put it back, or make it, empty, to go on without what it held; nothing was changed.",
  );

const withoutConfig = (missing: string, holding: string): DataFileError =>
  new DataFileError(
    missing,
    `is missing, and ${holding} holds data that would belong to nobody. ${restore} To begin with other config beside it, make an organization: npm run keys -- create --org NAME --new-org.`,
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
