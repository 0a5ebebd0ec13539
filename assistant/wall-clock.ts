/**
 * A wall-clock time, as the milliseconds that the same digits would be in UTC. Arithmetic on the calendar is done on
 * these; instants come back only at the end, so a day is a day whatever the clocks do in it. The page reads clocks by
 * this, too, so nothing is imported.
 */
export type Local = number;

export const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const parts = {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  } as const;
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, hourCycle: "h23", ...parts });
  formats.set(zone, format);
  return format;
}

export function isZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

export function toLocal(instant: number, zone: string): Local {
  const part = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (name: Intl.DateTimeFormatPartTypes) => part.get(name) ?? 0;
  const seconds = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return seconds + (((instant % 1000) + 1000) % 1000);
}

/** The earlier instant of a repeated hour; the first instant after a gap. */
export function toInstant(local: Local, zone: string): number {
  const offsets = [local - dayMs, local + dayMs].map((near) => toLocal(near, zone) - near);
  const exact = offsets.map((offset) => local - offset).filter((instant) => toLocal(instant, zone) === local);
  return exact.length > 0 ? Math.min(...exact) : local - (offsets[0] ?? 0);
}
