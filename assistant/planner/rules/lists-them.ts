import { mostListed } from "./draft.ts";
import { type Reading, senseAs, use } from "./reading.ts";

/** "List them", "list the calls": the records of the answer before. */
export function listsThem(reading: Reading): boolean {
  const { draft, items } = reading;
  const said = items.map((item) => item.said.toLowerCase()).join(" ");
  const shown = reading.planBefore?.measures ?? [];
  const noun = items.findIndex(
    (_, at) =>
      senseAs(reading, at, "subject") !== undefined || shown.includes(senseAs(reading, at, "measure")?.name ?? ""),
  );
  const named = noun < 0 ? "" : (items[noun]?.said.toLowerCase() ?? "");
  const rest = said.replace(/[?.!]/g, "").replace(named, "").replace(/\s+/g, " ").trim();
  if (
    !/^(please )?(list|show|list me|show me|give me|display) ?(the|them|these|those|all of them|all|me them|them all)?$/.test(
      rest,
    )
  )
    return false;
  if (named === "" && !/\b(them|these|those|all)\b/.test(rest)) return false;
  draft.listsThem = true;
  draft.limit = mostListed;
  use(reading, ...items.keys());
  return true;
}
