import { mostListed } from "./draft.ts";
import { hasRole, isGrouped, isPlural, type Reading, senseAs, use } from "./reading.ts";

/** Verbs that ask to be shown something. */
export const shown = /^(show|give|list|display|see|pull|get|find|view|fetch)$/i;
const wholly = /^(all|every|the|all the|all of the|all our|any)$/i;

/** "show me all failed calls from yesterday": the rows, where nothing says what to count or to group by. */
export function readShowing(reading: Reading): void {
  const { draft, items } = reading;
  const noun = items.findIndex(
    (_, at) => senseAs(reading, at, "subject") !== undefined || senseAs(reading, at, "flag")?.noun === true,
  );
  const before = items.slice(0, Math.max(0, noun)).map(({ said }) => said);
  const isOnesOwn = items[noun - 1]?.kind === "period" && /['’]s$/.test(items[noun - 1]?.said ?? "");
  const isOfFact = senseAs(reading, noun, "flag")?.noun === true;
  const isOfSome = items.slice(noun + 1).some(({ said }) => /^(that|which|who)\b/i.test(said));
  const isAsked =
    before.some((said) => shown.test(said)) &&
    (isOnesOwn || isOfSome || isOfFact || draft.filters.length > 0 || before.some((said) => wholly.test(said)));
  const isShaped = draft.listing || draft.measures.length + draft.dimensions.length > 0 || draft.grain !== null;
  const isOther = draft.order !== null || draft.share || draft.running !== null || draft.averagePer !== null;
  const isMany = isPlural(items[noun]) || /^(every|each)$/i.test(items[noun - 1]?.said ?? "");
  if (!isAsked || isShaped || isOther || !isMany || isGrouped(reading)) return;
  if (items.some((_, at) => hasRole(reading, at, "how_many", "change", "trend", "share"))) return;
  draft.listing = true;
  draft.limit = mostListed;
  const flag = senseAs(reading, noun, "flag");
  if (flag === undefined) use(reading, noun);
}
