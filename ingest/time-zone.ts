/**
 * A wall-clock time, as the milliseconds that the same digits would be in UTC. Calendar arithmetic is done on these and
 * converted to instants at the end, so that a day is a day when the clocks change in it. The analysts' page imports this
 * file, too: it imports nothing.
 */
export type Local = number;

/** Date and time of day on the wall clock, to the minute. */
export interface LocalTime {
  readonly year: number;
  /** 1 for January. */
  readonly month: number;
  readonly day: number;
  /** 0 for Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

/** The zone of owners that set none. */
export const defaultTimezone = "America/New_York";
export const dayMs = 86_400_000;

/** A zone's formatter, which takes some hundred times as long to make as to use, and the offsets it has been used for. */
interface Zone {
  readonly format: Intl.DateTimeFormat;
  readonly offsets: Map<number, number>;
}

const zones = new Map<string, Zone>();
/** Twice as many as there are zones: names are accepted in any case, so there are more of them. */
const maxZones = 1000;
/** Offsets kept for a zone: ten days of quarter hours. */
const maxOffsets = 1000;

/** Throws a `RangeError` for an unknown name. */
function zoneOf(name: string): Zone {
  const known = zones.get(name);
  if (known !== undefined) return known;
  const parts = {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  } as const;
  const format = new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", { timeZone: name, hourCycle: "h23", ...parts });
  if (zones.size >= maxZones) zones.clear();
  const zone = { format, offsets: new Map<number, number>() };
  zones.set(name, zone);
  return zone;
}

export function isTimeZone(name: string): boolean {
  // Newer runtimes also take offsets such as +02:00, which have no rules for summer time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zoneOf(name);
    return true;
  } catch {
    return false;
  }
}

const quarterHourMs = 900_000;
/** Since 1972 the offsets of all zones are multiples of a quarter of an hour, and change at one. */
const quartersSince = Date.UTC(1973, 0);

/** Returns how far a zone's clocks are ahead of UTC, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const { format, offsets } = zoneOf(zone);
  const step = instant < quartersSince ? 1000 : quarterHourMs;
  const at = Math.floor(instant / step) * step;
  const known = offsets.get(at);
  if (known !== undefined) return known;
  if (offsets.size >= maxOffsets) offsets.clear();
  const offset = readClock(format, at) - at;
  offsets.set(at, offset);
  return offset;
}

function readClock(format: Intl.DateTimeFormat, instant: number): Local {
  const parts = new Map(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const [month, day] = [of("month"), of("day")];
  // The format's own year counts those before Christ upwards, without their era.
  const there = new Date(instant);
  const turned = month === 12 && there.getUTCMonth() === 0 ? -1 : month === 1 && there.getUTCMonth() === 11 ? 1 : 0;
  const year = there.getUTCFullYear() + turned;
  return toUtc({ year, month, day }, [of("hour"), of("minute"), of("second")]);
}

/** As `Date.UTC`, which takes the years up to 99 for those from 1900 on. */
function toUtc(
  { year, month, day }: Pick<LocalTime, "year" | "month" | "day">,
  clock: [number, number, number],
): Local {
  const [hour, minute, second] = clock;
  return new Date(Date.UTC(2000, 0, 1, hour, minute, second)).setUTCFullYear(year, month - 1, day);
}

export const toLocal = (instant: number, zone: string): Local => instant + offsetAt(instant, zone);

/**
 * The instant of a wall-clock time: the earlier one of an hour that clocks repeat. A time that they skip is read by the
 * offset before the change, so that midnight in a gap becomes the first instant after it.
 */
export function toInstant(local: Local, zone: string): number {
  // No zone is further than a day from UTC, so the offsets of both ends cover any change near this time.
  const offsets = [local - dayMs, local + dayMs].map((near) => offsetAt(near, zone));
  const exact = offsets.map((offset) => local - offset).filter((instant) => toLocal(instant, zone) === local);
  return exact.length > 0 ? Math.min(...exact) : local - (offsets[0] ?? 0);
}

export function localTime(zone: string, instant: number): LocalTime {
  const local = new Date(toLocal(instant, zone));
  return {
    year: local.getUTCFullYear(),
    month: local.getUTCMonth() + 1,
    day: local.getUTCDate(),
    weekday: local.getUTCDay(),
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
  };
}

/** The instant at which a date begins; days beyond the month's continue into the next, as in `Date.UTC`. */
export const startOfDate = (zone: string, date: Pick<LocalTime, "year" | "month" | "day">): number =>
  toInstant(toUtc(date, [0, 0, 0]), zone);
