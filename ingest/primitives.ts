import { z } from "zod";

/** UTC, millisecond precision, `YYYY-MM-DDTHH:mm:ss.sssZ`; any ISO 8601 is read, without an offset as UTC (semantics 6.6). */
export const timestamp = z
  .union([z.iso.datetime({ offset: true }), z.iso.datetime({ local: true }).transform((text) => `${text}Z`)])
  .transform((text) => new Date(text).toISOString());

/** Dollars, at most four decimals are kept (see `money.ts`). */
export const dollars = z.number().finite().min(0).max(1_000_000_000);

export const orgId = z.string().min(1).max(64).brand<"OrgId">();
export type OrgId = z.infer<typeof orgId>;
export const callId = z.string().min(1).max(64).brand<"CallId">();
export type CallId = z.infer<typeof callId>;
export const eventId = z.string().min(1).max(128).brand<"EventId">();
export type EventId = z.infer<typeof eventId>;

export const shortText = z.string().max(255);

/** At most 100 tags; keys as customers name them, values always text. */
export const tags = z
  .record(z.string().min(1).max(64), z.string().max(1024))
  .refine((all) => Object.keys(all).length <= 100, "at most 100 tags");

/** Ends a switch over a union: the compiler proves that it is never reached. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
