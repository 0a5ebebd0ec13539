import {
  addMeasure,
  after,
  before,
  hasRole,
  isPlural,
  measureAt,
  measureOfFlag,
  type Reading,
  senseAs,
  senses,
  use,
} from "./reading.ts";

/** "Calls, connected, converted", "deliveries and failed ones": columns to be counted, not conditions on one count. */
export function readCounts(reading: Reading): void {
  for (const index of reading.items.keys()) {
    if (measureAt(reading, index) === undefined || !isPlural(reading.items[index])) continue;
    const facts = senseAs(reading, index, "subject") === undefined ? [] : factsBehind(reading, index);
    if (facts.length > 0) count(reading, [index, ...facts]);
    const ones = onesBehind(reading, index);
    if (ones !== undefined) count(reading, [index, ones]);
  }
  readPair(reading);
}

/** "Calls by week, converted and missed": two facts that close the question are columns, too. */
function readPair(reading: Reading): void {
  const { items } = reading;
  const noun = items.findIndex((_, at) => senseAs(reading, at, "subject") !== undefined);
  const at = items.findIndex((_, index) => index > noun && isComma(reading, index - 1) && isPlainFact(reading, index));
  const joint = after(reading, at);
  const other = after(reading, joint);
  const isLast = items.slice(other + 1).every(({ kind }) => kind === "stop" || kind === "period");
  const isPair = hasRole(reading, joint, "and", "versus") && !isComma(reading, joint) && isPlainFact(reading, other);
  if (noun < 0 || at < 0 || !isPair || !isLast) return;
  count(reading, [noun, at, other]);
  use(reading, at - 1, joint);
}

/** The facts of a list that commas part; one by itself may as well be a condition. Figures among them are left as they are. */
function factsBehind(reading: Reading, noun: number): readonly number[] {
  const facts: number[] = [];
  let listed = 0;
  let joint = noun + 1;
  while (isComma(reading, joint) || (listed > 0 && hasRole(reading, joint, "and"))) {
    const at = after(reading, joint, "and");
    const isFact = isPlainFact(reading, at);
    if (!isFact && senseAs(reading, at, "measure") === undefined) break;
    if (isFact) facts.push(at);
    listed++;
    joint = at + 1;
  }
  return listed > 1 ? facts : [];
}

const isComma = ({ items }: Reading, at: number): boolean => items[at]?.said === ",";

const isPlainFact = (reading: Reading, at: number): boolean => {
  const flag = senseAs(reading, at, "flag");
  return flag?.holds === true && !flag.noun && senseAs(reading, after(reading, at), "subject") === undefined;
};

/** "And failed ones", "and the won ones". */
function onesBehind(reading: Reading, noun: number): number | undefined {
  const joint = after(reading, noun);
  const at = after(reading, joint);
  const isOnes = /^ones$/i.test(reading.items[at + 1]?.said ?? "");
  const isOnly = /^only$/i.test(reading.items[at + 2]?.said ?? "");
  return hasRole(reading, joint, "and") &&
    !isComma(reading, joint) &&
    isOnes &&
    !isOnly &&
    senseAs(reading, at, "flag")?.holds === true
    ? at
    : undefined;
}

function count(reading: Reading, [noun = -1, ...facts]: readonly number[]): void {
  addMeasure(reading, measureAt(reading, noun) ?? reading.subject.defaultMeasure);
  for (const at of facts) {
    const flag = senseAs(reading, at, "flag");
    if (flag !== undefined) addMeasure(reading, measureOfFlag(reading, flag.name));
  }
  use(reading, noun, ...facts, ...facts.map((at) => before(reading, at)));
}

/** "How many emails did we send": what is counted is nobody's name that it sounds like, unless records or figures are named. */
export function isCounted(reading: Reading, index: number): boolean {
  const { items } = reading;
  const isOfRecords = items.some((_, at) =>
    senses(reading, at).some(({ kind }) => kind === "subject" || kind === "measure" || kind === "flag"),
  );
  const isDeed = senses(reading, index).some((each) => each.kind === "value" && each.name === "action");
  const isKind = senseAs(reading, index, "value")?.name === "outcome";
  const isThing = reading.subject.name === "audit_logs" && senseAs(reading, index, "value")?.name === "entity_type";
  if (
    isOfRecords ||
    isDeed ||
    isKind ||
    isThing ||
    !isPlural(items[index]) ||
    !hasRole(reading, before(reading, index), "how_many")
  )
    return false;
  reading.draft.problems.push({ sentence: `I cannot count "${items[index]?.said}".`, options: [] });
  use(reading, index);
  return true;
}
