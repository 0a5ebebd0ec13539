import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { base64url, exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from "jose";
import { describe, expect, it, onTestFinished } from "vitest";
import { createJwksVerifier, openLocalIssuer } from "../../../api/auth/access-tokens.ts";
import { orgOne } from "../../make.ts";
import { temporaryFolder } from "../../temporary.ts";

const owner = { userId: "user-1", orgId: orgOne, role: "analyst" as const };
const claimNames = { orgClaim: "org_id", roleClaim: "role" };
const expected = { issuer: "https://id.example/", audience: "trunkline", ...claimNames };
const claims = { sub: "user-1", org_id: "org_one", iss: expected.issuer, aud: expected.audience };
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

/** An identity provider that publishes keys at an address. */
async function openProvider(answer: () => { status: number; body: string }) {
  const server = createServer((_request, response) => {
    const { status, body } = answer();
    response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
}

async function openRig(alg = "ES256", keyCount = 1) {
  const pairs = await Promise.all(Array.from({ length: keyCount }, () => generateKeyPair(alg, { extractable: true })));
  const keys: JWK[] = await Promise.all(
    pairs.map(async ({ publicKey }, index) => ({
      ...(await exportJWK(publicKey)),
      alg,
      kid: `key-${index}`,
      use: "sig",
    })),
  );
  const [pair] = pairs;
  if (pair === undefined) throw new Error("no key");
  const url = await openProvider(() => ({ status: 200, body: JSON.stringify({ keys }) }));
  const sign = (payload: Record<string, unknown>, header: { kid?: string } = { kid: "key-0" }) =>
    new SignJWT({ exp: inAnHour, ...claims, ...payload }).setProtectedHeader({ alg, ...header }).sign(pair.privateKey);
  return { verify: createJwksVerifier(url, expected), url, sign, publicKey: pair.publicKey };
}

/** A token put together by hand, as no library would. */
const forge = (header: object, payload: object, signature = ""): string =>
  [base64url.encode(JSON.stringify(header)), base64url.encode(JSON.stringify(payload)), signature].join(".");

describe("a token of an identity provider", () => {
  it.each(["RS256", "PS256", "ES256", "EdDSA"])("signed by %s tells whose it is", async (alg) => {
    const { verify, sign } = await openRig(alg);
    expect(await verify(await sign({}))).toMatchObject(owner);
  });

  it.each<[string, Record<string, unknown>]>([
    ["that has expired", { exp: inAnHour - 7200 }],
    ["that is not valid yet", { nbf: inAnHour }],
    ["without an end", { exp: undefined }],
    ["of another issuer", { iss: "https://other.example/" }],
    ["without an issuer", { iss: undefined }],
    ["for another audience", { aud: "billing" }],
    ["without an audience", { aud: undefined }],
    ["that names no user", { sub: undefined }],
    ["that names an empty user", { sub: "" }],
    ["that names no organization", { org_id: undefined }],
    ["that names an empty organization", { org_id: "" }],
    ["that names several organizations", { org_id: ["org_one", "org_two"] }],
  ])("%s is not valid", async (_what, payload) => {
    const { verify, sign } = await openRig();
    expect(await verify(await sign(payload))).toBeNull();
  });

  it("for one of several audiences is valid", async () => {
    const { verify, sign } = await openRig();
    expect(await verify(await sign({ aud: ["billing", "trunkline"] }))).toMatchObject(owner);
  });

  it("names its organization in the claim that the settings name", async () => {
    const { url, sign } = await openRig();
    const verify = createJwksVerifier(url, { ...claimNames, orgClaim: "https://trunkline.example/org" });
    expect(await verify(await sign({ "https://trunkline.example/org": "org_two", org_id: undefined }))).toMatchObject({
      userId: "user-1",
      orgId: "org_two",
      role: "analyst",
    });
  });

  it.each([
    ["viewer", "viewer"],
    ["admin", "admin"],
    [["viewer", "admin", "billing"], "admin"],
    // Roles of the provider's own, and what no provider writes.
    ["authenticated", "analyst"],
    ["Admin", "analyst"],
    [["owner"], "analyst"],
    [[], "analyst"],
    [{ admin: true }, "analyst"],
    [null, "analyst"],
    [undefined, "analyst"],
  ])("whose role is %j is a user's who is a %s", async (role, known) => {
    const { verify, sign } = await openRig();
    expect(await verify(await sign({ role }))).toMatchObject({ ...owner, role: known });
  });

  it("names its user's role in the claim that the settings name", async () => {
    const { url, sign } = await openRig();
    const verify = createJwksVerifier(url, { ...claimNames, roleClaim: "https://trunkline.example/role" });
    const token = await sign({ "https://trunkline.example/role": ["admin"], role: "viewer" });
    expect(await verify(token)).toMatchObject({ ...owner, role: "admin" });
  });

  it("without a signature is not valid, whatever its algorithm is called", async () => {
    const { verify } = await openRig();
    for (const alg of ["none", "None", "", "ES256"]) {
      expect(await verify(forge({ alg, kid: "key-0" }, { exp: inAnHour, ...claims })), alg).toBeNull();
    }
  });

  it("signed by HS256 with the public key as the secret is not valid", async () => {
    const { verify, publicKey } = await openRig("RS256");
    const secret = new TextEncoder().encode(await exportSPKI(publicKey));
    const token = await new SignJWT({ exp: inAnHour, ...claims })
      .setProtectedHeader({ alg: "HS256", kid: "key-0" })
      .sign(secret);
    expect(await verify(token)).toBeNull();
  });

  it("signed by somebody else's key is not valid, under a known name or an unknown one", async () => {
    const { verify } = await openRig();
    const other = await openRig();
    expect(await verify(await other.sign({}))).toBeNull();
    expect(await verify(await other.sign({}, { kid: "key-9" }))).toBeNull();
  });

  it("changed after it was signed is not valid", async () => {
    const { verify, sign } = await openRig();
    const [header, , signature] = (await sign({})).split(".");
    const payload = base64url.encode(JSON.stringify({ exp: inAnHour, ...claims, org_id: "org_two" }));
    expect(await verify([header, payload, signature].join("."))).toBeNull();
  });

  it.each(["", "x", "a.b", "a.b.c", "....", "{}.{}.{}", "ключ.b.c"])("%j is none", async (token) => {
    const { verify } = await openRig();
    expect(await verify(token)).toBeNull();
  });

  it("that names none of several keys is not valid", async () => {
    const { verify, sign } = await openRig("ES256", 2);
    expect(await verify(await sign({}))).toMatchObject(owner);
    expect(await verify(await sign({}, {}))).toBeNull();
  });
});

const keysUnavailable = { status: 503, code: "sign_in_unavailable" };

describe("an identity provider", () => {
  it.each([
    ["answers with an error", { status: 500, body: "{}" }],
    ["answers with something else than JSON", { status: 200, body: "<html>" }],
    ["answers with something else than keys", { status: 200, body: "{}" }],
  ])("that %s is at fault, not the token", async (_what, answer) => {
    const { sign } = await openRig();
    const verify = createJwksVerifier(await openProvider(() => answer), expected);
    await expect(verify(await sign({}))).rejects.toMatchObject(keysUnavailable);
  });

  it("that cannot be reached is at fault, not the token", async () => {
    const { sign } = await openRig();
    await expect(createJwksVerifier("http://127.0.0.1:9/jwks.json", expected)(await sign({}))).rejects.toMatchObject(
      keysUnavailable,
    );
  });
});

describe("the local issuer", () => {
  it("issues tokens that it takes itself, until they expire", async () => {
    const issuer = await openLocalIssuer(join(temporaryFolder(), "keys", "issuer.json"));
    expect(await issuer.verify(await issuer.issue(owner, 60))).toMatchObject(owner);
    const named = await issuer.issue(owner, { seconds: 60, id: "token-1" });
    expect(await issuer.verify(named)).toMatchObject({ tokenId: "token-1" });
    expect(await issuer.verify(await issuer.issue({ ...owner, role: "admin" }, 60))).toMatchObject({ role: "admin" });
    expect(await issuer.verify(await issuer.issue(owner, -60))).toBeNull();
  });

  it("whose key file holds no key refuses to begin, and repeats nothing of it", async () => {
    const path = join(temporaryFolder(), "issuer.json");
    writeFileSync(path, "half of a secret");
    const error = await openLocalIssuer(path).catch(String);
    expect(error).toContain(`${path} holds no key`);
    expect(error).not.toContain("secret");
  });

  it("keeps its key in a file that only its owner can read, and takes its tokens after a restart", async () => {
    const path = join(temporaryFolder(), "keys", "issuer.json");
    const token = await (await openLocalIssuer(path)).issue(owner, 60);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(await (await openLocalIssuer(path)).verify(token)).toMatchObject(owner);
  });

  it("takes no token of another installation, and none that its public key was made a secret of", async () => {
    const path = join(temporaryFolder(), "issuer.json");
    const issuer = await openLocalIssuer(path);
    const other = await openLocalIssuer(join(temporaryFolder(), "issuer.json"));
    expect(await issuer.verify(await other.issue(owner, 60))).toBeNull();
    const { x } = JSON.parse(readFileSync(path, "utf8"));
    const token = await new SignJWT({ ...claims, iss: "trunkline-local", exp: inAnHour })
      .setProtectedHeader({ alg: "HS256" })
      .sign(base64url.decode(x));
    expect(await issuer.verify(token)).toBeNull();
  });
});
