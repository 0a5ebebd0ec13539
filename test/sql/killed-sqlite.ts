import { spawnSync } from "node:child_process";

/** Commits rows to a file as the platform does, and is killed: what a checkpoint has not taken over stays in its `-wal`. */
const script = `
import Sqlite from "libsql";
const [path, rows] = process.argv.slice(1);
const connection = new Sqlite(path);
connection.exec("PRAGMA locking_mode = EXCLUSIVE");
connection.exec("PRAGMA journal_mode = WAL");
connection.exec("CREATE TABLE IF NOT EXISTS written (id INTEGER PRIMARY KEY, text TEXT)");
const insert = connection.prepare("INSERT OR REPLACE INTO written VALUES (?, ?)");
for (let row = 0; row < Number(rows); row++) insert.run([row % 300, "x".repeat((row * 37) % 5000)]);
process.kill(process.pid, "SIGKILL");
`;

export function killAfterWriting(path: string, rows: number): void {
  const args = ["--input-type=module", "--eval", script, path, String(rows)];
  const { signal, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (signal !== "SIGKILL") throw new Error(stderr);
}
