import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type RequestHandler, Router, static as serveFolder } from "express";
import type { Settings } from "../settings/settings.ts";
import type { AddressOf } from "./caller-address.ts";
import { ApiError } from "./errors.ts";

/** The sign-in of the analysts' page: automatic in a demo, at an identity provider, or with the user's token. */
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
      /** Milliseconds by which the platform's clock is ahead of the browser's; negative if it is behind, as with fixtures. */
      readonly clock_offset_ms?: number;
      /** True where nothing can be changed, as with fixtures. */
      readonly read_only?: boolean;
    };

/** All resources come from this server; charts use Vega's interpreter, which needs no `eval`. */
const contentSecurityPolicy =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/** Also allows requests to the identity provider. */
const policyFor = (session: PageSession): string =>
  session.mode === "oidc"
    ? `${contentSecurityPolicy}; connect-src 'self' ${new URL(session.issuer).origin}`
    : contentSecurityPolicy;

/** Returns the sign-in that the settings name, outside of a demo. */
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

/** Serves the analysts' page at `/`, and its session before sign-in. */
export function pageRoutes(session: PageSession, addressOf: AddressOf, folder = builtPage): Router {
  const router = Router();
  const policy = policyFor(session);
  router.get("/page/session", (request, response) => {
    // A demo gives its tokens to this machine only, and to no page whose name resolves here (DNS rebinding).
    if (session.mode === "demo" && !(isLoopback(addressOf(request)) && isLocalName(request.hostname))) {
      throw new ApiError(403, "forbidden", "The demo signs in only from the machine that it runs on.");
    }
    response.set("Cache-Control", "no-store").json(session);
  });
  router.use(
    preferCompressed(folder),
    serveFolder(folder, {
      setHeaders(response, path) {
        const encoding = encodings.find((each) => path.endsWith(suffixes[each]));
        if (encoding !== undefined) {
          response.setHeader("Content-Encoding", encoding);
          response.type(extname(path.slice(0, -suffixes[encoding].length)));
        }
        response.setHeader("Content-Security-Policy", policy);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer");
        // The names of built files contain hashes of their content.
        response.setHeader(
          "Cache-Control",
          path.includes("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
        );
      },
    }),
  );
  return router;
}

const encodings = ["br", "gzip"] as const;
const suffixes = { br: ".br", gzip: ".gz" } as const;

/** Leads to the compressed copies that the build has made of files, for clients that accept them. */
const preferCompressed =
  (folder: string): RequestHandler =>
  (request, response, next) => {
    if (request.method !== "GET" && request.method !== "HEAD") return next();
    response.vary("Accept-Encoding");
    const path = request.path.endsWith("/") ? `${request.path}index.html` : request.path;
    const encoding = encodings.find((each) => request.acceptsEncodings(each) === each);
    // Only names as the build makes them: what leads elsewhere is left to the folder's own rules.
    const isPlain = /^(\/[\w-]+)*\/[\w-]+(\.[\w-]+)+$/.test(path);
    if (encoding !== undefined && isPlain && existsSync(join(folder, `${path}${suffixes[encoding]}`)))
      request.url = `${path}${suffixes[encoding]}`;
    next();
  };

const isLoopback = (address: string | null): boolean => address !== null && /^(127\.|::1$)/.test(address);
const isLocalName = (host: string): boolean => ["localhost", "127.0.0.1", "[::1]", "::1"].includes(host);
