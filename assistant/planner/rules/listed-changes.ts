import { mostListed } from "./draft.ts";
import { hasRole, indexesOf, type Reading, senseAs, use } from "./reading.ts";

/** "What changed yesterday", "who changed what": the entries tell. */
export function readWhatChanged(reading: Reading): void {
  const { draft, items, subject } = reading;
  const said = items.map((item) => item.said.toLowerCase()).join(" ");
  if (
    subject.name !== "audit_logs" ||
    !/^what(?:[’']?s| has| have| was| were)? (?:been )?chang(?:ed|ing)\b|\bwho changed what\b/.test(said)
  )
    return;
  if (items.some((_, at) => hasRole(reading, at, "by", "how_many", "top", "bottom") || senseAs(reading, at, "grain")))
    return;
  draft.listing = true;
  draft.limit = mostListed;
  for (const [at, item] of items.entries())
    if (/^(what|who|who changed|what changed|changed|changing|been changing|who changed what)$/i.test(item.said))
      use(reading, at);
}

/** "List what Ann deleted", "who paused something last week and what was it, list": the entries themselves. */
export function readDeeds(reading: Reading): void {
  const { draft, items, subject } = reading;
  const [list] = indexesOf(reading, "list").filter((at) => /^list\b/i.test(items[at]?.said ?? ""));
  const isChange = (at: number) =>
    /^changed$/i.test(items[at]?.said ?? "") && senseAs(reading, at, "subject") !== undefined;
  const isAsked = items.some((_, at) => senseAs(reading, at, "value")?.name === "action" || isChange(at));
  const what = items.findIndex((_, at) => hasRole(reading, at, "which"));
  const isShaped = items.some((_, at) => hasRole(reading, at, "by", "how_many") || senseAs(reading, at, "grain"));
  if (subject.name !== "audit_logs" || list === undefined || !isAsked || what < 0 || isShaped) return;
  draft.listing = true;
  draft.limit = mostListed;
  const asked = items.map((_, at) => at).filter((at) => hasRole(reading, at, "which") || isChange(at));
  use(reading, list, ...asked);
}

/** "List all deletions", "list target deletions": what was done stands for the records of it. */
export const isDeed = (reading: Reading, index: number): boolean => {
  const names = [index, index + 1].map((at) => senseAs(reading, at, "value")?.name);
  return (
    reading.subject.name === "audit_logs" &&
    (names[0] === "action" || (names[0] === "entity_type" && names[1] === "action"))
  );
};
