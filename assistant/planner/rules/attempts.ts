import {
  addDimension,
  addFilter,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  type Reading,
  senseAs,
  senses,
  use,
} from "./reading.ts";

/**
 * "Deliveries that needed more than 3 attempts", "retried more than twice": each row is an attempt, and a delivery that
 * needed more than three has a fourth; so the different deliveries with such a row are counted.
 */
export function readAttempts(reading: Reading): void {
  if (reading.subject.name !== "outgoing_webhook_requests" || reading.draft.listing) return;
  for (const index of indexesOf(reading, "more_than", "at_least", "less_than", "at_most")) {
    const number = after(reading, index, "of");
    const item = reading.items[number];
    if (item?.kind !== "number" || item.unit !== null) continue;
    const verb = before(reading, index);
    const isRetried = senseAs(reading, verb, "flag")?.name === "retried";
    const noun = number + 1;
    const isOfAttempts = /^(attempts|tries)$/i.test(reading.items[noun]?.said ?? "") && isOfDeliveries(reading, index);
    if (!isRetried && !isOfAttempts) continue;
    if (!hasRole(reading, index, "more_than", "at_least")) {
      reading.draft.problems.push({ sentence: fewest, options: [] });
      continue;
    }
    const op = hasRole(reading, index, "at_least") ? "at_least" : "more_than";
    // The first attempt is no retry.
    addFilter(reading, { field: "attempt", op, values: [item.value + (isRetried ? 1 : 0)] }, index);
    addMeasure(reading, "messages");
    use(reading, index, number, isRetried ? verb : noun);
    useNouns(reading);
  }
}

const fewest =
  "I can count the deliveries that needed at least so many attempts, not those that needed fewer or exactly so many.";

/** "Deliveries", "webhooks" stand before; attempts by themselves are rows. */
const isOfDeliveries = ({ items, subject }: Reading, index: number): boolean =>
  items.slice(0, index).some((item, at) => isSubject({ items, subject }, at) && !/attempts?$/i.test(item.said));

const isSubject = (reading: Pick<Reading, "items" | "subject">, at: number): boolean =>
  senses(reading, at).some(({ kind }) => kind === "subject");

/** The noun is counted already; "which webhooks" asks for groups, too. */
function useNouns(reading: Reading): void {
  for (const at of reading.items.keys()) {
    const side = before(reading, at);
    if (!isSubject(reading, at) || hasRole(reading, side, "by")) continue;
    const group = senseAs(reading, at, "dimension")?.name;
    if (hasRole(reading, side, "which") && group !== undefined) addDimension(reading, group);
    use(reading, at);
  }
}
