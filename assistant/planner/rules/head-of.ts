import { before, hasRole, type Reading, senseAs, senses } from "./reading.ts";

/** "Webhooks with a failure rate above 3 %": the noun of the records is a group's, too, where no record has the figure. */
export function nounGroup(reading: Reading, index: number): string | undefined {
  for (let at = index - 1; at >= 0; at--)
    if (senseAs(reading, at, "subject")) return senseAs(reading, at, "dimension")?.name;
  return undefined;
}

/** "How many calls per campaign had a duration between …": calls have it, whatever they are grouped by. */
function isOfOneOf(reading: Reading, group: number, index: number): boolean {
  const by = before(reading, group);
  const isCounted = hasRole(reading, before(reading, before(reading, by)), "how_many");
  const said = reading.items.slice(group + 1, index).map((item) => item.said.toLowerCase());
  const isNoun = senses(reading, before(reading, by)).some(({ kind }) => kind === "subject");
  return hasRole(reading, by, "by") && isNoun && isCounted && said.includes("had");
}

/** "Number of calls with talk time over 2 minutes". */
const isNumberOfRecords = (reading: Reading, at: number): true | undefined =>
  senseAs(reading, at, "measure")?.name === reading.subject.defaultMeasure || undefined;

/** Whether the noun that a condition hangs on is a group ("publishers with …") or a row ("calls with …"). */
export function headOf(reading: Reading, index: number): "group" | "row" | "none" {
  for (let at = index - 1; at >= 0; at--) {
    if (senseAs(reading, at, "subject") ?? isNumberOfRecords(reading, at)) return "row";
    if (isOfOneOf(reading, at, index)) continue;
    if (senseAs(reading, at, "dimension") ?? senseAs(reading, at, "grain")) return "group";
  }
  return "none";
}
