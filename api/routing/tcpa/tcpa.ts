import type { Clock } from "../../../ingest/clock.ts";
import type { OrgConfig } from "../../config/org-config.ts";
import type { Resource } from "../../config/registry.ts";
import { createExchanger } from "../../outbound/exchange.ts";
import { type Lookup, readVerdict, toLookup, type Verdict } from "./lookup.ts";
import { createVerdicts } from "./verdicts.ts";

/**
 * What scrubbing came to. `not_asked`: the caller is anonymous, or of a country that the lists do not know.
 * `allowed_on_failure`: nobody could tell, and the campaign takes such calls.
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
  /** Verdicts that are kept at the most. */
  readonly cacheLimit?: number;
}

/** The caller waits for it (semantics 8.13). */
const timeoutMs = 2000;
const keepMs = 6 * 60 * 60 * 1000;
/** About 10 MB. */
const usualCacheLimit = 50_000;
/** To one list at once; with two seconds each, more than any list answers. */
const connections = 64;
/** Questions that wait for an answer; a call beyond them is one that nobody could tell about. */
const maxAsked = 2000;
const keepAliveMs = 30_000;

/** Asks lists whether callers may be talked to under the TCPA, before any buyer is asked (semantics 8.13). */
export function createTcpa({ allowPrivateDestinations, clock, cacheLimit: limit = usualCacheLimit }: TcpaOptions) {
  const exchanger = createExchanger({ allowPrivateDestinations, connections, keepAliveMs, unpack: true });
  const verdicts = createVerdicts(clock, { keepMs, limit });
  const asked = new Map<string, Promise<Verdict | null>>();

  async function ask({ request, key }: Lookup): Promise<Verdict | null> {
    const [late, done] = [new AbortController(), new AbortController()];
    const timer = clock.sleep(timeoutMs, done.signal).then(() => late.abort());
    try {
      const verdict = readVerdict(await exchanger.exchange(request, late.signal));
      if (verdict !== null) verdicts.set(key, verdict);
      return verdict;
    } catch {
      // The address has the key in it, so the error goes nowhere; that nobody could tell is part of the result.
      return null;
    } finally {
      done.abort();
      await timer;
      asked.delete(key);
    }
  }

  /** What is known, or what whoever asks already is told, or what the list says now; null when nobody can tell. */
  function find(lookup: Lookup | null): Promise<Verdict | null> | Verdict | null {
    if (lookup === null) return null;
    const known = verdicts.get(lookup.key) ?? asked.get(lookup.key);
    if (known !== undefined || asked.size >= maxAsked) return known ?? null;
    const asking = ask(lookup);
    asked.set(lookup.key, asking);
    return asking;
  }

  async function check({ config, campaign, caller }: TcpaQuestion): Promise<TcpaResult> {
    const scrubbing = toName(campaign.tcpa_scrubbing);
    if (scrubbing === "" || scrubbing === "disabled") return "off";
    const phone = /^\+1(\d{10})$/.exec(caller ?? "")?.[1];
    // The organization's own list has numbers of any country, and refuses them before (`blocked-caller.ts`).
    if (scrubbing === "default") return caller !== null && config.isBlocked(caller) ? "tcpa_blocked" : "clear";
    if (phone === undefined) return "not_asked";
    const { tcpa_scrubbing_config: own } = campaign;
    // A list that we do not know cannot be asked, which is a failure like any other: it is not as if it were off.
    const verdict = scrubbing === "blacklist_alliance" ? await find(toLookup(own, phone)) : null;
    if (verdict !== null) return verdict === "listed" ? "tcpa_blocked" : "clear";
    return own?.allow_calls_on_failure === false ? "tcpa_unavailable" : "allowed_on_failure";
  }

  return { check, close: exchanger.close };
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
