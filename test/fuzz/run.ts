import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { unlimited } from "../compiled-service.ts";
import { spawnDemo } from "../demo-process.ts";
import { freePort } from "../free-port.ts";
import { toConfig } from "./config.ts";
import { installSchemathesis, runSchemathesis } from "./schemathesis.ts";

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

const carrier = { username: "jambonz", password: "for-tests" };

async function fuzz(folder: string): Promise<number> {
  const program = installSchemathesis();
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
    const asked = { seed: Number(values.seed), examples: Number(values.examples) };
    const config = await toConfig({ url, organization, carrier, ...asked });
    const { only, seconds } = values;
    const document = `${url}/openapi.json`;
    return (await runSchemathesis({ program, document, config, folder, only, seconds })).code;
  } finally {
    demo.kill();
    await demo.ended;
  }
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
