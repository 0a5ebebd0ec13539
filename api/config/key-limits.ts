import { z } from "zod";
import { parseStored, readOr, UnreadableError } from "../../ingest/unreadable.ts";
import type { DatabaseRow } from "../database/database.ts";
import { type AddressRange, parseRange, rangesBeyond, toRangeText } from "../serve/address-ranges.ts";
import { insufficientScope, rightsBeyond, rightsOfScopes, scopes } from "../serve/rights.ts";

/** The limits of an API key: its scopes, and the addresses that it is used from. */
export interface KeyLimits {
  /** null where nothing restricts it. */
  readonly scopes: readonly string[] | null;
  /** null for any address. */
  readonly allow_from: readonly string[] | null;
}

export const noLimits: KeyLimits = { scopes: null, allow_from: null };

const mostRanges = 50;

/** The limits of a key as requests give them. Ranges are shown as networks: 10.1.2.3/8 becomes 10.0.0.0/8. */
export const limitFields = {
  scopes: z
    .array(z.enum(scopes))
    .min(1)
    .max(scopes.length)
    .transform((given) => scopes.filter((each) => given.includes(each)))
    .nullable()
    .default(null)
    .describe(
      "What it may do: `read` or `write` in one area, such as `reports:read`, or in all of them. Writing includes reading. null: everything.",
    ),
  allow_from: z
    .array(
      z.string().transform((text, context) => {
        const range = parseRange(text.trim());
        if (range !== null) return toRangeText(range);
        const message = "must be an address or a range of them, such as 203.0.113.0/24 or 2001:db8::/32";
        context.addIssue({ code: "custom", message, params: { type: "address_range" } });
        return z.NEVER;
      }),
    )
    .min(1)
    .max(mostRanges)
    .transform((ranges) => [...new Set(ranges)])
    .nullable()
    .default(null)
    .describe("Addresses and ranges (CIDR) that it may be used from, of IPv4 or IPv6. null: any."),
};

export const limitColumns = "scopes, allow_from";
const stored = z.array(z.string()).min(1);

/** Reads the limits of a row of `api_keys`. Throws `UnreadableError`. */
export function readLimits(row: DatabaseRow): KeyLimits {
  const place = { table: "api_keys", id: String(row["id"]) };
  const read = (value: unknown) => (value === null || value === undefined ? null : parseStored(stored, value, place));
  return { scopes: read(row["scopes"]), allow_from: read(row["allow_from"]) };
}

/** The limits as they are shown: where they cannot be read, the key may do nothing and can still be revoked. */
export const readShownLimits = (row: DatabaseRow): KeyLimits =>
  readOr(
    () => readLimits(row),
    () => undefined,
    { scopes: [], allow_from: [] },
  );

export const toStored = (limit: readonly string[] | null): string | null =>
  limit === null ? null : JSON.stringify(limit);

/** Parses the ranges of a key. Throws `UnreadableError`. */
export const toRanges = (id: string, ranges: readonly string[]): readonly AddressRange[] =>
  ranges.map((text) => {
    const range = parseRange(text);
    if (range === null) throw new UnreadableError({ table: "api_keys", id }, "allow_from is no address range");
    return range;
  });

/** Throws 403 if a key with these limits would issue one that may do more, or be used from elsewhere. */
export function refuseMore(own: KeyLimits, wanted: KeyLimits): void {
  const [beyond] = rightsBeyond(rightsOfScopes(wanted.scopes), rightsOfScopes(own.scopes));
  if (beyond !== undefined)
    throw insufficientScope(`This API key lacks the scope ${beyond}, so it cannot issue a key that has it.`);
  if (own.allow_from === null) return;
  const from = beyondRanges(own.allow_from, wanted.allow_from);
  if (from === null) return;
  throw insufficientScope(
    `This API key is restricted to ${own.allow_from.join(", ")}, so it cannot issue one for ${from}.`,
  );
}

/** Returns a range that is wanted beyond a key's own ones, null without one. */
function beyondRanges(own: readonly string[], wanted: readonly string[] | null): string | null {
  if (wanted === null) return "any address";
  const toParsed = (ranges: readonly string[]) =>
    ranges.flatMap((text) => {
      const range = parseRange(text);
      return range === null ? [] : [range];
    });
  const [elsewhere] = rangesBeyond(toParsed(wanted), toParsed(own));
  return elsewhere === undefined ? null : toRangeText(elsewhere);
}
