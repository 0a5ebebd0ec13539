import type { TraceLine } from "../../ingest/trace.ts";

/** A ping's life-log as it is shown (semantics 7.4): in order of time, `offset_ms` from its first line. */
export function toLifeLog(lines: readonly TraceLine[]) {
  // The order in which lines were written decides where the time is the same.
  const ordered = lines.toSorted((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at));
  const began = Date.parse(ordered[0]?.occurred_at ?? "");
  return ordered.map(({ occurred_at, event, detail }, index) => ({
    seq: index + 1,
    at: occurred_at,
    offset_ms: Date.parse(occurred_at) - began,
    event,
    detail,
  }));
}
