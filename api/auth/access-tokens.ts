import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createRemoteJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { readJson } from "../../ingest/parse.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { DataFileError } from "../data-dir/data-file-error.ts";
import { ApiError } from "../serve/errors.ts";
import { type UserRole, userRoles } from "../serve/rights.ts";
import type { Settings } from "../settings/settings.ts";

/** Role of a token that names none of these. */
export const defaultRole: UserRole = "analyst";

export interface TokenOwner {
  readonly userId: string;
  readonly orgId: OrgId;
  readonly role: UserRole;
  /** The claim `jti`, by which a token can be revoked; null without one. */
  readonly tokenId: string | null;
}

/** For whom a token is issued. */
export interface TokenHolder extends Pick<TokenOwner, "userId" | "orgId"> {
  readonly role?: UserRole;
}

/** Returns the owner of an access token, null if it is invalid. Throws `sign_in_unavailable` while it cannot be verified. */
export type VerifyToken = (token: string) => Promise<TokenOwner | null>;

export type LocalIssuer = Awaited<ReturnType<typeof openLocalIssuer>>;

const isLoopbackHost = (host: string): boolean => /^(127\.|localhost$|::1$)/.test(host);

/** Returns true when local tokens are accepted: without an identity provider, on a loopback address or if settings say so. */
const isLocal = ({ JWT_JWKS_URL, LOCAL_ISSUER, HOST }: Settings): boolean =>
  JWT_JWKS_URL === undefined && (LOCAL_ISSUER ?? isLoopbackHost(HOST));

/** Opens the local issuer of these settings; null if local tokens are not accepted. */
export const openIssuer = async (settings: Settings): Promise<LocalIssuer | null> =>
  isLocal(settings) ? openLocalIssuer(join(settings.DATA_DIR, "keys", "issuer.json")) : null;

/** Returns a warning when nobody can sign in to the assistant, with what to do; null if users can. */
export function signInWarning(settings: Settings): string | null {
  const { JWT_JWKS_URL, LOCAL_ISSUER, HOST } = settings;
  if (JWT_JWKS_URL !== undefined || isLocal(settings)) return null;
  const why = LOCAL_ISSUER === undefined ? `HOST is ${HOST}, which is no loopback address,` : "LOCAL_ISSUER is false";
  return `Nobody can sign in to the assistant: ${why} and there is no identity provider. Set JWT_JWKS_URL, JWT_ISSUER and JWT_AUDIENCE, or LOCAL_ISSUER=true for the tokens of npm run keys.`;
}

/** Returns the verifier of the issuer that the settings name; without any, it accepts no token. */
export function tokenVerifier(settings: Settings, localIssuer: LocalIssuer | null): VerifyToken {
  if (localIssuer !== null) return localIssuer.verify;
  const { JWT_JWKS_URL, JWT_ISSUER, JWT_AUDIENCE, JWT_ORG_CLAIM, JWT_ROLE_CLAIM, PUBLIC_URL } = settings;
  if (JWT_JWKS_URL === undefined) return async () => null;
  return createJwksVerifier(JWT_JWKS_URL, {
    issuer: JWT_ISSUER,
    // Clients that sign in for themselves (RFC 8707) name the address that they call.
    audience: [JWT_AUDIENCE ?? [], PUBLIC_URL === undefined ? [] : [PUBLIC_URL, `${PUBLIC_URL}/mcp`]].flat(),
    orgClaim: JWT_ORG_CLAIM,
    roleClaim: JWT_ROLE_CLAIM,
  });
}

/** Returns the identity provider at which users sign in; null if tokens are issued here, or its issuer is no address. */
export function authorizationServerOf(settings: Settings) {
  const { JWT_JWKS_URL, JWT_ISSUER, OIDC_SCOPE } = settings;
  if (JWT_JWKS_URL === undefined || JWT_ISSUER === undefined || !/^https?:/.test(JWT_ISSUER)) return null;
  return { issuer: JWT_ISSUER, scopes: OIDC_SCOPE.split(/\s+/).filter(Boolean) };
}

const localAlgorithm = "EdDSA";
const localIssuerName = "trunkline-local";
/** Asymmetric algorithms only: with a symmetric one a public key could pass for a secret. */
const acceptedAlgorithms = ["RS256", "PS256", "ES256", "EdDSA"];

interface Expected {
  readonly issuer?: string | undefined;
  /** The audiences of which a token has to name one. */
  readonly audience?: string | string[] | undefined;
  /** Claim that names the organization. */
  readonly orgClaim: string;
  /** Claim that names the user's role, or several of which the highest counts. */
  readonly roleClaim: string;
}

/** Creates a verifier of an identity provider's tokens, by its published keys. */
export function createJwksVerifier(jwksUrl: string, expected: Expected): VerifyToken {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  return createVerifier(
    (token) => jwtVerify(token, keys, { ...checks(expected), algorithms: acceptedAlgorithms }),
    expected,
  );
}

/** Opens the local issuer, for installations without an identity provider; its key is in a file that processes share. */
export async function openLocalIssuer(keyPath: string) {
  if (!existsSync(keyPath)) await createKeyFile(keyPath);
  const jwk = await readKeyFile(keyPath);
  const privateKey = await importJWK(jwk, localAlgorithm);
  const { d: _secret, ...publicJwk } = jwk;
  const publicKey = await importJWK(publicJwk, localAlgorithm);
  const expected = { issuer: localIssuerName, audience: "trunkline", orgClaim: "org_id", roleClaim: "role" };
  return {
    /** Issues a token for a user of an organization, valid for so many seconds. */
    issue: (owner: TokenHolder, life: number | { readonly seconds: number; readonly id: string }): Promise<string> => {
      const { seconds, id } = typeof life === "number" ? { seconds: life, id: randomUUID() } : life;
      return new SignJWT({ org_id: owner.orgId, role: owner.role ?? defaultRole })
        .setProtectedHeader({ alg: localAlgorithm })
        .setJti(id)
        .setSubject(owner.userId)
        .setIssuer(expected.issuer)
        .setAudience(expected.audience)
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(privateKey);
    },
    verify: createVerifier(
      (token) => jwtVerify(token, publicKey, { ...checks(expected), algorithms: [localAlgorithm] }),
      expected,
    ),
  };
}

function createVerifier(
  verify: (token: string) => Promise<{ payload: Record<string, unknown> }>,
  { orgClaim, roleClaim }: Expected,
): VerifyToken {
  return async (token) => {
    try {
      const { payload } = await verify(token);
      const { sub, jti, [orgClaim]: org, [roleClaim]: role } = payload;
      if (typeof sub !== "string" || sub === "" || typeof org !== "string" || org === "") return null;
      const tokenId = typeof jti === "string" ? jti : null;
      return { userId: sub, orgId: org as OrgId, role: toRole(role), tokenId };
    } catch (error) {
      if (isTokenFault(error)) return null;
      throw keysUnavailable(error);
    }
  };
}

/** Ignores other roles, which identity providers may have. */
function toRole(claim: unknown): UserRole {
  const named: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return userRoles.findLast((role) => named.includes(role)) ?? defaultRole;
}

function keysUnavailable(cause: unknown): ApiError {
  const message = "The keys of the identity provider cannot be read now. Try again in a moment.";
  return new ApiError(503, "sign_in_unavailable", message, { cause, headers: { "Retry-After": "5" } });
}

/**
 * Returns true for errors of the token itself, also one that names none of the keys; false when the identity provider
 * cannot be reached or does not answer with keys.
 */
const isTokenFault = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  /^ERR_(JWT_|JWS_|JOSE_ALG|JOSE_NOT_SUPPORTED|JWKS_(NO|MULTIPLE)_MATCHING)/.test(String(error.code));

const checks = ({ issuer, audience }: Expected) => ({
  ...(issuer === undefined ? {} : { issuer }),
  ...(audience === undefined ? {} : { audience }),
  requiredClaims: ["exp", "sub"],
});

const keySchema = z.looseObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.base64url(),
  d: z.base64url(),
});

/** Reads the key file; a parser's own error would quote from it. */
async function readKeyFile(path: string): Promise<JWK> {
  const { data } = keySchema.safeParse(readJson(readFileSync(path, "utf8")));
  const isKey =
    data !== undefined &&
    (await importJWK(data, localAlgorithm).then(
      () => true,
      () => false,
    ));
  if (isKey) return data;
  throw new DataFileError(
    path,
    "holds no key. Restore it from a backup, or delete it to have a new one created: tokens that it signed are void then.",
  );
}

/** Creates the key file atomically: of several processes that start at once, the first one's key is that of all. */
async function createKeyFile(path: string): Promise<void> {
  const { privateKey } = await generateKeyPair(localAlgorithm, { crv: "Ed25519", extractable: true });
  const jwk = await exportJWK(privateKey);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const own = `${path}.${randomUUID()}`;
  // Flushed before it gets its name: a key file is never incomplete.
  writeFileSync(own, JSON.stringify(jwk), { mode: 0o600, flush: true });
  try {
    linkSync(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(own);
  }
}
