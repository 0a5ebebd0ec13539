import { writeFigure } from "../../phrasing/write-figure.ts";
import type { Unit } from "../wire.ts";

/** More than any figure; the server takes no more. */
const largest = 1e12;

const secondsOf: Readonly<Record<string, number>> = { d: 86_400, h: 3_600, m: 60, s: 1 };
const stretch = /^(\d+(?:\.\d+)?)(d|h|m|s)(?:[a-z]*)/;

/** `5m 30s`, `1h`, `90 sec` and `1:30` in seconds; undefined for anything else. */
const parseStretch = (text: string): number | undefined => {
  const [, minutes, rest] = /^(\d+):([0-5]\d)$/.exec(text) ?? [];
  if (minutes !== undefined) return Number(minutes) * 60 + Number(rest);
  let left = text;
  let seconds = 0;
  while (left !== "") {
    const [said, count, unit] = stretch.exec(left) ?? [];
    if (said === undefined) return undefined;
    seconds += Number(count) * (secondsOf[unit ?? "s"] ?? 1);
    left = left.slice(said.length);
  }
  return text === "" ? undefined : seconds;
};

/** A number as an analyst types it, in its unit: `$1,250`, `25%`, `5 min 30 s`; null where it is none that can be asked for. */
export const parseAmount = (text: string, unit: Unit): number | null => {
  const bare = text.toLowerCase().replace(/[\s,$%]/g, "");
  const plain = Number(unit === "ms" ? bare.replace(/ms$/, "") : bare);
  const isPlain = bare !== "" && /\d/.test(bare) && Number.isFinite(plain);
  const seconds = unit === "seconds" || unit === "ms" ? parseStretch(bare) : undefined;
  const amount = isPlain ? plain : seconds === undefined ? Number.NaN : unit === "ms" ? seconds * 1_000 : seconds;
  return Math.abs(amount) <= largest ? amount : null;
};

/** An amount so that `parseAmount` reads it back. */
export const sayAmount = (amount: number, unit: Unit): string => {
  // Of an hour and more, seconds are not said.
  if (unit === "seconds" && amount >= 0 && Number.isInteger(amount) && (amount < 3_600 || amount % 60 === 0))
    return writeFigure.seconds(amount);
  if (unit === "money") return `${amount < 0 ? "-" : ""}$${Math.abs(amount)}`;
  if (unit === "percent") return `${amount}%`;
  return unit === "ms" ? `${amount} ms` : String(amount);
};

/** What an amount of a unit may look like. */
export const amountExample = (unit: Unit): string => {
  switch (unit) {
    case "money":
      return "$25";
    case "percent":
      return "25%";
    case "seconds":
      return "5 min 30 s";
    case "ms":
      return "250 ms";
    case "count":
    case null:
      return "10";
  }
};
