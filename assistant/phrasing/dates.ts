import { type Local, startOf, toLocal, yearOf } from "../calendar.ts";
import type { Grain, Period, Plan } from "../plan.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const monthIn = (local: Local): string => months[new Date(local).getUTCMonth()] ?? "";
const dayIn = (local: Local): number => new Date(local).getUTCDate();
const clockIn = (local: Local): string => new Date(local).toISOString().slice(11, 16);
const isMidnight = (local: Local): boolean => startOf("day", local) === local;

/** "Nov 1". */
export const toDay = (local: Local): string => `${monthIn(local)} ${dayIn(local)}`;
/** "Nov 1, 2026". */
export const toDate = (local: Local): string => `${toDay(local)}, ${yearOf(local)}`;
/** "Nov 2026". */
export const toMonth = (local: Local): string => `${monthIn(local)} ${yearOf(local)}`;
/** "Nov 1, 2026, 14:00"; without the time at midnight. */
const toTime = (local: Local): string => (isMidnight(local) ? toDate(local) : `${toDate(local)}, ${clockIn(local)}`);

/** The dates of a period, its last day included: "Aug 24 – Nov 21, 2026"; with the time where it ends within a day. */
export function toDates({ from, to }: Pick<Period, "from" | "to">, zone: string): string {
  const end = toLocal(Date.parse(to), zone);
  if (from === null) return `before ${toTime(end)}`;
  const start = toLocal(Date.parse(from), zone);
  const last = isMidnight(end) ? end - 1 : end;
  const isOneDay = startOf("day", start) === startOf("day", last);
  if (!isMidnight(start))
    return isOneDay && !isMidnight(end)
      ? `${toDate(start)}, ${clockIn(start)} – ${clockIn(end)}`
      : `${toTime(start)} – ${toTime(isMidnight(end) ? last : end)}`;
  return `${toDays(start, last, isOneDay)}${isMidnight(end) ? "" : `, until ${clockIn(end)}`}`;
}

/** "Nov 1 – 21, 2026", "Oct 1 – Nov 21, 2026", "Dec 24, 2025 – Jan 3, 2026". */
function toDays(start: Local, last: Local, isOneDay: boolean): string {
  if (isOneDay) return toDate(last);
  if (yearOf(start) !== yearOf(last)) return `${toDate(start)} – ${toDate(last)}`;
  const isOneMonth = startOf("month", start) === startOf("month", last);
  return `${toDay(start)} – ${isOneMonth ? dayIn(last) : toDay(last)}, ${yearOf(last)}`;
}

const isoDate = /\b(\d{4}-\d{2}-\d{2})\b/g;
const datesAlone = /^\d{4}-\d{2}-\d{2}( to \d{4}-\d{2}-\d{2})?$/;
/** Labels that say when by themselves, such as "yesterday" and "since Monday". */
const isAdverb =
  /^(yesterday|today|tonight|now|this|last [a-z]+( to date)?$|last (night|evening)|since|before|until|till|after|the \w+ before yesterday|.* to date$)/;
const isUnit =
  /^(last \d|past|the (period|day|week|month|quarter|year|\d+)|(first|second) half|[A-Z]\w+ \d{4}$|[QH]\d|\d{4}$)/;

/** A period's name with its preposition: "in the last 90 days", "last month", "on Nov 20, 2026". */
export function namePeriod({ from, to, label }: Period, zone: string): string {
  const said = label.replace(isoDate, (date) => toDate(Date.parse(date)));
  if (datesAlone.test(label)) return `${label.includes(" to ") ? "" : "on "}${toDates({ from, to }, zone)}`;
  if (isAdverb.test(label)) return said;
  if (/ \d{4}-\d{2}-\d{2}$/.test(label)) return `on ${said}`;
  if (!isUnit.test(label)) return `for ${said}`;
  return /^(last \d|past|first|second)/.test(label) ? `in the ${said}` : `in ${said}`;
}

/** Names the period of a comparison: "the period before (Sep 1 – 30, 2026)". */
export function nameOther(period: Period, zone: string): string {
  const [label, dates] = [period.label.replace(isoDate, (date) => toDate(Date.parse(date))), toDates(period, zone)];
  return datesAlone.test(period.label) ? dates : `${label} (${dates})`;
}

/** Says a plan's period: "in the last 90 days (Aug 24 – Nov 21, 2026)", "over all data". */
export function describePeriod({ period, zone }: Pick<Plan, "period" | "zone">): string {
  if (period === null) return "over all data";
  const [name, dates] = [namePeriod(period, zone), toDates(period, zone)];
  return name.endsWith(dates) ? name : `${name} (${dates})`;
}

/** A bucket's label as it is said: "Nov 1", "the week of Nov 2", "October"; with its year where there are several. */
export function nameBucket(grain: Grain, label: unknown, { period, zone }: Pick<Plan, "period" | "zone">): string {
  const said = String(label);
  const start = Date.parse(said.length === 7 && !said.includes("Q") ? `${said}-01` : said.slice(0, 10));
  if (Number.isNaN(start)) return grain === "quarter" ? said.split("-").reverse().join(" ") : said;
  const isOneYear =
    period?.from != null &&
    yearOf(toLocal(Date.parse(period.from), zone)) === yearOf(toLocal(Date.parse(period.to), zone));
  const day = isOneYear ? toDay(start) : toDate(start);
  switch (grain) {
    case "hour":
      return `${day}, ${said.slice(11)}`;
    case "day":
      return day;
    case "week":
      return `the week of ${day}`;
    case "month":
      return toMonth(start);
    default:
      return said;
  }
}
