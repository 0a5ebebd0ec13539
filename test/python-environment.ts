import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const isWindows = process.platform === "win32";

/**
 * Installs packages of the Python package index into a Python environment of their own, unless it is there, and returns the
 * folder of its programs.
 */
export function installPythonEnvironment(name: string, packages: readonly string[]): string {
  const environment = join(root, "node_modules", ".cache", name);
  const programs = join(environment, isWindows ? "Scripts" : "bin");
  if (existsSync(join(environment, ".installed"))) return programs;
  rmSync(environment, { recursive: true, force: true });
  run("python3", ["-m", "venv", environment], "Python 3 with venv is needed (Debian: apt-get install python3-venv).");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...packages];
  run(join(programs, "python"), pip, `${packages.join(", ")} cannot be installed from the Python package index.`);
  writeFileSync(join(environment, ".installed"), "");
  return programs;
}

function run(program: string, args: readonly string[], trouble: string): void {
  const { status } = spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(trouble);
}
