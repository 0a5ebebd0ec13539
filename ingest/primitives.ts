/// <reference lib="es2024.string" />
import { z } from "zod";
import { roundMoney } from "./money.ts";
import { toTimestamp } from "./timestamp.ts";

export { unreachable } from "./unreachable.ts";

/**
 * Any text that comes from outside. Half of a surrogate pair, which no UTF-8 and no database can hold, becomes the
 * replacement character.
 */
export const wellFormedText = z.string().overwrite((text) => text.toWellFormed());
export const shortText = wellFormedText.max(255);
/** Any JSON value, its texts and names well-formed. */
export const wellFormedJson = z.unknown().overwrite(toWellFormedJson);

/** UTC, millisecond precision, `YYYY-MM-DDTHH:mm:ss.sssZ`; any ISO 8601 is read, without an offset as UTC. */
export const timestamp = z
  .string()
  .transform((text, context) => {
    const time = toTimestamp(text);
    if (time !== null) return time;
    const message = "must be a time of ISO 8601, like 2026-01-31T12:00:00Z";
    context.addIssue({ code: "custom", message, input: text });
    return z.NEVER;
  })
  .meta({ type: "string", format: "date-time" });

/** Dollars, rounded to four decimals. */
export const dollars = z.number().min(0).max(1_000_000_000).overwrite(roundMoney);
/** A change of an amount of dollars, up or down. */
export const dollarsMore = z.number().min(-1_000_000_000).max(1_000_000_000).overwrite(roundMoney);

export const orgId = wellFormedText.min(1).max(64).brand<"OrgId">();
export type OrgId = z.infer<typeof orgId>;
export const callId = wellFormedText.min(1).max(64).brand<"CallId">();
export type CallId = z.infer<typeof callId>;
export const eventId = wellFormedText.min(1).max(128).brand<"EventId">();
export type EventId = z.infer<typeof eventId>;

/** The text, or its first `maxLength` characters with a mark that it was cut. */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text.toWellFormed();
  const kept = text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, "");
  return `${kept.toWellFormed()}[cut]`;
}

function toWellFormedJson(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(toWellFormedJson);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name.toWellFormed(), toWellFormedJson(of)]));
}

/**
 * The name that no field may have: JavaScript loses it silently when an object is copied field by field, as schemas do.
 * `constructor` and `prototype` are names like others.
 */
const reservedName = "__proto__";
export const notReserved = `must not be named ${reservedName}: choose another name`;
export const isReserved = (name: string): boolean => name.trim() === reservedName;

const record = z.record(wellFormedText.min(1).max(64), wellFormedText.max(1024));
/** At most 100 tags; keys as customers name them, values always text. */
export const tags = z
  .transform<z.input<typeof record>, z.input<typeof record>>((given, context) => {
    if (Object.hasOwn(Object(given), reservedName)) {
      context.issues.push({ code: "custom", path: [reservedName], message: notReserved, input: given });
    }
    return given;
  })
  .pipe(record.refine((all) => Object.keys(all).length <= 100, "at most 100 tags"));
