import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { openIssuer, signInWarning } from "../../../api/auth/access-tokens.ts";
import { startPlatform } from "../../../api/compose.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { orgOne } from "../../make.ts";
import { temporaryFolder } from "../../temporary.ts";

const provider = {
  JWT_JWKS_URL: "https://id.example/keys",
  JWT_ISSUER: "https://id.example",
  JWT_AUDIENCE: "trunkline",
};

/** The warnings that the platform logs as it starts. */
async function warningsOf(settings: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  const logger = pino({ level: "warn" }, { write: (line: string) => void lines.push(line) });
  const platform = await startPlatform(readSettings({ DATA_DIR: temporaryFolder(), ...settings }), { logger });
  await platform.stop();
  return lines.map((line) => JSON.parse(line).msg);
}

describe("the platform", () => {
  it.each(["0.0.0.0", "::", "10.0.0.5", "trunkline.example"])(
    "that listens on %s without an identity provider warns that nobody can sign in, and says what to do",
    (HOST) => {
      expect(signInWarning(readSettings({ HOST }))).toMatch(`HOST is ${HOST}`);
      expect(signInWarning(readSettings({ HOST }))).toMatch(
        "Set JWT_JWKS_URL, JWT_ISSUER and JWT_AUDIENCE, or LOCAL_ISSUER=true",
      );
    },
  );

  it.each([
    ["on a loopback address", {}],
    ["on another loopback address", { HOST: "127.0.0.2" }],
    ["on localhost", { HOST: "localhost" }],
    ["on the loopback address of IPv6", { HOST: "::1" }],
    ["anywhere with a local issuer", { HOST: "0.0.0.0", LOCAL_ISSUER: "true" }],
    ["anywhere with an identity provider", { HOST: "0.0.0.0", ...provider }],
  ])("that listens %s does not", (_where, settings) => {
    expect(signInWarning(readSettings(settings))).toBeNull();
  });

  it("without a local issuer warns of it on a loopback address, too", () => {
    expect(signInWarning(readSettings({ LOCAL_ISSUER: "false" }))).toMatch("LOCAL_ISSUER is false");
  });

  it("logs the warning when it starts, and none where there is nothing to warn of", async () => {
    expect(await warningsOf({ HOST: "0.0.0.0" })).toEqual([expect.stringContaining("Nobody can sign in")]);
    expect(await warningsOf({})).toEqual([]);
  });
});

describe("the local issuer", () => {
  const owner = { userId: "ann", orgId: orgOne };
  it("has one key for processes that share a folder, though they begin at the same moment", async () => {
    const settings = readSettings({ DATA_DIR: temporaryFolder(), HOST: "0.0.0.0", LOCAL_ISSUER: "true" });
    const issuers = await Promise.all([1, 2, 3, 4].map(() => openIssuer(settings)));
    const token = await issuers[0]?.issue(owner, 60);
    for (const issuer of issuers) expect(await issuer?.verify(token ?? "")).toMatchObject(owner);
    expect(readdirSync(join(settings.DATA_DIR, "keys"))).toEqual(["issuer.json"]);
  });

  it("counts for nothing beside an identity provider", async () => {
    expect(await openIssuer(readSettings({ ...provider, LOCAL_ISSUER: "true" }))).toBeNull();
  });
});
