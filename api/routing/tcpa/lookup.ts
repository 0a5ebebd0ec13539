import { createHash } from "node:crypto";
import { parseJson } from "../../../ingest/parse.ts";
import type { Resource } from "../../config/registry.ts";
import { withQuery } from "../../outbound/escape.ts";
import type { OutboundAnswer, OutboundRequest } from "../../outbound/exchange.ts";

type Scrubbing = NonNullable<Resource<"campaign">["tcpa_scrubbing_config"]>;

/** One question to a list of litigators and numbers that may not be called. */
export interface Lookup {
  readonly request: OutboundRequest;
  /** Names the question without its credentials, so that these are kept nowhere else. */
  readonly key: string;
}

const usualUrl = "https://api.blacklistalliance.net/lookup";
const newestVersion = "v3";

/** The question about ten digits, as Blacklist Alliance takes it (semantics 8.13); null without a key to ask with. */
export function toLookup(config: Scrubbing | undefined, phone: string): Lookup | null {
  const { api_key, api_url, api_version = newestVersion } = config ?? {};
  if (!api_key) return null;
  const asked = withQuery(api_url || usualUrl, [
    ["key", api_key],
    ["ver", api_version],
    ["resp", "json"],
  ]);
  return {
    request: { method: "GET", url: withQuery(asked, [["phone", phone]]), headers: {}, body: null },
    // Whoever asks elsewhere, or with another key, may be told something else.
    key: `${createHash("sha256").update(asked).digest("base64url")}:${phone}`,
  };
}

export type Verdict = "listed" | "clear";

/** What the list says of a number; null where the answer does not say it. */
export function readVerdict({ status, body }: Pick<OutboundAnswer, "status" | "body">): Verdict | null {
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
