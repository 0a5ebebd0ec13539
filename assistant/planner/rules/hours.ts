import { addFilter, after, before, hasRole, type Reading, range, use } from "./reading.ts";

/** "from 9am to 5pm", "after 5pm", "before 9am", "at 3pm". */
export function readHour(reading: Reading, index: number): void {
  const item = reading.items[index];
  if (item?.kind !== "hour" || reading.used.has(index)) return;
  const joint = reading.items[index + 1]?.said.toLowerCase() ?? "";
  if (/^(to|-|until|till|through|thru)$/.test(joint) && reading.items[index + 2]?.kind === "hour") {
    addHours(reading, index, [index, index + 2]);
    return;
  }
  if (readAroundMidnight(reading, index)) return;
  const side = before(reading, index);
  const next = after(reading, index);
  const isUp = hasRole(reading, next, "or_more");
  const op =
    isUp || hasRole(reading, side, "later", "at_least")
      ? "at_least"
      : hasRole(reading, side, "earlier", "less_than")
        ? "less_than"
        : "is";
  // Every hour is before midnight.
  if (op === "less_than" && item.hour === 0) return;
  addFilter(reading, { field: "hour_of_day", op, values: [item.hour] }, index);
  use(reading, index, ...(isUp ? [next] : op === "is" ? [] : [side]));
}

/** "After 10pm or before 6am", "before 6am or after 10pm": one stretch, over midnight. */
function readAroundMidnight(reading: Reading, index: number): boolean {
  const side = before(reading, index);
  const joint = after(reading, index);
  const other = after(reading, joint);
  const hour = after(reading, other);
  if (!hasRole(reading, joint, "or")) return false;
  const isLateFirst = hasRole(reading, side, "later") && hasRole(reading, other, "earlier");
  const isEarlyFirst = hasRole(reading, side, "earlier") && hasRole(reading, other, "later");
  if (!isLateFirst && !isEarlyFirst) return false;
  const [low, high] = isLateFirst ? [index, hour] : [hour, index];
  const [from, to] = [reading.items[low], reading.items[high]];
  if (from?.kind !== "hour" || to?.kind !== "hour" || from.hour <= to.hour) return false;
  addHours(reading, side, [low, high]);
  use(reading, side, index, joint, other, hour);
  return true;
}

/** From the one hour to the other, over midnight where the later comes first; `index` is what leads to them. */
export function addHours(reading: Reading, index: number, [low, high]: readonly [number, number]): void {
  const [from, to] = [reading.items[low], reading.items[high]];
  if (from?.kind !== "hour" || to?.kind !== "hour" || from.hour === to.hour) return;
  use(reading, ...range(index, high + 1));
  if (from.hour > to.hour) {
    addFilter(
      reading,
      { field: "hour_of_day", op: "is", values: [...range(from.hour, 24), ...range(0, to.hour)] },
      index,
    );
    return;
  }
  addFilter(reading, { field: "hour_of_day", op: "at_least", values: [from.hour] }, index);
  addFilter(reading, { field: "hour_of_day", op: "less_than", values: [to.hour] }, index);
}
