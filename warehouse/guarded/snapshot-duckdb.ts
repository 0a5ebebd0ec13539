import { constants } from "node:fs";
import { access, copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { WarehouseError } from "../warehouse.ts";

/** A copy of the warehouse's file, which stays until it is released. */
export interface Snapshot {
  readonly path: string;
  release(): Promise<void>;
}

export interface SnapshotSource {
  readonly path: string;
  /** Runs work while nothing is written to the file; resolves with how many writes there have been until then. */
  whileStill(work: () => Promise<void>): Promise<number>;
  /** Returns the number of writes so far. */
  writes(): number;
}

interface Copy {
  readonly path: string;
  readonly writes: number;
  readonly madeAt: number;
  readonly tookMs: number;
  users: number;
}

/** A copy that took less is made anew whenever something was written since. */
const quickMs = 100;
/** Else it is used for this many times as long as it took, so that copying takes a twentieth of the time. */
const timesAsLong = 20;

/**
 * Copies of a DuckDB file for processes that read it: the engine locks the file against other processes for as long as this
 * one has it open. Of a file system that can share blocks between files (btrfs, XFS) a copy costs nothing.
 */
export function createSnapshots({ path, whileStill, writes }: SnapshotSource) {
  const folder = join(dirname(path), `${basename(path)}.snapshots`);
  let current: Copy | undefined;
  let copying: Promise<Copy> | undefined;
  let made = 0;

  const filesOf = (copy: string) => [copy, `${copy}.wal`];
  const remove = async (copy: Copy): Promise<void> => {
    for (const file of filesOf(copy.path)) await rm(file, { force: true });
  };

  async function copy(): Promise<Copy> {
    if (made === 0) await empty();
    made += 1;
    const target = join(folder, `${made}.duckdb`);
    const began = performance.now();
    const seen = await whileStill(async () => {
      await copyFile(path, target, constants.COPYFILE_FICLONE);
      // The last commits may be in the write-ahead log alone.
      if (await isThere(`${path}.wal`)) await copyFile(`${path}.wal`, `${target}.wal`, constants.COPYFILE_FICLONE);
    });
    const now = performance.now();
    const next: Copy = { path: target, writes: seen, madeAt: now, tookMs: now - began, users: 0 };
    const before = current;
    current = next;
    if (before?.users === 0) await remove(before);
    return next;
  }

  /** Deletes what a killed process has left. */
  async function empty(): Promise<void> {
    const make = () => mkdir(folder, { recursive: true, mode: 0o700 });
    // The folder contains copies only: a file of its name is removed.
    await make().catch(() => rm(folder, { force: true }).then(make));
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
  }

  function isFresh(known: Copy): boolean {
    if (known.writes === writes()) return true;
    return known.tookMs > quickMs && performance.now() - known.madeAt < known.tookMs * timesAsLong;
  }

  async function latest(): Promise<Copy> {
    if (current !== undefined && isFresh(current)) return current;
    copying ??= copy().finally(() => {
      copying = undefined;
    });
    return copying;
  }

  return {
    /**
     * Takes a snapshot with everything stored before the call, unless copying takes long: then it may be some seconds
     * old.
     */
    async take(): Promise<Snapshot> {
      if (path === ":memory:") {
        throw new WarehouseError("unavailable", "SQL of analysts needs a warehouse in a file: this one is in memory.");
      }
      const taken = await latest();
      taken.users += 1;
      return {
        path: taken.path,
        async release() {
          taken.users -= 1;
          if (taken.users === 0 && taken !== current) await remove(taken);
        },
      };
    },
    async close(): Promise<void> {
      await copying?.catch(() => undefined);
      if (made > 0) await rm(folder, { recursive: true, force: true });
    },
  };
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
