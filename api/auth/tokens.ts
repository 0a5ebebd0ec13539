import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { createRemoteJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import { readJson } from "../../ingest/parse.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import { DataFileError } from "../data-dir/data-file-error.ts";
import { ApiError } from "../serve/errors.ts";

/** Roles of a user in their organization, the one that may do least first. */
export const userRoles = ["viewer", "analyst", "admin"] as const;
export type UserRole = (typeof userRoles)[number];
/** Of a token that names no role, or none of these. */
const defaultRole: UserRole = "analyst";

export interface TokenOwner {
  readonly userId: string;
  readonly orgId: OrgId;
  readonly role: UserRole;
}

/** Tells whose an access token is; null when it is not valid. Throws `sign_in_unavailable` while that cannot be told. */
export type VerifyToken = (token: string) => Promise<TokenOwner | null>;

const localAlgorithm = "EdDSA";
const localIssuer = "trunkline-local";
/** Asymmetric ones only: with a symmetric one a public key could pass for a secret. */
const acceptedAlgorithms = ["RS256", "PS256", "ES256", "EdDSA"];

interface Expected {
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
  /** The claim that names the organization. */
  readonly orgClaim: string;
  /** The claim that names the user's role, or several of which the highest counts. */
  readonly roleClaim: string;
}

/** Tokens of an identity provider, checked against its published keys. */
export function createJwksVerifier(jwksUrl: string, expected: Expected): VerifyToken {
  const keys = createRemoteJWKSet(new URL(jwksUrl));
  return createVerifier(
    (token) => jwtVerify(token, keys, { ...checks(expected), algorithms: acceptedAlgorithms }),
    expected,
  );
}

/** An issuer of our own with a key in a file that only we may read, for processes that share it: where no identity provider is. */
export async function openLocalIssuer(keyPath: string) {
  if (!existsSync(keyPath)) await createKeyFile(keyPath);
  const jwk = await readKeyFile(keyPath);
  const privateKey = await importJWK(jwk, localAlgorithm);
  const { d: _secret, ...publicJwk } = jwk;
  const publicKey = await importJWK(publicJwk, localAlgorithm);
  const expected = { issuer: localIssuer, audience: "trunkline", orgClaim: "org_id", roleClaim: "role" };
  return {
    /** A token for a user of an organization, valid for so many seconds. */
    issue: (owner: Omit<TokenOwner, "role"> & { readonly role?: UserRole }, seconds: number): Promise<string> =>
      new SignJWT({ org_id: owner.orgId, role: owner.role ?? defaultRole })
        .setProtectedHeader({ alg: localAlgorithm })
        .setSubject(owner.userId)
        .setIssuer(expected.issuer)
        .setAudience(expected.audience)
        .setIssuedAt()
        .setExpirationTime(`${seconds}s`)
        .sign(privateKey),
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
      const { sub, [orgClaim]: org, [roleClaim]: role } = payload;
      if (typeof sub !== "string" || sub === "" || typeof org !== "string" || org === "") return null;
      return { userId: sub, orgId: org as OrgId, role: toRole(role) };
    } catch (error) {
      if (isTokenFault(error)) return null;
      throw keysUnavailable(error);
    }
  };
}

/** Identity providers have roles of their own, too: those say nothing here. */
function toRole(claim: unknown): UserRole {
  const named: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return userRoles.findLast((role) => named.includes(role)) ?? defaultRole;
}

function keysUnavailable(cause: unknown): ApiError {
  const message = "The keys of the identity provider cannot be read now. Try again in a moment.";
  return new ApiError(503, "sign_in_unavailable", message, { cause, headers: { "Retry-After": "5" } });
}

/**
 * The token's own fault, as against the identity provider being out of reach or answering with something else than
 * keys. A token that names none of several keys has itself to blame, too.
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

/** What a parser says of such a file would repeat a piece of it. */
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
    "holds no key. Put its own back from a backup, or delete it to have another made: all tokens that it signed are void then.",
  );
}

/** Of several processes that begin at once, the first one's key is that of all; none reads half of it. */
async function createKeyFile(path: string): Promise<void> {
  const { privateKey } = await generateKeyPair(localAlgorithm, { crv: "Ed25519", extractable: true });
  const jwk = await exportJWK(privateKey);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const own = `${path}.${randomUUID()}`;
  // On the disk before it has its name: a key file is never empty.
  writeFileSync(own, JSON.stringify(jwk), { mode: 0o600, flush: true });
  try {
    linkSync(own, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(own);
  }
}
