const date = /(?<year>\d{4})(?:-(?<month>\d{2})-(?<day>\d{2})|(?<basicMonth>\d{2})(?<basicDay>\d{2}))/.source;
const clock = /(?<hour>\d{2})(?::?(?<minute>\d{2})(?::?(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?)?/.source;
const zone = /(?<zone>z|(?<sign>[+-])(?<zoneHour>\d{2})(?::?(?<zoneMinute>\d{2}))?)?/.source;
const pattern = new RegExp(`^${date}(?:t${clock}${zone})?$`, "i");

/** More text than any time has. */
const maxLength = 64;
const minuteMs = 60_000;

/**
 * A calendar date of ISO 8601, extended or basic, alone or with a time of the day, as UTC with milliseconds: a date
 * alone is its midnight, a time without an offset is UTC, and finer fractions are cut. Null for what is none, or lies
 * in no year of four digits.
 */
export function toTimestamp(text: string): string | null {
  const parts = text.length > maxLength ? undefined : pattern.exec(text)?.groups;
  if (parts === undefined) return null;
  const numberOf = (name: string): number => Number(parts[name] ?? 0);
  const [year, month, day] = [
    numberOf("year"),
    numberOf("month") || numberOf("basicMonth"),
    numberOf("day") || numberOf("basicDay"),
  ];
  const [hour, minute, second] = [numberOf("hour"), numberOf("minute"), numberOf("second")];
  if (hour > 23 || minute > 59 || second > 59 || numberOf("zoneHour") > 23 || numberOf("zoneMinute") > 59) return null;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  if (local.getUTCMonth() !== month - 1 || local.getUTCDate() !== day) return null;
  local.setUTCHours(hour, minute, second, Number((parts["fraction"] ?? "").slice(0, 3).padEnd(3, "0")));
  const offset = (numberOf("zoneHour") * 60 + numberOf("zoneMinute")) * (parts["sign"] === "-" ? -1 : 1);
  const time = new Date(local.getTime() - offset * minuteMs);
  return time.getUTCFullYear() < 0 || time.getUTCFullYear() > 9999 ? null : time.toISOString();
}
