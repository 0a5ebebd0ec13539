import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "4.32.5";
const root = fileURLToPath(new URL("../..", import.meta.url));
const environment = join(root, "node_modules", ".cache", `schemathesis-${version}`);
const binaries = join(environment, process.platform === "win32" ? "Scripts" : "bin");

/** Installs Schemathesis into a Python environment of its own, unless it is there, and returns its program. */
export function installSchemathesis(): string {
  const program = join(binaries, "schemathesis");
  if (existsSync(program)) return program;
  try {
    run("python3", ["-m", "venv", environment], "Python 3 with venv is needed (Debian: apt-get install python3-venv).");
    const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", `schemathesis==${version}`];
    run(join(binaries, "python"), pip, `schemathesis ${version} cannot be installed from the Python package index.`);
  } catch (error) {
    rmSync(environment, { recursive: true, force: true });
    throw error;
  }
  return program;
}

function run(program: string, args: readonly string[], trouble: string): void {
  const { status } = spawnSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error(trouble);
}
