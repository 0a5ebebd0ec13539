import { mkdirSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { brotliCompressSync, gzipSync } from "node:zlib";
import express from "express";
import { describe, expect, it } from "vitest";
import { createAddressOf } from "../../../api/serve/caller-address.ts";
import { answerErrors, answerNotFound } from "../../../api/serve/error-answers.ts";
import { type PageSession, pageRoutes, signInOf } from "../../../api/serve/page-routes.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { temporaryFolder } from "../../temporary.ts";
import { openServer } from "./server.ts";

const demo: PageSession = {
  mode: "demo",
  organizations: [{ org_id: "org_one", name: "First", access_token: "secret-token" }],
};

async function openPage(session: PageSession, { host = "127.0.0.1", trusts = false } = {}) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), "<!doctype html>");
  writeFileSync(join(folder, "assets", "page-1.js"), "1;");
  writeFileSync(join(folder, "assets", "page-2.js"), "2;");
  writeFileSync(join(folder, "assets", "page-2.js.br"), brotliCompressSync("2;"));
  writeFileSync(join(folder, "assets", "page-2.js.gz"), gzipSync("2;"));
  const app = express().use(
    pageRoutes(
      session,
      createAddressOf(() => trusts),
      folder,
    ),
    answerNotFound,
    answerErrors,
  );
  return new URL(await openServer(app, host));
}

it("leaves the address of other requests than GET and HEAD as it is", async () => {
  const url = new URL("/assets/page-2.js", await openPage(demo));
  const answer = (method: string) => fetch(url, { method, headers: { "Accept-Encoding": "br" } });
  expect((await answer("HEAD")).headers.get("content-encoding")).toBe("br");
  const refused = await answer("POST");
  expect([refused.status, await refused.text()]).toEqual([404, expect.not.stringContaining(".br")]);
});

interface Asked {
  readonly host?: string;
  readonly address?: string;
  readonly forwarded?: string;
}

/** A plain request, as `fetch` would not let its Host be chosen. */
function get(url: URL, path: string, { host, address = "127.0.0.1", forwarded }: Asked = {}) {
  const headers = { Host: host ?? url.host, ...(forwarded === undefined ? {} : { "X-Forwarded-For": forwarded }) };
  return new Promise<{ status: number | undefined; body: string; headers: NodeJS.Dict<string | string[]> }>(
    (resolve, reject) => {
      request({ host: address, port: url.port, path, agent: false, headers }, async (response) => {
        resolve({ status: response.statusCode, headers: response.headers, body: await text(response) });
      })
        .on("error", reject)
        .end();
    },
  );
}

describe("the demo's session", () => {
  it.each(["localhost", "localhost:3000", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:3000"])(
    "signs in who asks from this machine for %s",
    async (host) => {
      const { status, body, headers } = await get(await openPage(demo), "/page/session", { host });
      expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
      expect(JSON.parse(body)).toEqual(demo);
    },
  );

  it.each(["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "evil.example:3000", "192.168.0.7"])(
    "keeps its tokens from a page that has made the name %j point here",
    async (host) => {
      const { status, body } = await get(await openPage(demo), "/page/session", { host });
      expect(status).toBe(403);
      expect(body).not.toContain("secret-token");
      expect(JSON.parse(body).detail.code).toBe("forbidden");
    },
  );

  const outside = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .find(({ internal, family }) => !internal && family === "IPv4")?.address;

  it.skipIf(outside === undefined)("keeps its tokens from other machines, whatever name they ask for", async () => {
    const url = await openPage(demo, { host: "0.0.0.0" });
    const { status, body } = await get(url, "/page/session", { host: "localhost", address: String(outside) });
    expect([status, body.includes("secret-token")]).toEqual([403, false]);
  });

  it("keeps its tokens from whoever comes through a proxy on this machine that is trusted", async () => {
    const url = await openPage(demo, { trusts: true });
    const forwarded = { host: "localhost", forwarded: "198.51.100.7" };
    expect((await get(url, "/page/session", forwarded)).status).toBe(403);
    expect((await get(url, "/page/session", { ...forwarded, forwarded: "127.0.0.1" })).status).toBe(200);
  });
});

describe("the session of an installation", () => {
  it("gives nothing away to anybody", async () => {
    const { status, body } = await get(await openPage({ mode: "token" }), "/page/session", { host: "page.example" });
    expect([status, JSON.parse(body)]).toEqual([200, { mode: "token" }]);
  });
});

describe("the way to sign in", () => {
  const provider = { JWT_JWKS_URL: "https://id.example/jwks", JWT_ISSUER: "https://id.example", JWT_AUDIENCE: "api" };

  it("is a typed token, or the provider of the settings", () => {
    expect(signInOf(readSettings(provider))).toEqual({ mode: "token" });
    expect(signInOf(readSettings({ ...provider, OIDC_CLIENT_ID: "page", OIDC_SCOPE: "openid calls" }))).toEqual({
      mode: "oidc",
      issuer: "https://id.example",
      client_id: "page",
      scope: "openid calls",
      audience: "api",
    });
  });

  it.each([
    ["no issuer", {}],
    ["an issuer that codes would travel to unencrypted", { ...provider, JWT_ISSUER: "http://id.example" }],
    ["an issuer that is no address", { ...provider, JWT_ISSUER: "id.example" }],
  ])("cannot be a provider with %s", (_what, given) => {
    expect(() => readSettings({ ...given, OIDC_CLIENT_ID: "page" })).toThrow("JWT_ISSUER");
  });
});

describe("the page", () => {
  it("comes with a policy that lets nothing in from elsewhere", async () => {
    const { status, headers } = await get(await openPage(demo), "/");
    expect(status).toBe(200);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain("unsafe");
    expect(headers).toMatchObject({ "x-content-type-options": "nosniff", "cache-control": "no-cache" });
  });

  it("may ask its identity provider, and nobody else, for a token", async () => {
    const session = { mode: "oidc", issuer: "https://id.example/realm", client_id: "page", scope: "openid" } as const;
    const { headers } = await get(await openPage({ ...session, audience: "api" }), "/");
    expect(String(headers["content-security-policy"])).toMatch(/; connect-src 'self' https:\/\/id\.example$/);
  });

  it("has files that may be kept for good, as their names change with them", async () => {
    const { headers } = await get(await openPage(demo), "/assets/page-1.js");
    expect(headers["cache-control"]).toContain("immutable");
  });

  it.each(["/../package.json", "/..%2f..%2fpackage.json", "/assets/", "/.hidden", "/%00", "/no-such-file"])(
    "has nothing at %s",
    async (path) => {
      expect((await get(await openPage(demo), path)).status).toBe(404);
    },
  );

  it("at a path that is no text is asked for wrongly", async () => {
    const { status } = await get(await openPage(demo), "/%c0%af");
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
  });
});

describe("the page's files", () => {
  const fetched = async (path: string, accepted: string) => {
    const response = await fetch(new URL(path, await openPage(demo)), { headers: { "Accept-Encoding": accepted } });
    const [encoding, type, kept, vary] = ["content-encoding", "content-type", "cache-control", "vary"].map((name) =>
      response.headers.get(name),
    );
    return { status: response.status, body: await response.text(), encoding, type, kept, vary };
  };

  it.each([
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.5", "gzip"],
    ["identity", null],
  ])("are sent to who accepts %s as %s", async (accepted, encoding) => {
    const sent = await fetched("/assets/page-2.js", accepted);
    expect(sent).toMatchObject({ status: 200, body: "2;", encoding, vary: "Accept-Encoding" });
    expect(sent.type).toMatch(/^text\/javascript/);
    expect(sent.kept).toContain("immutable");
  });

  it("are sent as they are where the build has made no smaller copy, and a missing one is not found", async () => {
    expect(await fetched("/", "br")).toMatchObject({ status: 200, body: "<!doctype html>", encoding: null });
    expect(await fetched("/assets/page-3.js", "br")).toMatchObject({ status: 404, encoding: null });
  });
});
