import { ApiError, SignInError } from "../serve/errors.ts";

/** The provider at which users sign in, and the scopes that a client asks it for. */
export interface AuthorizationServer {
  readonly issuer: string;
  readonly scopes: readonly string[];
}

const wellKnown = "/.well-known/oauth-protected-resource";

export const metadataRoute = `${wellKnown}{/*resource}`;

/**
 * Returns the path of the resource that a metadata request is about: of the endpoint for tools, or "" for the platform;
 * null for others. Behind a proxy that serves the platform below a path, clients put that path behind the well-known one.
 */
export function resourceOf(requestPath: string, mcpPath: string, publicUrl: string | undefined): string | null {
  const named = requestPath.slice(wellKnown.length);
  const below = publicUrl === undefined ? "" : new URL(publicUrl).pathname.replace(/\/$/, "");
  return ["", mcpPath].find((path) => named === path || named === `${below}${path}`) ?? null;
}

interface Resource {
  /** Address of this installation for the client, without a slash at its end. */
  readonly baseUrl: string;
  /** The path below it that tokens are for; empty for the whole. */
  readonly path: string;
}

/**
 * Returns OAuth 2.0 Protected Resource Metadata (RFC 9728), by which a client finds where its user signs in. Throws 404
 * without an identity provider: the protocol wants at least one authorization server in it, and there is none.
 */
export function toResourceMetadata(server: AuthorizationServer | null, { baseUrl, path }: Resource) {
  if (server === null) throw noAuthorizationServer();
  return {
    resource: `${baseUrl}${path}`,
    resource_name: "Trunkline",
    authorization_servers: [server.issuer],
    scopes_supported: server.scopes,
    bearer_methods_supported: ["header"],
  };
}

const noAuthorizationServer = (): ApiError =>
  new ApiError(
    404,
    "no_authorization_server",
    "There is nowhere to sign in: this installation has no identity provider and takes the access tokens of `npm run keys -- token`. Send one in the Authorization header: Bearer <ACCESS_TOKEN>.",
  );

/** Adds to a 401 how its client gets a token. Other errors stay as they are. */
export function withChallenge(
  error: unknown,
  server: AuthorizationServer | null,
  { baseUrl, path }: Resource,
): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  const parameters = {
    realm: "Trunkline",
    ...(error instanceof SignInError ? { error: "invalid_token", error_description: error.message } : {}),
    ...(server === null ? {} : { scope: server.scopes.join(" "), resource_metadata: `${baseUrl}${wellKnown}${path}` }),
  };
  const listed = Object.entries(parameters).map(([name, value]) => `${name}="${value}"`);
  const headers = { ...error.headers, "WWW-Authenticate": `Bearer ${listed.join(", ")}` };
  return new ApiError(error.status, error.code, error.message, { headers, cause: error });
}
