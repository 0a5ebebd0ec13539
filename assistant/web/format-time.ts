import type { Cell } from "./wire.ts";

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const shape = /^(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/;

type WallClock = {
  readonly year: string;
  readonly month: number;
  readonly day: number;
  readonly hour: string;
  readonly minute: string;
  readonly second: string;
  readonly zone: string;
};

const toWallClock = (text: string): WallClock | null => {
  const [, year = "", month = "", day = "01", hour = "00", minute = "00", second = "00", zone = ""] =
    shape.exec(text) ?? [];
  if (year === "") return null;
  return { year, month: Number(month), day: Number(day), hour, minute, second, zone: zone === "Z" ? "UTC" : zone };
};

const dateOf = (at: WallClock): string => `${monthNames[at.month - 1] ?? at.month} ${at.day}, ${at.year}`;

const clockOf = (at: WallClock): string => {
  const seconds = at.second === "00" ? "" : `:${at.second}`;
  const zone = at.zone === "" ? "" : ` ${at.zone}`;
  return `${at.hour}:${at.minute}${seconds}${zone}`;
};

/**
 * A time as its wall clock was written. The server has already put it in the organization's zone; converting it to the
 * browser's would move calls to other days. Buckets are known by the last word of the column's name: `call_month`.
 */
export const formatTime = (cell: Cell, columnName: string): string => {
  const text = typeof cell === "number" ? new Date(cell).toISOString() : String(cell);
  const at = toWallClock(text);
  if (at === null) return text;
  switch (columnName.split("_").at(-1)) {
    case "year":
      return at.year;
    case "quarter":
      return `Q${Math.ceil(at.month / 3)} ${at.year}`;
    case "month":
      return `${monthNames[at.month - 1] ?? at.month} ${at.year}`;
    case "day":
    case "date":
    case "week":
      return dateOf(at);
    default:
      return /\d[T ]\d/.test(text) ? `${dateOf(at)}, ${clockOf(at)}` : dateOf(at);
  }
};
