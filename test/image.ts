import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { readLock } from "./package-lock.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const workdir = "/app";

export interface Image {
  /** The working directory of the last stage. */
  readonly folder: string;
  /** The working directory of the stage that builds. */
  readonly buildFolder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  remove(): void;
}

interface Stage {
  readonly name: string;
  readonly folder: string;
}

/**
 * Runs the steps of the Dockerfile on this machine, each stage in a folder of its own. `npm ci` takes the packages of the
 * lock from those that are installed here; COPY and all other commands do what they say.
 */
export function buildImage(): Image {
  // Beside the installed packages: files are linked on one file system alone.
  const folder = mkdtempSync(join(root, ".dist-image-"));
  const stages: Stage[] = [];
  const current = () => stages.at(-1)?.folder ?? folder;
  const environment: Record<string, string> = {};
  let command: string[] = [];
  for (const [, step = "", text = ""] of readSteps()) {
    if (step === "FROM") {
      const name = / AS (\w+)$/.exec(text)?.[1] ?? "image";
      stages.push({ name, folder: join(folder, name) });
      mkdirSync(current());
    } else if (step === "COPY") copy(text.split(" "), stages);
    else if (step === "RUN") run(text, current());
    else if (step === "ENV")
      for (const each of text.split(" ")) Object.assign(environment, Object.fromEntries([each.split("=")]));
    else if (step === "CMD") command = JSON.parse(text);
    else if (step === "WORKDIR" ? text !== workdir : !["USER", "VOLUME", "EXPOSE", "HEALTHCHECK"].includes(step))
      throw new Error(`This does not know what the Dockerfile's ${step} ${text} does.`);
  }
  return {
    folder: current(),
    buildFolder: stages.find(({ name }) => name === "build")?.folder ?? "",
    environment,
    command,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function readSteps(): RegExpMatchArray[] {
  const text = readFileSync(join(root, "Dockerfile"), "utf8").replaceAll(/^#.*\n/gm, "");
  return [...text.replaceAll(/\\\n\s*/g, "").matchAll(/^([A-Z]+) (.*)$/gm)];
}

function copy(words: readonly string[], stages: readonly Stage[]): void {
  const from = /^--from=(\w+)$/.exec(words[0] ?? "")?.[1];
  const [target = "", ...sources] = words.slice(from === undefined ? 0 : 1).reverse();
  const to = resolve(stages.at(-1)?.folder ?? "", target);
  for (const source of sources) {
    if (from !== undefined) {
      const of = stages.find(({ name }) => name === from)?.folder ?? "";
      linkTree(source.replace(workdir, of), to, []);
      continue;
    }
    const path = join(root, source);
    const into = statSync(path).isDirectory() ? to : join(to, source);
    cpSync(path, into, { recursive: true, filter: (each) => !ignored().includes(basename(each)) });
  }
}

/** Names that Docker never copies. */
const ignored = () =>
  readFileSync(join(root, ".dockerignore"), "utf8")
    .split("\n")
    .map((each) => basename(each));

function run(command: string, folder: string): void {
  if (command.startsWith("npm ci ")) installPackages(folder, { dev: !command.includes("--omit=dev") });
  // The volume, which is not in the working directory.
  else if (!command.startsWith("mkdir -p /data"))
    execFileSync("sh", ["-ec", command], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
}

function installPackages(folder: string, { dev }: { readonly dev: boolean }): void {
  if (dev) {
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    return;
  }
  for (const [path, each] of Object.entries(readLock())) {
    const isHere = path !== "" && existsSync(join(root, path));
    if (isHere && each.dev !== true) linkTree(join(root, path), join(folder, path), ["node_modules"]);
  }
}

function linkTree(from: string, to: string, leftOut: readonly string[]): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (leftOut.includes(entry.name)) continue;
    if (entry.isDirectory()) linkTree(source, target, leftOut);
    else linkSync(source, target);
  }
}
