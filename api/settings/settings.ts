import { z } from "zod";
import { describeFault } from "../../ingest/fault.ts";
import { describeIssues } from "../../ingest/parse.ts";
import { assistantDependencies, assistantFields } from "./assistant.ts";
import { clickhouseFields } from "./clickhouse.ts";
import { mailDependencies, mailFields } from "./mail.ts";
import { redpandaDependencies, redpandaFields } from "./redpanda.ts";
import { rolesFault, rolesField } from "./roles.ts";
import { tracingFields } from "./tracing.ts";
import { trustProxyField } from "./trust-proxy.ts";
import { count, flag } from "./value-types.ts";

/** Routing reads single calls of the last 32 days, for monthly caps and predictive plans; with some slack. */
const minRetentionDays = 35;

const fields = z.object({
  HOST: z.string().default("127.0.0.1").describe("Address to listen on."),
  PORT: count(0, 65_535).default(3000).describe("Port to listen on; 0 takes a free one."),
  TRUST_PROXY: trustProxyField,
  METRICS_PORT: count(0, 65_535)
    .optional()
    .describe("Port of HOST on which /metrics is served alone, and no longer on PORT; 0 takes a free one."),
  METRICS_TOKEN: z
    .string()
    .regex(/^[\w.~+/=-]{8,}$/, "must be 8 or more letters, digits and -._~+/=, as a Bearer token has them")
    .optional()
    .describe("Token that Prometheus sends for /metrics, as Authorization: Bearer. Without it, anybody reads them."),
  DATA_DIR: z
    .string()
    .min(1)
    .default("./data")
    .describe(
      "Folder of everything that the embedded mode keeps: log (LMDB), warehouse.duckdb, platform.sqlite (config and calls in progress), keys.",
    ),
  ROLES: rolesField,
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://")
    .optional()
    .describe(
      "PostgreSQL that keeps config for several processes. Without it, config is kept under DATA_DIR. LISTEN must work through it: no pooler in transaction mode.",
    ),
  ...redpandaFields,
  ANALYTICS: flag
    .default(true)
    .describe(
      "Whether there is a warehouse. Without it nothing is stored for histories, reports and questions, which answer 503; calls are routed, and caps count what the event log still has.",
    ),
  ...clickhouseFields,
  WAREHOUSE_RETENTION_DAYS: count(minRetentionDays, 36_500)
    .optional()
    .describe(
      "Warehouse: for how many days back, by UTC, rows are shown; a week later they are deleted. Without it, all of them for ever. Earlier calls of a caller are not found beyond it either, so no consider_duplicate_interval and caller_id_match_days in use should be longer: the log warns of those at the start. The same for every process.",
    ),
  LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "silent"])
    .default("info")
    .describe("Least level that is logged."),
  JWT_JWKS_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Keys of the identity provider whose access tokens are accepted; needs JWT_ISSUER and JWT_AUDIENCE. Without it, tokens come from a local issuer.",
    ),
  LOCAL_ISSUER: flag
    .optional()
    .describe(
      "Whether the access tokens that npm run keys makes are accepted, where there is no JWT_JWKS_URL. Their key is in the folder keys of DATA_DIR, which all processes that serve the API must share. Without it, on a loopback HOST only.",
    ),
  JWT_ISSUER: z.string().optional().describe("Issuer that access tokens must name; needs JWT_JWKS_URL."),
  JWT_AUDIENCE: z
    .string()
    .optional()
    .describe(
      "Audience that access tokens must name, unless it is PUBLIC_URL or the address of the tools below it; needs JWT_JWKS_URL.",
    ),
  OIDC_CLIENT_ID: z
    .string()
    .optional()
    .describe(
      "Client at JWT_ISSUER that the page signs in as, by OpenID Connect (authorization code with PKCE, no secret); needs JWT_ISSUER. Without it, the page asks for an access token.",
    ),
  OIDC_SCOPE: z
    .string()
    .default("openid")
    .describe("Scopes that the page asks JWT_ISSUER for, and clients of the tools at /mcp."),
  JWT_ORG_CLAIM: z.string().default("org_id").describe("Claim of an access token that names the organization."),
  JWT_ROLE_CLAIM: z
    .string()
    .default("role")
    .describe(
      "Claim of an access token that names its user's role, viewer, analyst or admin, as a string or a list, of which the highest counts. Without one of them the user is an analyst. Viewers read and ask; analysts also save, approve, schedule and export; admins may do everything: pause, send again, correct amounts, and change what others have saved.",
    ),
  ALLOW_PRIVATE_DESTINATIONS: flag
    .default(false)
    .describe("Whether webhooks and RTB requests may go to addresses inside the network."),
  NO_LOSS_PINGS: flag
    .default(true)
    .describe("Whether pings are never offered a route that would pay the publisher more than it earns."),
  MAX_BODY_BYTES: count(1024, 64 * 1024 * 1024)
    .default(1024 * 1024)
    .describe("Largest request body that is read."),
  API_RATE_LIMIT_PER_MIN: count(1, 10_000_000)
    .default(120)
    .describe("External API: requests a minute of one key to one route."),
  WEBHOOK_RATE_LIMIT_PER_MIN: count(1, 10_000_000)
    .default(1000)
    .describe("Inbound webhooks: requests a minute of one organization."),
  RTB_RATE_LIMIT_PER_MIN: count(1, 10_000_000)
    .default(5000)
    .describe("RTB pings: requests a minute of one organization."),
  ASSISTANT_RATE_LIMIT_PER_MIN: count(1, 10_000_000)
    .default(100)
    .describe("Reporting assistant: requests a minute of one user."),
  FAILED_SIGN_INS_PER_MIN: count(1, 10_000_000)
    .default(60)
    .describe(
      "Failed sign-ins a minute from one address, by access token, password or signature; beyond them it is answered 429. Right tokens and signatures pass all the same; of passwords none is looked at. A wrong API key or key of an incoming webhook is always answered 401. Each process counts by itself.",
    ),
  ...assistantFields,
  PUBLIC_URL: z
    .url({ protocol: /^https?$/ })
    .regex(/^[^?#]*$/, "must end with its path: no query and no fragment")
    .transform((url) => url.replace(/\/+$/, ""))
    .optional()
    .describe(
      "Address that carriers call this platform at, and that those of incoming webhooks and of links in mails begin with, such as https://calls.example.",
    ),
  TWILIO_AUTH_TOKEN: z
    .string()
    .transform((text) => text.split(",").map((token) => token.trim()))
    .pipe(z.array(z.string().min(1, "has an empty token between its commas")))
    .optional()
    .describe(
      "Auth token that Twilio, or a carrier that speaks as it does, signs its requests with; several by commas while it is rotated. Needs PUBLIC_URL. Without it, /telephony/twilio answers 404.",
    ),
  JAMBONZ_USERNAME: z
    .string()
    .regex(/^[^:]*$/, "must have no colon")
    .optional()
    .describe("User name that jambonz sends; needs JAMBONZ_PASSWORD. Without it, /telephony/jambonz answers 404."),
  JAMBONZ_PASSWORD: z.string().optional().describe("Password that jambonz sends; needs JAMBONZ_USERNAME."),
  ...mailFields,
  WEBHOOK_RETRY_SECONDS: z
    .string()
    .regex(/^\d{1,7}(,\d{1,7}){0,19}$/, "must be up to twenty whole numbers with commas between them")
    .transform((text) => text.split(",").map(Number))
    .prefault("5,30,120,600,3600,21600,86400")
    .describe("Outgoing webhooks: pauses before the second attempt and those after it; each is up to 20 % off."),
  WEBHOOK_PAUSE_AFTER_HOURS: count(0, 8760)
    .default(24)
    .describe("Outgoing webhooks: after so long of nothing but failures a webhook is paused, and probed."),
  WEBHOOK_PROBE_MINUTES: count(1, 1440)
    .default(10)
    .describe("Outgoing webhooks: how often one that was paused for its failures is probed."),
  WEBHOOK_KEEP_DAYS: count(2, 365)
    .default(30)
    .describe("Outgoing webhooks: what has waited for longer expires, such as for a webhook that stays paused."),
  ...tracingFields,
  DEMO_SEED: count(0, 2 ** 31)
    .default(7)
    .describe("Demo: what its data are drawn from; the same seed draws the same."),
  DEMO_CALLS: count(1, 5_000_000).default(30_000).describe("Demo: calls in its 90 days of history."),
  DEMO_LIVE: flag.default(true).describe("Demo: whether simulated calls go on arriving."),
});

/** Claims that the provider's tokens must have, as it also signs tokens for other services. */
const requiredClaims = [
  { name: "JWT_ISSUER", claim: "iss" },
  { name: "JWT_AUDIENCE", claim: "aud" },
] as const;

/** Settings that need another one. */
const dependencies = [
  {
    name: "TWILIO_AUTH_TOKEN",
    needs: "PUBLIC_URL",
    as: "the address that the carrier calls, which its signature covers",
  },
  ...assistantDependencies,
  { name: "JAMBONZ_USERNAME", needs: "JAMBONZ_PASSWORD", as: "the password that jambonz sends" },
  { name: "JAMBONZ_PASSWORD", needs: "JAMBONZ_USERNAME", as: "the user name that jambonz sends" },
  {
    name: "CLICKHOUSE_GUARD_USERNAME",
    needs: "CLICKHOUSE_GUARD_PASSWORD",
    as: "the password of the user that runs SQL of others",
  },
  {
    name: "CLICKHOUSE_GUARD_PASSWORD",
    needs: "CLICKHOUSE_GUARD_USERNAME",
    as: "the user that runs SQL of others",
  },
  { name: "OIDC_CLIENT_ID", needs: "JWT_ISSUER", as: "the address of the provider that signs analysts in" },
  ...redpandaDependencies,
  ...mailDependencies,
] as const;

/** Returns true if codes and tokens can be sent to the issuer without being seen by others. */
const isSafeIssuer = (issuer: string): boolean =>
  /^https:\/\/[^?#]+$|^http:\/\/(localhost|127\.0\.0\.1)(:\d+)?(\/[^?#]*)?$/.test(issuer) && URL.canParse(issuer);

/** The environment of the process. Every setting has a default or may be absent: the empty environment works. */
const settingsSchema = fields.superRefine((given, context) => {
  const fault = rolesFault(given);
  if (fault !== null) context.addIssue({ code: "custom", path: ["ROLES"], message: fault });
  const hasKeys = given.JWT_JWKS_URL !== undefined;
  for (const { name, claim } of requiredClaims) {
    if ((given[name] !== undefined) === hasKeys) continue;
    const message = hasKeys
      ? `must be set beside JWT_JWKS_URL, to what the provider's tokens for this platform have as their ${claim}`
      : "does nothing without JWT_JWKS_URL: set that to the provider's keys, or leave this out";
    context.addIssue({ code: "custom", path: [name], message });
  }
  if (given.OIDC_CLIENT_ID !== undefined && given.JWT_ISSUER !== undefined && !isSafeIssuer(given.JWT_ISSUER)) {
    const message = "must be an https address, or an http one of this machine, for the page to sign in there";
    context.addIssue({ code: "custom", path: ["JWT_ISSUER"], message });
  }
  for (const { name, needs, as } of dependencies) {
    if (given[name] === undefined || given[needs] !== undefined) continue;
    context.addIssue({ code: "custom", path: [needs], message: `must be set beside ${name}, to ${as}` });
  }
});
export type Settings = z.infer<typeof settingsSchema>;

/** Reads the settings from the environment; throws one sentence for each that is wrong. Empty values count as not given. */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = settingsSchema.safeParse(given, { error: describeFault });
  if (parsed.success) return parsed.data;
  throw new Error(`Settings: ${describeIssues(parsed.error)}. See --help.`);
}

/** Returns name, default and meaning of every setting, for `--help` and the table of the README. */
export function describeSettings(): { name: string; default: string; meaning: string }[] {
  return Object.entries(settingsSchema.shape).map(([name, schema]) => {
    const fallback = schema.safeParse(undefined);
    const value = fallback.success && fallback.data !== undefined ? String(fallback.data) : "";
    return { name, default: value, meaning: schema.description ?? "" };
  });
}
