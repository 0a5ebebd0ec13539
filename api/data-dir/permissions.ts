import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

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
