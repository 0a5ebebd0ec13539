import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString, UNKNOWN } from "openapi-typescript";

/** Builds the package in dist/: the API's types from the OpenAPI document of the built service, and the compiled client. */
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");

// A type that has itself as a part is an error in an interface.
const transform = (_schema, { path }) => (path === "#/components/schemas/AnyJson" ? UNKNOWN : undefined);
const head = "/** Made from the OpenAPI document of the installation by `npm run client`. */\n";
writeFileSync(
  join(here, "src", "openapi.ts"),
  head + astToString(await openapiTS(await readDocument(), { transform, defaultNonNullable: false })),
);
rmSync(join(here, "dist"), { recursive: true, force: true });
const compiler = join(here, "node_modules", "typescript", "bin", "tsc");
const { status } = spawnSync(process.execPath, [compiler, "--project", here], { stdio: "inherit" });
process.exitCode = status ?? 1;

/** The document as a service gives it that starts in an empty folder for as long. */
async function readDocument() {
  const dataDir = mkdtempSync(join(tmpdir(), "trunkline-client-"));
  const service = spawn(process.execPath, [join(root, "dist", "api", "commands", "start.js")], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, DATA_DIR: dataDir, PORT: "0", HOST: "127.0.0.1" },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise((resolve) => service.once("exit", resolve));
  try {
    const answer = await fetch(`${await addressOf(service)}/openapi.json`);
    return await answer.json();
  } finally {
    service.kill();
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function addressOf(service) {
  const said = [];
  for await (const line of createInterface({ input: service.stderr })) {
    said.push(line);
    const address = /"url":"(http:[^"]+)"/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`The service ended:\n${said.join("\n")}`);
}
