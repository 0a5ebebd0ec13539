import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../ingest/clock.ts";
import { type ApiError, SignInError } from "../serve/errors.ts";
import { rateLimited } from "../serve/limiters.ts";

/** By what somebody signs in. */
export type SignInScheme = "api_key" | "token" | "basic" | "signature" | "svc_auth_key" | "metrics_token";

export interface FailedSignInsDeps {
  /** From one address; beyond them, failures are answered 429, but for those of keys. */
  readonly perMinute: number;
  readonly clock: Pick<Clock, "now">;
  onFailed(scheme: SignInScheme): void;
}

interface Window {
  failures: number;
  readonly endsAt: number;
}

const windowMs = 60_000;
/** Addresses that are remembered; the one that failed longest ago makes room for another. */
const mostAddresses = 20_000;

/** Wrong ones are answered 401 however often they come (spec: Authentication); 256 bits of chance are not guessed. */
const alwaysUnauthorized: ReadonlySet<SignInScheme> = new Set(["api_key", "svc_auth_key"]);
/** Somebody has made them up. */
const guessable: ReadonlySet<SignInScheme> = new Set(["basic", "metrics_token"]);

interface Attempt {
  /** Null where it is not known. */
  readonly address: string | null;
  readonly scheme: SignInScheme;
}
type KnownAttempt = Attempt & { readonly address: string };

/** What can be guessed has a count of its own: no wrong key shuts out whoever signs in by password from the same address. */
const windowOf = ({ address, scheme }: KnownAttempt): string =>
  guessable.has(scheme) ? `${scheme} ${networkOf(address)}` : networkOf(address);

/**
 * Failed sign-ins by address. Beyond the limit, wrong tokens, signatures and passwords are answered 429 in place of 401 or
 * 403. A token and a signature that are right pass all the same: nobody guesses them, and whoever shares an address with a
 * client that has gone wrong is not shut out. A password can be guessed: beyond the limit none is looked at, nor a token
 * of an operator's. Keys know no such limit.
 */
export function createFailedSignIns({ perMinute, clock, onFailed }: FailedSignInsDeps) {
  const windows = new LRUCache<string, Window>({ max: mostAddresses });

  function refusal(attempt: KnownAttempt): ApiError | null {
    const { address } = attempt;
    const window = windows.get(windowOf(attempt));
    if (window === undefined || window.failures <= perMinute || window.endsAt <= clock.now()) return null;
    const seconds = Math.max(1, Math.ceil((window.endsAt - clock.now()) / 1000));
    return rateLimited(`Too many failed sign-ins from ${address}: try again in ${seconds} s.`, seconds);
  }

  function note(attempt: KnownAttempt): void {
    const key = windowOf(attempt);
    const now = clock.now();
    const known = windows.get(key);
    const window = known !== undefined && known.endsAt > now ? known : { failures: 0, endsAt: now + windowMs };
    window.failures += 1;
    windows.set(key, window);
  }

  return {
    /** The outcome of an attempt to sign in, counted where the credentials were wrong; none at all were none. */
    async watch<T>({ address, scheme }: Attempt, signIn: () => T | Promise<T>): Promise<T> {
      const attempt = address === null ? null : { address, scheme };
      const before = attempt !== null && guessable.has(scheme) ? refusal(attempt) : null;
      if (before !== null) throw before;
      try {
        return await signIn();
      } catch (error) {
        if (!(error instanceof SignInError)) throw error;
        onFailed(scheme);
        if (attempt === null || alwaysUnauthorized.has(scheme)) throw error;
        note(attempt);
        throw refusal(attempt) ?? error;
      }
    },
  };
}
export type FailedSignIns = ReturnType<typeof createFailedSignIns>;

/** Whoever has an IPv6 address has 64 bits of them. */
function networkOf(address: string): string {
  if (!ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.networkAddressFromCIDR(`${address.split("%")[0]}/64`).toString();
}
