import { fileURLToPath } from "node:url";
import { Router, static as serveFolder } from "express";
import type { Settings } from "../settings/settings.ts";
import type { AddressOf } from "./caller-address.ts";
import { ApiError } from "./errors.ts";

/** How the page signs in: by itself in a demo, at an identity provider, or with a token that its user has. */
export type PageSession =
  | { readonly mode: "token" }
  | {
      readonly mode: "oidc";
      readonly issuer: string;
      readonly client_id: string;
      readonly scope: string;
      readonly audience: string;
    }
  | {
      readonly mode: "demo";
      readonly organizations: readonly { org_id: string; name: string; access_token: string }[];
    };

/** Everything from here alone; charts are drawn by an interpreter, so no code is made from text. */
const contentSecurityPolicy =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/** Beside that, the page asks its identity provider for a token. */
const policyFor = (session: PageSession): string =>
  session.mode === "oidc"
    ? `${contentSecurityPolicy}; connect-src 'self' ${new URL(session.issuer).origin}`
    : contentSecurityPolicy;

/** How the page signs in where it is no demo's. */
export function signInOf({ OIDC_CLIENT_ID, OIDC_SCOPE, JWT_ISSUER, JWT_AUDIENCE }: Settings): PageSession {
  if (OIDC_CLIENT_ID === undefined || JWT_ISSUER === undefined) return { mode: "token" };
  return {
    mode: "oidc",
    issuer: JWT_ISSUER,
    client_id: OIDC_CLIENT_ID,
    scope: OIDC_SCOPE,
    audience: JWT_AUDIENCE ?? "",
  };
}

const builtPage = fileURLToPath(new URL("../../assistant/web/dist", import.meta.url));

/** The analysts' page at `/`, and what it needs before anybody has signed in. */
export function pageRoutes(session: PageSession, addressOf: AddressOf, folder = builtPage): Router {
  const router = Router();
  const policy = policyFor(session);
  router.get("/page/session", (request, response) => {
    // A demo hands out its tokens: to this machine alone, and to no page that has made its name point here.
    if (session.mode === "demo" && !(isLoopback(addressOf(request)) && isLocalName(request.hostname))) {
      throw new ApiError(403, "forbidden", "The demo signs in only from the machine that it runs on.");
    }
    response.set("Cache-Control", "no-store").json(session);
  });
  router.use(
    serveFolder(folder, {
      setHeaders(response, path) {
        response.setHeader("Content-Security-Policy", policy);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        // Names of built files change with their content.
        response.setHeader(
          "Cache-Control",
          path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
        );
      },
    }),
  );
  return router;
}

const isLoopback = (address: string | null): boolean => address !== null && /^(127\.|::1$)/.test(address);
const isLocalName = (host: string): boolean => ["localhost", "127.0.0.1", "[::1]", "::1"].includes(host);
