import { comparatorAt } from "./comparator.ts";
import { addFilter, after, before, hasRole, type Reading, range, senseAs, use } from "./reading.ts";

/**
 * "The caller hung up within 10 seconds": how long such a call lasted; "answered within 20 seconds": how long it rang. What
 * else may happen within some time is not told.
 */
export function readWithin(reading: Reading): void {
  const { items, subject } = reading;
  if (subject.name !== "calls") return;
  for (const index of items.keys()) {
    readSoon(reading, index);
    const number = index + 1;
    const item = items[number];
    const isWithin = /^(within|inside)$/i.test(items[index]?.said ?? "");
    if (!isWithin || item?.kind !== "number" || item.unit !== "seconds") continue;
    const field = fieldBefore(reading, index);
    if (field === undefined) continue;
    addFilter(reading, { field, op: "at_most", values: [item.value] }, index);
    use(reading, index, number);
  }
}

/** "Answered in under 20 seconds", "answered faster than 20 seconds": of how long it rang, not of the call. */
function readSoon(reading: Reading, index: number): void {
  const { items } = reading;
  const number = after(reading, index);
  const item = items[number];
  const op = comparatorAt(reading, index);
  if (op === undefined || item?.kind !== "number" || item.unit !== "seconds" || reading.used.has(index)) return;
  const isSpeed = /^(faster|slower|quicker) than$/i.test(items[index]?.said ?? "");
  const verb = before(reading, index, "of", "later");
  const isIn = range(verb + 1, index).some((at) => /^(in|after|within)$/i.test(items[at]?.said ?? ""));
  const flag = senseAs(reading, verb, "flag");
  if (!(isSpeed || isIn) || flag?.name !== "connected" || !flag.holds) return;
  addFilter(reading, { field: "wait_time", op, values: [item.value] }, index);
  use(reading, ...range(verb + 1, number + 1));
}

function fieldBefore(reading: Reading, index: number): "duration" | "wait_time" | undefined {
  const verb = before(reading, index);
  const flag = senseAs(reading, verb, "flag");
  if (flag?.name === "connected" && flag.holds && !hasRole(reading, before(reading, verb), "not")) return "wait_time";
  const isEnd = range(0, index).some(
    (at) =>
      senseAs(reading, at, "value")?.name === "ended_by" ||
      /^(ended|ending|lasted|hung up)$/i.test(reading.items[at]?.said ?? ""),
  );
  return isEnd ? "duration" : undefined;
}
