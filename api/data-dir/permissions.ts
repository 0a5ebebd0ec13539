import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** What the platform makes under `DATA_DIR`; whatever else lies there is its owner's. */
const ours =
  /^(log|keys|stores\.json(\.new)?|demo(-history)?\.json(\.new)?|(warehouse|config)\.duckdb(\.wal|\.tmp|\.snapshots|\.imported)?|platform\.sqlite(-wal|-journal)?)$/;

/** Everybody's rights, and the group's to write. */
const tooWide = 0o027;

/**
 * Leaves what the platform has made to its user alone. Returns what is to be said of the folder: it may be one that its
 * owner shares with others on purpose, such as a mounted one, so its own rights stay. Throws nothing.
 */
export function narrowRights(dataDir: string): string | null {
  if (process.platform === "win32") return null;
  try {
    for (const name of readdirSync(dataDir).filter((each) => ours.test(each))) narrow(join(dataDir, name));
    const rights = statSync(dataDir).mode & 0o777;
    if ((rights & tooWide) === 0) return null;
    return `Others than its owner may read or change ${dataDir} (${rights.toString(8)}): chmod 700 ${dataDir}.`;
  } catch (error) {
    return `The rights of ${dataDir} cannot be narrowed: ${error instanceof Error ? error.message : error}.`;
  }
}

function narrow(path: string): void {
  const stat = statSync(path);
  if ((stat.mode & 0o077) !== 0) chmodSync(path, stat.mode & 0o700);
  if (stat.isDirectory()) for (const name of readdirSync(path)) narrow(join(path, name));
}
