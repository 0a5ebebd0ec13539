import { createHash } from "node:crypto";
import { createBoundedCache } from "../../ingest/bounded-cache.ts";
import type { Clock } from "../../ingest/clock.ts";
import { parseJson } from "../../ingest/parse.ts";
import type { OrgConfig } from "../config/org-config.ts";
import type { Resource } from "../config/registry.ts";
import type { OutboundAnswer } from "../outbound/answer-reader.ts";
import { withQuery } from "../outbound/escape.ts";
import { createHttpClient, type OutboundRequest } from "../outbound/http-client.ts";
import { createDeadlines } from "../outbound/shared-deadlines.ts";

/**
 * Result of scrubbing. `not_asked`: the caller is anonymous, or of a country that the lists do not know.
 * `allowed_on_failure`: the list gave no verdict, and the campaign takes such calls.
 */
export type TcpaResult = "off" | "not_asked" | "clear" | "allowed_on_failure" | "tcpa_blocked" | "tcpa_unavailable";

export interface TcpaQuestion {
  readonly config: Pick<OrgConfig, "isBlocked">;
  readonly campaign: Pick<Resource<"campaign">, "tcpa_scrubbing" | "tcpa_scrubbing_config">;
  /** In E.164; null, or what is none, of an anonymous caller. */
  readonly caller: string | null;
}

export interface TcpaOptions {
  readonly allowPrivateDestinations: boolean;
  readonly clock: Clock;
  /** Verdicts that are cached at the most. */
  readonly cacheLimit?: number;
}

/** Time limit of a look-up: the caller waits for it. */
const timeoutMs = 2000;
const keepMs = 6 * 60 * 60 * 1000;
/** About 10 MB. */
const usualCacheLimit = 50_000;
/** Connections to one list; with two seconds each, more than any list answers. */
const connections = 64;
/** Look-ups under way; beyond them a call has no verdict. */
const maxLookups = 2000;
const keepAliveMs = 30_000;

/** Looks callers up in TCPA lists before any buyer is asked. */
export function createTcpa({ allowPrivateDestinations, clock, cacheLimit: limit = usualCacheLimit }: TcpaOptions) {
  const client = createHttpClient({ allowPrivateDestinations, connections, keepAliveMs, unpack: true });
  const deadlines = createDeadlines(clock);
  const verdicts = createBoundedCache<{ readonly verdict: Verdict; readonly until: number }>(limit);
  const pending = new Map<string, Promise<Verdict | null>>();

  async function lookUp({ request, key }: Lookup): Promise<Verdict | null> {
    try {
      const answer = deadlines.within(clock.now() + timeoutMs, (signal) => client.exchange(request, signal));
      const verdict = readVerdict(await answer);
      if (verdict !== null) verdicts.set(key, { verdict, until: clock.now() + keepMs });
      return verdict;
    } catch {
      // The error names the address, which has the API key in it, so it is not logged; no verdict is a result of its own.
      return null;
    } finally {
      pending.delete(key);
    }
  }

  function cached(key: string): Verdict | undefined {
    const found = verdicts.peek(key);
    return found !== undefined && clock.now() < found.until ? found.verdict : undefined;
  }

  /** The verdict of a look-up under way or begun now; null when there is none. */
  function find(lookup: Lookup | null): Promise<Verdict | null> | null {
    if (lookup === null) return null;
    const known = pending.get(lookup.key);
    if (known !== undefined || pending.size >= maxLookups) return known ?? null;
    const verdict = lookUp(lookup);
    pending.set(lookup.key, verdict);
    return verdict;
  }

  /** `onlyCached` asks no list: what is not known of a caller is `not_asked`. */
  async function check({ config, campaign, caller }: TcpaQuestion, onlyCached = false): Promise<TcpaResult> {
    const scrubbing = toName(campaign.tcpa_scrubbing);
    if (scrubbing === "" || scrubbing === "disabled") return "off";
    const phone = /^\+1(\d{10})$/.exec(caller ?? "")?.[1];
    // The organization's own list has numbers of any country, and was checked before.
    if (scrubbing === "default") return caller !== null && config.isBlocked(caller) ? "tcpa_blocked" : "clear";
    if (phone === undefined) return "not_asked";
    const { tcpa_scrubbing_config: own } = campaign;
    // An unknown list cannot be asked, which is a failure like any other: it is not the same as off.
    const lookup = scrubbing === "blacklist_alliance" ? toLookup(own, phone) : null;
    const known = lookup === null ? undefined : cached(lookup.key);
    if (onlyCached && lookup !== null && known === undefined) return "not_asked";
    const verdict = known ?? (await find(lookup));
    if (verdict !== null) return verdict === "listed" ? "tcpa_blocked" : "clear";
    return own?.allow_calls_on_failure === false ? "tcpa_unavailable" : "allowed_on_failure";
  }

  return {
    check: (question: TcpaQuestion) => check(question),
    checkCached: (question: TcpaQuestion) => check(question, true),
    close: client.close,
  };
}

/** Any case, and spaces and hyphens for underscores, as elsewhere in the config. */
const toName = (text: string | undefined): string =>
  (text ?? "")
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");

/** The reason that the call is refused for, if it is (`CallerFindings.tcpa`). */
export const tcpaRefusal = (result: TcpaResult): "tcpa_blocked" | "tcpa_unavailable" | undefined =>
  result === "tcpa_blocked" || result === "tcpa_unavailable" ? result : undefined;

type Scrubbing = NonNullable<Resource<"campaign">["tcpa_scrubbing_config"]>;

/** One look-up of a number in a list of litigators and numbers that may not be called. */
interface Lookup {
  readonly request: OutboundRequest;
  /** Cache key, with a hash in place of the credentials. */
  readonly key: string;
}

const usualUrl = "https://api.blacklistalliance.net/lookup";
const newestVersion = "v3";

/** The request of Blacklist Alliance's API for ten digits; null without an API key. */
function toLookup(config: Scrubbing | undefined, phone: string): Lookup | null {
  const { api_key, api_url, api_version = newestVersion } = config ?? {};
  if (!api_key) return null;
  const asked = withQuery(api_url || usualUrl, [
    ["key", api_key],
    ["ver", api_version],
    ["resp", "json"],
  ]);
  return {
    request: { method: "GET", url: withQuery(asked, [["phone", phone]]), headers: {}, body: null },
    // Another address or API key may give another verdict.
    key: `${createHash("sha256").update(asked).digest("base64url")}:${phone}`,
  };
}

type Verdict = "listed" | "clear";

/** Reads the verdict of an answer; null where it has none. */
function readVerdict({ status, body }: Pick<OutboundAnswer, "status" | "body">): Verdict | null {
  if (status < 200 || status >= 300) return null;
  const json = parseJson(body);
  if (!json.ok || typeof json.value !== "object" || json.value === null || Array.isArray(json.value)) return null;
  const said = (name: string): string | null => toText((json.value as Record<string, unknown>)[name]);
  // An error has a message and a code as well: a wrong key must not look like a list with everybody on it.
  if (said("status") === "error") return null;
  const [results, message, code] = [said("results"), said("message"), said("code")];
  if (results === null && message === null && code === null) return null;
  const isListed = Number(results ?? 0) > 0 || message === "blacklisted" || !["none", ""].includes(code ?? "");
  return isListed ? "listed" : "clear";
}

const toText = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value).trim().toLowerCase() : null;
