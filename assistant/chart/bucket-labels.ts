import type { Local } from "../calendar.ts";
import { type Grain, isRecurring, type RunningGrain } from "../grains.ts";
import { toDate, toDay, toMonth } from "../phrasing/dates.ts";
import { toName } from "../phrasing/figure.ts";

/** The wall-clock start of the bucket with this label. */
export const startOfBucket = (grain: RunningGrain, label: string): Local => {
  const [year = "", quarter] = label.split("-Q");
  if (grain === "quarter") return Date.UTC(Number(year), (Number(quarter) - 1) * 3);
  return Date.parse(grain === "hour" ? `${label.replace(" ", "T")}Z` : label);
};

/** Says labels of buckets: "Nov 1, 14:00", "Nov 1", "Nov 2026", "Q4 2026", "14:00"; days of several years with theirs. */
export function toSay(grain: Grain, labels: readonly string[]): (label: string) => string {
  if (isRecurring(grain)) return (label) => toName(label, grain);
  const isOneYear = new Set(labels.map((label) => label.slice(0, 4))).size === 1;
  return (label) => {
    const start = startOfBucket(grain, label);
    if (Number.isNaN(start)) return label;
    const day = isOneYear ? toDay(start) : toDate(start);
    switch (grain) {
      case "hour":
        return `${day}, ${label.slice(11)}`;
      case "month":
        return toMonth(start);
      case "quarter":
        return label.split("-").reverse().join(" ");
      case "year":
        return label;
      default:
        return day;
    }
  };
}
