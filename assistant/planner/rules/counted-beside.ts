import {
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  measureAt,
  measureOfFlag,
  type Reading,
  range,
  senseAs,
  senses,
  use,
} from "./reading.ts";

const pronoun = /^(them|those|these|it)$/i;

/**
 * "Pings by state, and how many were filled", "calls last week and how many of them converted": beside the figure that is
 * asked for, those of its records of which a fact holds are counted; a condition would take the others out of the first.
 */
export function readCountedBeside(reading: Reading): void {
  for (const index of indexesOf(reading, "how_many")) {
    const at = factBehind(reading, index);
    const noun = range(0, index).find((each) => isCount(reading, each));
    const isNot = range(index, at).some((each) => hasRole(reading, each, "not"));
    const measure = countOf(reading, at, isNot);
    const isSecond = indexesOf(reading, "how_many").some((each) => each < index);
    if (noun === undefined && !isSecond) continue;
    if (measure === undefined && senseAs(reading, at, "flag") !== undefined) askOfOthers(reading);
    if (measure === undefined) continue;
    if (noun === undefined) addMeasure(reading, reading.subject.defaultMeasure);
    else countFirst(reading, noun);
    addMeasure(reading, measure);
    const joint = before(reading, index);
    use(reading, ...range(index, at + 1), ...(hasRole(reading, joint, "and", "with") ? [joint] : []));
  }
}

/** "How many of them converted", "how many were filled": not of a noun that stands behind it. */
function factBehind(reading: Reading, index: number): number {
  let at = after(reading, index, "of");
  while (pronoun.test(reading.items[at]?.said ?? "") || hasRole(reading, at, "not")) at = after(reading, at);
  return isCount(reading, after(reading, at)) ? -1 : at;
}

const isCount = (reading: Reading, at: number): boolean =>
  senses(reading, at).some(({ kind }) => kind === "subject" || kind === "measure");

/** The first of the figures: "how many deliveries failed" by its fact, where another fact stands beside it. */
function countFirst(reading: Reading, noun: number): void {
  if (reading.used.has(noun)) return;
  const fact = after(reading, noun);
  const isAsked = indexesOf(reading, "how_many").some((at) => at < noun);
  const own = senseAs(reading, noun, "subject") === undefined || !isAsked ? undefined : countOf(reading, fact);
  addMeasure(reading, own ?? measureAt(reading, noun) ?? reading.subject.defaultMeasure);
  use(reading, noun, ...(own === undefined ? [] : [fact]));
}

/** What counts the records of which the fact at this place holds, or does not. */
function countOf(reading: Reading, at: number, isNot = false): string | undefined {
  const flag = senseAs(reading, at, "flag");
  const { subject } = reading;
  const opposite = subject.flags.find(({ name }) => name === flag?.name)?.unmeasure;
  const holds = flag !== undefined && flag.holds !== isNot;
  const name = holds ? measureOfFlag(reading, flag.name) : flag === undefined ? undefined : opposite;
  return name === subject.defaultMeasure ? undefined : name;
}

/** "And how many did not convert": no figure counts those beside the first. */
function askOfOthers({ draft }: Reading): void {
  draft.problems.push({ sentence: "I do not count the others beside it; ask for them by themselves.", options: [] });
}
