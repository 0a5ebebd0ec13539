import ipaddr from "ipaddr.js";
import { createBoundedCache } from "../../ingest/bounded-cache.ts";
import type { Clock } from "../../ingest/clock.ts";
import { type ApiError, SignInError } from "../serve/errors.ts";
import { rateLimited } from "../serve/limiters.ts";

/** Kinds of credentials. */
export type SignInScheme = "api_key" | "token" | "basic" | "signature" | "svc_auth_key" | "metrics_token";

export interface FailedSignInsDeps {
  /** Failures allowed from one address; further ones are answered 429, except those of keys. */
  readonly perMinute: number;
  readonly clock: Pick<Clock, "now">;
  onFailed(scheme: SignInScheme): void;
}

interface Window {
  failures: number;
  readonly endsAt: number;
}

const windowMs = 60_000;
/** Addresses whose failures are counted; the least recently used one is dropped. */
const maxAddresses = 20_000;

/** Wrong keys are answered 401 however often they come, never 429: 256 random bits are not guessed. */
const alwaysUnauthorized: ReadonlySet<SignInScheme> = new Set(["api_key", "svc_auth_key"]);
/** Chosen by people, so they can be guessed. */
const guessable: ReadonlySet<SignInScheme> = new Set(["basic", "metrics_token"]);

interface Attempt {
  /** Null if unknown. */
  readonly address: string | null;
  readonly scheme: SignInScheme;
}
type KnownAttempt = Attempt & { readonly address: string };

/** Guessable schemes are counted apart: wrong tokens do not lock out password users of the same address. */
const windowOf = ({ address, scheme }: KnownAttempt): string =>
  guessable.has(scheme) ? `${scheme} ${networkOf(address)}` : networkOf(address);

/**
 * Creates the rate limiter of failed sign-ins, by address. Beyond the limit, wrong tokens, signatures and passwords are
 * answered 429 instead of 401 or 403. Valid tokens and signatures still pass: they cannot be guessed, and a misconfigured
 * client does not lock out others of its address. Passwords and operators' tokens can be guessed: beyond the limit they are
 * not checked at all. Keys have no limit.
 */
export function createFailedSignIns({ perMinute, clock, onFailed }: FailedSignInsDeps) {
  const windows = createBoundedCache<Window>(maxAddresses);

  function refusal(attempt: KnownAttempt): ApiError | null {
    const { address } = attempt;
    const window = windows.get(windowOf(attempt));
    if (window === undefined || window.failures <= perMinute || window.endsAt <= clock.now()) return null;
    const seconds = Math.max(1, Math.ceil((window.endsAt - clock.now()) / 1000));
    return rateLimited(`Too many failed sign-ins from ${address}: try again in ${seconds} s.`, seconds);
  }

  function count(attempt: KnownAttempt): void {
    const key = windowOf(attempt);
    const now = clock.now();
    const known = windows.get(key);
    const window = known !== undefined && known.endsAt > now ? known : { failures: 0, endsAt: now + windowMs };
    window.failures += 1;
    windows.set(key, window);
  }

  return {
    /** Runs a sign-in and counts wrong credentials as a failure; missing ones are not counted. */
    async attempt<T>({ address, scheme }: Attempt, signIn: () => T | Promise<T>): Promise<T> {
      const attempt = address === null ? null : { address, scheme };
      const before = attempt !== null && guessable.has(scheme) ? refusal(attempt) : null;
      if (before !== null) throw before;
      try {
        return await signIn();
      } catch (error) {
        if (!(error instanceof SignInError)) throw error;
        onFailed(scheme);
        if (attempt === null || alwaysUnauthorized.has(scheme)) throw error;
        count(attempt);
        throw refusal(attempt) ?? error;
      }
    },
  };
}
export type FailedSignIns = ReturnType<typeof createFailedSignIns>;

/** Returns the address, of IPv6 its /64 network: a client has 64 bits of addresses. */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.split("%")[0]}/64`).toString();
}
