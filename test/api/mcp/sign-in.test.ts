import {
  auth,
  discoverAuthorizationServerMetadata,
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  UnauthorizedError,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import Provider from "oidc-provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { openLater } from "../../later-server.ts";
import { orgOne } from "../../make.ts";
import { openPlatform } from "../../platform.ts";

const clientId = "an-agent";
const redirectUrl = "http://127.0.0.1:33418/callback";

/** A platform behind a proxy of a public address, whose users sign in at a real OpenID Connect provider. */
async function openSignIn() {
  const [atProvider, atProxy] = [await openLater(), await openLater()];
  const { url: issuer } = atProvider;
  const { url: publicUrl } = atProxy;
  const { url } = await openPlatform({
    settings: {
      JWT_JWKS_URL: `${issuer}/jwks`,
      JWT_ISSUER: issuer,
      JWT_AUDIENCE: "https://reports.example/api",
      OIDC_SCOPE: "openid reports",
      PUBLIC_URL: publicUrl,
    },
  });
  atProxy.begin(async (request, response) => {
    const body = request.method === "POST" ? await new Response(request as never).text() : null;
    const headers = Object.entries(request.headers).filter(
      ([name]) => !/^(host|connection|content-length)$/.test(name),
    );
    const answer = await fetch(url + request.url, {
      method: request.method ?? "GET",
      headers: headers as [string, string][],
      body,
    });
    const answered = [...answer.headers].filter(
      ([name]) => !/^(content-encoding|content-length|transfer-encoding|connection|keep-alive)$/.test(name),
    );
    response.writeHead(answer.status, Object.fromEntries(answered)).end(await answer.text());
  });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        token_endpoint_auth_method: "none",
        redirect_uris: [redirectUrl],
        response_types: ["code"],
        grant_types: ["authorization_code"],
        application_type: "native",
      },
    ],
    scopes: ["openid", "reports"],
    pkce: { required: () => true },
    extraTokenClaims: () => ({ org_id: orgOne }),
    findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
    features: {
      devInteractions: { enabled: true },
      resourceIndicators: {
        enabled: true,
        // The audience of the token is the address that the client named.
        getResourceServerInfo: (_context, resource) => ({
          scope: "reports",
          audience: resource,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
  });
  atProvider.begin(provider.callback());
  return { issuer, publicUrl };
}

/** A client that keeps what it is given while its user signs in. */
function createClientProvider() {
  const kept: { tokens?: OAuthTokens; verifier?: string; led?: URL } = {};
  const provider: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: { redirect_uris: [redirectUrl], client_name: "An agent", token_endpoint_auth_method: "none" },
    clientInformation: () => ({ client_id: clientId }),
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens;
    },
    redirectToAuthorization(url) {
      kept.led = url;
    },
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier ?? "",
  };
  return { provider, kept };
}

/** Signs in on the provider's own pages, as a browser does, and returns the code that it is sent back with. */
async function visit(from: URL): Promise<string> {
  const cookies = new Map<string, string>();
  let next: { url: URL; form?: Record<string, string> } = { url: from };
  for (let step = 0; step < 20; step += 1) {
    const { url, form } = next;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const sent = form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) };
    const answer = await fetch(url, { ...sent, redirect: "manual", headers: { cookie } });
    for (const each of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get("Location");
    if (location !== null) {
      const to = new URL(location, url);
      const code = to.searchParams.get("code");
      if (to.href.startsWith(redirectUrl) && code !== null) return code;
      next = { url: to };
      continue;
    }
    const page = await answer.text();
    const [, action = url.href] = /<form[^>]*action="([^"]+)"/.exec(page) ?? [];
    const [, prompt = "login"] = /name="prompt" value="([^"]+)"/.exec(page) ?? [];
    next = { url: new URL(action, url), form: { prompt, login: "ana@example.com", password: "anything" } };
  }
  throw new Error("the provider led to no code");
}

describe("signing in for the tools at an identity provider", () => {
  it("is found by the metadata of the platform, and of its endpoint as clients derive it", async () => {
    const { issuer, publicUrl } = await openSignIn();
    const common = {
      resource_name: "Trunkline",
      authorization_servers: [issuer],
      scopes_supported: ["openid", "reports"],
      bearer_methods_supported: ["header"],
    };
    expect(await discoverOAuthProtectedResourceMetadata(`${publicUrl}/mcp`)).toEqual({
      resource: `${publicUrl}/mcp`,
      ...common,
    });
    const whole = await fetch(`${publicUrl}/.well-known/oauth-protected-resource`);
    expect(await whole.json()).toEqual({ resource: publicUrl, ...common });
    expect(whole.headers.get("Access-Control-Allow-Origin")).toBe("*");
  });

  it("is where a 401 leads", async () => {
    const { issuer, publicUrl } = await openSignIn();
    const refused = await fetch(`${publicUrl}/mcp`, { method: "POST" });
    expect(refused.status).toBe(401);
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(refused);
    expect(scope).toBe("openid reports");
    const options = { resourceMetadataUrl: resourceMetadataUrl ?? "" };
    const { authorization_servers: [server = ""] = [] } = await discoverOAuthProtectedResourceMetadata(
      publicUrl,
      options,
    );
    expect(await discoverAuthorizationServerMetadata(server)).toMatchObject({ issuer });
  });

  it("gives a client a token for the address that it calls, which the tools take", async () => {
    const { publicUrl } = await openSignIn();
    const { provider, kept } = createClientProvider();
    const endpoint = new URL(`${publicUrl}/mcp`);
    const first = new StreamableHTTPClientTransport(endpoint, { authProvider: provider });
    await expect(new Client({ name: "agent", version: "1" }).connect(first as Transport)).rejects.toThrow(
      UnauthorizedError,
    );
    const { led } = kept;
    expect([led?.searchParams.get("resource"), led?.searchParams.get("scope")]).toEqual([
      endpoint.href,
      "openid reports",
    ]);
    await first.finishAuth(await visit(led ?? endpoint));

    const client = new Client({ name: "agent", version: "1" });
    await client.connect(new StreamableHTTPClientTransport(endpoint, { authProvider: provider }) as Transport);
    onTestFinished(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("ask");
    const { structuredContent } = await client.callTool({ name: "ask", arguments: { query: "calls today" } });
    expect(structuredContent).toMatchObject({ data: { rows: [{ calls: 0 }] } });
  });

  it("takes no token that was made for another address", async () => {
    const { publicUrl } = await openSignIn();
    const { provider, kept } = createClientProvider();
    const elsewhere = new URL("https://elsewhere.example/mcp");
    provider.validateResourceURL = () => Promise.resolve(elsewhere);
    await auth(provider, { serverUrl: `${publicUrl}/mcp`, scope: "reports" });
    const authorizationCode = await visit(kept.led ?? elsewhere);
    await auth(provider, { serverUrl: `${publicUrl}/mcp`, authorizationCode });
    const headers = { Authorization: `Bearer ${kept.tokens?.access_token}` };
    const { status, headers: answered } = await fetch(`${publicUrl}/mcp`, { method: "POST", headers });
    expect(status).toBe(401);
    expect(answered.get("WWW-Authenticate")).toMatch(/^Bearer realm="Trunkline", error="invalid_token", /);
  });
});
