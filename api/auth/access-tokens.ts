import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { createJwksVerifier, openLocalIssuer, type VerifyToken } from "./tokens.ts";

export type LocalIssuer = Awaited<ReturnType<typeof openLocalIssuer>>;

const isLoopbackHost = (host: string): boolean => /^(127\.|localhost$|::1$)/.test(host);

/** Tokens of our own only where nobody else can reach us and no identity provider is set; null elsewhere. */
export async function openIssuer({ JWT_JWKS_URL, HOST, DATA_DIR }: Settings): Promise<LocalIssuer | null> {
  if (JWT_JWKS_URL !== undefined || !isLoopbackHost(HOST)) return null;
  return openLocalIssuer(join(DATA_DIR, "keys", "issuer.json"));
}

/** For whoever starts the platform: why nobody can sign in to the assistant, and what to do; null where they can. */
export function signInWarning({ JWT_JWKS_URL, HOST }: Settings): string | null {
  if (JWT_JWKS_URL !== undefined || isLoopbackHost(HOST)) return null;
  return `Nobody can sign in to the assistant: HOST is ${HOST}, which is no loopback address, and there is no identity provider. Set JWT_JWKS_URL, JWT_ISSUER and JWT_AUDIENCE.`;
}

/** Accepts the tokens of the issuer that the settings name; without any, none. */
export function tokenVerifier(settings: Settings, localIssuer: LocalIssuer | null): VerifyToken {
  if (localIssuer !== null) return localIssuer.verify;
  const { JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE, JWT_ORG_CLAIM } = settings;
  if (JWT_JWKS_URL === undefined) return async () => null;
  return createJwksVerifier(JWT_JWKS_URL, { issuer: JWT_ISSUER, audience: JWT_AUDIENCE, orgClaim: JWT_ORG_CLAIM });
}
