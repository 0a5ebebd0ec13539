import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../temporary.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
export const packageFolder = join(root, "api", "client");
const compiler = join(packageFolder, "node_modules", "typescript", "bin", "tsc");
const isWindows = process.platform === "win32";

export const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell: isWindows });

export const buildClient = () => void run("npm", ["run", "--silent", "client"], root);

/** A project with the package as npm would install it, and these files, `tour.ts` and others. */
export function freshProject(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  const [{ filename }] = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", folder, packageFolder], folder),
  );
  run("tar", ["-xzf", filename], folder);
  cpSync(join(folder, "package"), join(modules, "trunkline-client"), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(modules, "trunkline-client", "package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), "openapi-typescript-helpers", "@stablelib", "fast-sha256"])
    symlinkSync(join(packageFolder, "node_modules", name), join(modules, name), "junction");
  symlinkSync(join(root, "node_modules", "@types"), join(modules, "@types"), "junction");
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "NodeNext",
    target: "ES2023",
    types: ["node"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: Object.keys(files) }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Compiles a project, and returns what the compiler found wrong. */
export const compile = (folder: string): string[] => {
  try {
    return run(process.execPath, [compiler, "--project", folder], folder).split("\n").filter(Boolean);
  } catch (error) {
    return String((error as { stdout: string }).stdout)
      .split("\n")
      .filter(Boolean);
  }
};
