import { join } from "node:path";
import type { Settings } from "../settings/settings.ts";
import { createJwksVerifier, openLocalIssuer, type VerifyToken } from "./tokens.ts";

export type LocalIssuer = Awaited<ReturnType<typeof openLocalIssuer>>;

const isLoopbackHost = (host: string): boolean => /^(127\.|localhost$|::1$)/.test(host);

/** Whether tokens of our own are taken: where no identity provider is set, and nobody else can reach us or the settings say so. */
const isLocal = ({ JWT_JWKS_URL, LOCAL_ISSUER, HOST }: Settings): boolean =>
  JWT_JWKS_URL === undefined && (LOCAL_ISSUER ?? isLoopbackHost(HOST));

/** What makes tokens of our own; null where none are taken. */
export const openIssuer = async (settings: Settings): Promise<LocalIssuer | null> =>
  isLocal(settings) ? openLocalIssuer(join(settings.DATA_DIR, "keys", "issuer.json")) : null;

/** For whoever starts the platform: why nobody can sign in to the assistant, and what to do; null where they can. */
export function signInWarning(settings: Settings): string | null {
  const { JWT_JWKS_URL, LOCAL_ISSUER, HOST } = settings;
  if (JWT_JWKS_URL !== undefined || isLocal(settings)) return null;
  const why = LOCAL_ISSUER === undefined ? `HOST is ${HOST}, which is no loopback address,` : "LOCAL_ISSUER is false";
  return `Nobody can sign in to the assistant: ${why} and there is no identity provider. Set JWT_JWKS_URL, JWT_ISSUER and JWT_AUDIENCE, or LOCAL_ISSUER=true for the tokens of npm run keys.`;
}

/** Accepts the tokens of the issuer that the settings name; without any, none. */
export function tokenVerifier(settings: Settings, localIssuer: LocalIssuer | null): VerifyToken {
  if (localIssuer !== null) return localIssuer.verify;
  const { JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE, JWT_ORG_CLAIM, JWT_ROLE_CLAIM } = settings;
  if (JWT_JWKS_URL === undefined) return async () => null;
  return createJwksVerifier(JWT_JWKS_URL, {
    issuer: JWT_ISSUER,
    audience: JWT_AUDIENCE,
    orgClaim: JWT_ORG_CLAIM,
    roleClaim: JWT_ROLE_CLAIM,
  });
}
