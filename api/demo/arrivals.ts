import type { Rhythm } from "./company.ts";
import type { Campaign, Organization } from "./organization.ts";
import { logNormal, pickWeighted, type Random } from "./random.ts";

/** Relative load of each hour of a weekday, from midnight; only the shape counts. */
const hours: Readonly<Record<Rhythm, readonly number[]>> = {
  office: [1, 1, 0, 0, 0, 1, 4, 14, 40, 78, 98, 100, 88, 86, 94, 92, 80, 62, 40, 26, 16, 9, 4, 2],
  evening: [5, 3, 2, 1, 1, 2, 6, 14, 28, 44, 54, 60, 66, 62, 60, 64, 76, 94, 100, 92, 74, 48, 26, 12],
  always: [20, 15, 12, 11, 13, 22, 44, 72, 88, 84, 76, 70, 66, 62, 62, 66, 74, 86, 88, 78, 62, 48, 36, 26],
};

/** Traffic from Sunday to Saturday, relative to an average weekday. */
const days: Readonly<Record<Rhythm, readonly number[]>> = {
  office: [0.16, 1.15, 1.08, 1.02, 0.98, 0.9, 0.3],
  evening: [0.45, 1.05, 1.02, 1, 1, 0.95, 0.6],
  always: [0.9, 1.05, 0.98, 0.97, 0.98, 1, 1.04],
};

const hourMs = 60 * 60 * 1000;
const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** The beginning of a call. */
export interface Arrival {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly organization: Organization;
  readonly campaign: Campaign;
  /** Hour on the organization's clock. */
  readonly localHour: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** `count` arrivals of one organization between `from` and `to`, unsorted: busy hours and days draw more of them. */
export function drawArrivals(random: Random, organization: Organization, { from, to, count }: Span): Arrival[] {
  const buckets = toBuckets(random, organization, { from, to });
  let total = 0;
  const sums = buckets.map(({ weight }) => {
    total += weight;
    return total;
  });
  return Array.from({ length: count }, () => {
    const bucket = buckets[indexAbove(sums, random() * total)];
    if (bucket === undefined) throw new RangeError(`no hour lies between ${from} and ${to}`);
    const campaign = pickWeighted(random, organization.campaigns, bucket.weightOf) ?? firstOf(organization);
    const at = Math.floor(bucket.from + random() * (bucket.to - bucket.from));
    return { at, organization, campaign, localHour: bucket.localHour };
  });
}

interface Bucket {
  readonly from: number;
  readonly to: number;
  readonly localHour: number;
  readonly weight: number;
  weightOf(campaign: Campaign): number;
}

/** One bucket for each hour; zones with offsets of whole hours are assumed. */
function toBuckets(random: Random, { timezone, campaigns }: Organization, { from, to }: Omit<Span, "count">): Bucket[] {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    weekday: "short",
    hour: "2-digit",
    hourCycle: "h23",
  });
  const buckets: Bucket[] = [];
  let day = "";
  let dayFactor = 1;
  for (let hour = Math.floor(from / hourMs) * hourMs; hour < to; hour += hourMs) {
    const parts = format.formatToParts(hour);
    const weekday = parts.find(({ type }) => type === "weekday")?.value ?? "Sun";
    const localHour = Number(parts.find(({ type }) => type === "hour")?.value);
    // No two Mondays are alike: half of the days lie within 8 % of the usual.
    if (weekday !== day) dayFactor = logNormal(random, 1, 0.12);
    day = weekday;
    const progress = (hour - from) / (to - from);
    const weightOf = ({ traffic }: Campaign) =>
      traffic.volume *
      (1 + traffic.growth * progress) *
      (hours[traffic.rhythm][localHour] ?? 0) *
      (days[traffic.rhythm][weekdays.indexOf(weekday)] ?? 0);
    const [first, last] = [Math.max(hour, from), Math.min(hour + hourMs, to)];
    const share = (last - first) / hourMs;
    const weight = share * dayFactor * campaigns.reduce((sum, campaign) => sum + weightOf(campaign), 0);
    buckets.push({ from: first, to: last, localHour, weight, weightOf });
  }
  return buckets;
}

/** The first index whose running sum lies above `value`. */
function indexAbove(sums: readonly number[], value: number): number {
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

function firstOf({ campaigns }: Organization): Campaign {
  const [first] = campaigns;
  if (first === undefined) throw new Error("demo data: an organization has no campaign");
  return first;
}
