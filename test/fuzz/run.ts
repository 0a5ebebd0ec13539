import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { unlimited } from "../compiled-service.ts";
import { spawnDemo } from "../demo-process.ts";
import { freePort } from "../free-port.ts";
import { installPythonEnvironment } from "../python-environment.ts";
import { toConfig } from "./config.ts";

const usage = `npm run test:fuzz -- [--only PATTERN] [--examples N] [--seconds N] [--seed N]

Starts a platform with some history, and holds what it answers against its own OpenAPI document:
each operation with the document's examples, with values at the bounds of each schema and beyond
them, and with any others. Fails where the platform fails, answers what it has not documented, takes
what the document refuses, or lets somebody in without a key.

  --only PATTERN  the paths that match it, such as ^/api/v1/campaigns
  --examples N    of any other requests, for each operation [3]
  --seconds N     for the requests that the document names; what is left then is left out [150]
  --seed N        of the others [1]

Installs Schemathesis from the Python package index, once; Python 3 with venv has to be there.`;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "^/" },
    examples: { type: "string", default: "3" },
    seconds: { type: "string", default: "150" },
    seed: { type: "string", default: "1" },
    help: { type: "boolean" },
  },
});

const schemathesis = "schemathesis==4.32.5";
const carrier = { username: "jambonz", password: "for-tests" };

async function fuzz(folder: string): Promise<number> {
  const program = join(installPythonEnvironment("schemathesis-4.32.5", [schemathesis]), "schemathesis");
  const port = await freePort();
  const demo = spawnDemo(join(folder, "data"), {
    ...unlimited,
    PORT: String(port),
    DEMO_CALLS: "300",
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    JAMBONZ_USERNAME: carrier.username,
    JAMBONZ_PASSWORD: carrier.password,
    TWILIO_AUTH_TOKEN: "for-tests",
  });
  try {
    const { base_url: url, organizations } = await demo.ready();
    const [organization] = organizations;
    if (organization === undefined) throw new Error("The demo has no organization.");
    const file = join(folder, "schemathesis.toml");
    const asked = { seed: Number(values.seed), examples: Number(values.examples) };
    writeFileSync(file, await toConfig({ url, organization, carrier, ...asked }));
    const run = [
      "--config-file",
      file,
      "run",
      `${url}/openapi.json`,
      "--no-color",
      "--include-path-regex",
      values.only,
    ];
    // What the document names is tried first, as long as there is time: each operation has its share of it.
    const named = ["--phases", "examples,coverage", "--max-time", values.seconds];
    const found = await runProgram(program, [...run, ...named], folder);
    return found || (await runProgram(program, [...run, "--phases", "fuzzing"], folder));
  } finally {
    demo.kill();
    await demo.ended;
  }
}

async function runProgram(program: string, args: readonly string[], cwd: string): Promise<number> {
  const running = spawn(program, args, { cwd, stdio: "inherit" });
  const [code] = await once(running, "close");
  return code ?? 1;
}

if (values.help) process.stdout.write(`${usage}\n`);
else {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-fuzz-"));
  try {
    process.exitCode = await fuzz(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
