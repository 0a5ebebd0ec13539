import { after, before, hasRole, type Reading, senseAs, senses, use } from "./reading.ts";
import { groupAt } from "./shape.ts";

/**
 * "Which numbers get no calls", "publishers without calls", "inactive buyers": groups are made of the records that there
 * are, so what has none leaves no trace in them. Those with the fewest are what can be shown.
 */
export function askOfNone(reading: Reading): void {
  const { items, draft, subject } = reading;
  if (draft.problems.length > 0) return;
  const at = items.findIndex((_, index) => saysNone(reading, index));
  const head = at < 0 ? -1 : headOf(reading, at);
  const item = items[head];
  if (item === undefined) return;
  const one = item.said.replace(/s$/i, "").toLowerCase();
  const plain = subject.noun.many;
  const rest = restOf(reading, Math.max(at, head));
  draft.problems.push({
    sentence: `I group the ${plain} that there are, so a ${one} without any does not show. I can show those with the fewest.`,
    options: [`bottom 10 ${one}s by ${plain}`, `${plain} by ${one}`].map((said) => [said, ...rest].join(" ")),
  });
  use(reading, at);
}

/** What else is said: the period wherever it stands, and the conditions behind. */
function restOf({ items, subject, ...reading }: Reading, from: number): readonly string[] {
  const isNoun = (at: number) =>
    /^(anything|any|called|bought|had|sent|got)$/i.test(items[at]?.said ?? "") ||
    (at <= from + 2 && senses({ items, subject, ...reading }, at).some(({ kind }) => kind === "subject"));
  return items.flatMap((item, at) => {
    if (at <= from) return item.kind === "period" ? [item.said] : [];
    return isNoun(at) ? [] : [item.said];
  });
}

/** "No calls", "without any calls", "zero calls", "haven't bought anything", "inactive". */
function saysNone(reading: Reading, at: number): boolean {
  const { items } = reading;
  const item = items[at];
  const said = item?.said.toLowerCase() ?? "";
  if (/^(inactive|idle|dormant)$/.test(said)) return true;
  const next = after(reading, at, "all");
  const isNoun = senseAs(reading, next, "subject") !== undefined || senseAs(reading, next, "measure")?.name === "calls";
  const isOnly = senseAs(reading, next, "flag") === undefined && !hasRole(reading, after(reading, next), "with");
  const isZero = item?.kind === "number" && item.value === 0;
  if ((isZero || (hasRole(reading, at, "not") && /^(no|without|without any)$/.test(said))) && isNoun) return isOnly;
  const rest = items.slice(at + 1).map((each) => each.said.toLowerCase());
  return hasRole(reading, at, "not") && rest.some((word) => /^(anything|any call|any calls)$/.test(word));
}

const headOf = (reading: Reading, at: number): number => {
  if (groupAt(reading, after(reading, at)) !== undefined && /^[id]/i.test(reading.items[at]?.said ?? ""))
    return after(reading, at);
  const [head = -1] = reading.items.flatMap((_, index) =>
    index < at && groupAt(reading, index) !== undefined && !hasRole(reading, before(reading, index), "by")
      ? [index]
      : [],
  );
  return head;
};
