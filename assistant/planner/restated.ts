import type { Linking } from "./link/linking.ts";
import { isWhole, narrowsBy, saysFigures, understandPart } from "./whole-question.ts";

/**
 * "Why are we not filling pings? Unfilled pings by reason last month": the second sentence says all that the first does,
 * and is the question. undefined where the first holds a name, a period, a number, a fact or a group that the second lacks, or is to be refused.
 */
export function restatedIn(text: string, linking: Linking): string | undefined {
  const [first = "", second = "", more] = text.split(/\?\s+/).map((part) => part.replace(/\?$/, "").trim());
  if (second === "" || (more !== undefined && more !== "")) return undefined;
  const before = understandPart(first, linking);
  const after = understandPart(second, linking);
  if ((before.refusal !== undefined && !/^why\b/i.test(first)) || after.refusal !== undefined) return undefined;
  if (after.items.some(({ kind }) => kind === "unknown")) return undefined;
  return isWhole(after.items) && !narrowsBy(before.items, after.items) && saysFigures(before.items, after.items)
    ? second
    : undefined;
}
