import { findDimension, findMeasure } from "../../catalog/catalog.ts";
import {
  addFilter,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  type Reading,
  range,
  senseAs,
  sensesAs,
  use,
} from "./reading.ts";

/** "how many different states", "number of publishers", "unique zip codes". */
export function readDistinct(reading: Reading): void {
  for (const index of indexesOf(reading, "distinct", "how_many")) {
    // "How often do bidders time out" counts no bidders.
    if (/often|frequent|times?\b/i.test(reading.items[index]?.said ?? "")) continue;
    const at = after(reading, index, "distinct", "of", "all");
    const dimension = senseAs(reading, at, "dimension")?.name;
    const isNoun = senseAs(reading, at, "subject") !== undefined || senseAs(reading, at, "measure") !== undefined;
    if (dimension === undefined || (isNoun && !hasRole(reading, index, "distinct"))) continue;
    const name = countOf(reading, dimension);
    if (name === undefined) continue;
    addMeasure(reading, name);
    use(reading, index, at, ...range(index + 1, at).filter((each) => hasRole(reading, each, "distinct", "of", "all")));
    // "how many states sent calls": the noun is what they are counted over.
    const rest = reading.items.findIndex((_, each) => each > at && senseAs(reading, each, "subject") !== undefined);
    if (rest > at && sensesAs(reading, rest, "measure").length === 0) use(reading, rest);
    countedOver(reading, at);
  }
}

/** "How many zip codes do converted calls come from": of those alone. */
function countedOver(reading: Reading, from: number): void {
  const [first, ...others] = reading.items.flatMap((_, at) => {
    const flag = at > from ? senseAs(reading, at, "flag") : undefined;
    return flag?.noun === true && flag.holds ? [{ at, flag }] : [];
  });
  if (first === undefined || others.length > 0 || hasRole(reading, before(reading, first.at), "and", "with")) return;
  addFilter(reading, { field: first.flag.name, op: "is", values: [true] }, first.at);
  use(reading, first.at);
}

function countOf({ subject }: Reading, dimension: string): string | undefined {
  const column = findDimension(subject, dimension)?.column;
  const known = subject.measures.find(({ aggregate }) => aggregate.kind === "distinct" && aggregate.column === column);
  return known?.name ?? findMeasure(subject, `distinct_${dimension}`)?.name;
}
