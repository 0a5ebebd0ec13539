import { z } from "zod";
import type { ClickhouseOptions } from "../../sql/clickhouse.ts";

/** Settings of the warehouse on ClickHouse. */
export const clickhouseFields = {
  CLICKHOUSE_URL: z
    .url({ protocol: /^https?$/ })
    .regex(/^[^?#]*$/, "must end with its path: no query and no fragment")
    .optional()
    .describe(
      "ClickHouse that keeps the warehouse for several processes, by HTTP or HTTPS: user and password may stand in it, its path names the database. Without it, the warehouse is kept under DATA_DIR.",
    ),
  CLICKHOUSE_USERNAME: z
    .string()
    .optional()
    .describe("ClickHouse: user that signs in, if not the one in CLICKHOUSE_URL."),
  CLICKHOUSE_PASSWORD: z
    .string()
    .optional()
    .describe("ClickHouse: that user's password, if not the one in CLICKHOUSE_URL."),
  CLICKHOUSE_DATABASE: z
    .string()
    .regex(/^[A-Za-z_]\w{0,62}$/, "must be letters, digits and underscores, and begin with no digit")
    .optional()
    .describe(
      "ClickHouse: database that is made where it is missing, if CLICKHOUSE_URL names none; trunkline without both.",
    ),
  CLICKHOUSE_GUARD_USERNAME: z
    .string()
    .optional()
    .describe(
      "ClickHouse: user that runs the SQL of analysts and models, which the server itself then keeps to one organization; needs CLICKHOUSE_GUARD_PASSWORD. Without it, the platform's own user does.",
    ),
  CLICKHOUSE_GUARD_PASSWORD: z
    .string()
    .optional()
    .describe("ClickHouse: that user's password; needs CLICKHOUSE_GUARD_USERNAME."),
};

const fields = z.object(clickhouseFields);

/** Returns the options of the ClickHouse warehouse; null if the settings name none. */
export function clickhouseOptions(settings: z.infer<typeof fields>): ClickhouseOptions | null {
  const { CLICKHOUSE_URL, CLICKHOUSE_USERNAME, CLICKHOUSE_PASSWORD, CLICKHOUSE_DATABASE } = settings;
  if (CLICKHOUSE_URL === undefined) return null;
  const url = new URL(CLICKHOUSE_URL);
  const named = decodeURIComponent(url.pathname.replace(/^\/|\/$/g, ""));
  return {
    url: url.origin,
    username: CLICKHOUSE_USERNAME ?? (decodeURIComponent(url.username) || "default"),
    password: CLICKHOUSE_PASSWORD ?? decodeURIComponent(url.password),
    database: CLICKHOUSE_DATABASE ?? (named || "trunkline"),
  };
}

/** Returns the ClickHouse user that runs SQL of analysts and models; undefined if the settings name none. */
export function clickhouseGuardUser(settings: z.infer<typeof fields>) {
  const { CLICKHOUSE_GUARD_USERNAME: username, CLICKHOUSE_GUARD_PASSWORD: password } = settings;
  return username === undefined || password === undefined ? undefined : { username, password };
}
