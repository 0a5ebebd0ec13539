import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
let isBuilt = false;

/**
 * Arguments of Node.js that run a command of `api/commands/` compiled, as npm's scripts do; what has changed is compiled
 * before. A process from the sources takes twice as long to start.
 */
export function builtCommand(name: string): readonly string[] {
  if (!isBuilt) {
    const { status, stderr } = spawnSync(process.execPath, ["build.mjs"], { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`The build ended with ${status}: ${stderr}`);
    isBuilt = true;
  }
  const threads = ["start", "demo"].includes(name) ? ["--require", "./dist/api/commands/thread-pool.cjs"] : [];
  return ["--enable-source-maps", ...threads, `dist/api/commands/${name}.js`];
}
