import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../temporary.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
export const packageFolder = join(root, "api", "client");
/** Of customers, who may have either. */
const compilers = [packageFolder, root].map((folder) => join(folder, "node_modules", "typescript", "bin", "tsc"));
const isWindows = process.platform === "win32";

export const run = (program: string, args: readonly string[], cwd: string): string =>
  execFileSync(program, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], shell: isWindows });

export const buildClient = () => void run("npm", ["run", "--silent", "client"], root);

const pack = (folder: string): string => {
  const [{ filename }] = JSON.parse(
    run("npm", ["pack", "--json", "--pack-destination", folder, packageFolder], folder),
  );
  return filename;
};

/** A project with the package as npm would install it, and these files, `tour.ts` and others. */
export function freshProject(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  run("tar", ["-xzf", pack(folder)], folder);
  cpSync(join(folder, "package"), join(modules, "trunkline-client"), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(modules, "trunkline-client", "package.json"), "utf8"));
  for (const name of [...Object.keys(dependencies), "openapi-typescript-helpers", "@stablelib", "fast-sha256"])
    symlinkSync(join(packageFolder, "node_modules", name), join(modules, name), "junction");
  symlinkSync(join(root, "node_modules", "@types"), join(modules, "@types"), "junction");
  writeProject(folder, files);
  return folder;
}

/** A project for which npm itself installs the package, with the types that it needs and no others. */
export function installedProject(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  writeProject(folder, files);
  const quietly = ["--prefer-offline", "--no-audit", "--no-fund", "--silent"];
  run("npm", ["install", ...quietly, `./${pack(folder)}`, "@types/node@20"], folder);
  return folder;
}

function writeProject(folder: string, files: Readonly<Record<string, string>>): void {
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: "NodeNext",
    target: "ES2023",
    types: ["node"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: Object.keys(files) }));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

/** Compiles a project by each compiler, and returns what they found wrong. */
export const compile = (folder: string): string[] => compilers.flatMap((compiler) => compileBy(compiler, folder));

function compileBy(compiler: string, folder: string): string[] {
  try {
    return run(process.execPath, [compiler, "--project", folder], folder).split("\n").filter(Boolean);
  } catch (error) {
    return String((error as { stdout: string }).stdout)
      .split("\n")
      .filter(Boolean);
  }
}
