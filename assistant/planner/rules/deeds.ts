import { addMeasure, after, before, hasRole, isPlural, type Reading, senseAs, senses, use } from "./reading.ts";

/** "How many campaigns did Ann pause": the things, each counted once; "how many campaign changes" counts the changes. */
export function readThings(reading: Reading): void {
  if (reading.subject.name !== "audit_logs") return;
  for (const [index, item] of reading.items.entries()) {
    const asked = before(reading, index, "distinct", "all");
    const isThing = senseAs(reading, index, "value")?.name === "entity_type" && isPlural(item);
    if (!isThing || !hasRole(reading, asked, "how_many") || isNoun(reading, after(reading, index))) continue;
    addMeasure(reading, "changed_entities");
    use(reading, asked);
  }
}

const isNoun = (reading: Reading, at: number): boolean =>
  senses(reading, at).some(({ kind }) => kind === "subject") && !/^chang(ed|ing)$/i.test(reading.items[at]?.said ?? "");
