import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { installPythonEnvironment } from "../python-environment.ts";

const version = "4.32.5";

export const installSchemathesis = (): string =>
  join(installPythonEnvironment(`schemathesis-${version}`, [`schemathesis==${version}`]), "schemathesis");

interface Run {
  readonly program: string;
  /** The address of the OpenAPI document. */
  readonly document: string;
  /** Text of the settings, which is written into the folder. */
  readonly config: string;
  readonly folder: string;
  /** Pattern of the paths that are tried. */
  readonly only: string;
  /** For the requests that the document names; what is left then is left out. */
  readonly seconds: string;
  /** Default: what is said goes where this process writes. */
  readonly output?: "kept";
}

/** Runs Schemathesis: first what the document names, then anything else. Its exit code is not 0 where it has found a fault. */
export async function runSchemathesis({ program, document, config, folder, only, seconds, output }: Run) {
  const file = join(folder, "schemathesis.toml");
  writeFileSync(file, config);
  const run = ["--config-file", file, "run", document, "--no-color", "--include-path-regex", only];
  const stdio = output === "kept" ? "pipe" : "inherit";
  // What the document names is tried first, as long as there is time: each operation has its share of it.
  const named = await runProgram(
    program,
    [...run, "--phases", "examples,coverage", "--max-time", seconds],
    folder,
    stdio,
  );
  return named.code === 0 ? runProgram(program, [...run, "--phases", "fuzzing"], folder, stdio) : named;
}

async function runProgram(program: string, args: readonly string[], cwd: string, stdio: "inherit" | "pipe") {
  const running = spawn(program, args, { cwd, stdio: ["ignore", stdio, "inherit"] });
  const closed = once(running, "close");
  const said = running.stdout === null ? "" : await text(running.stdout);
  const [code] = await closed;
  return { code: Number(code ?? 1), said };
}
