import { findMeasure } from "../../catalog/catalog.ts";
import { addDimension, addMeasure, before, hasRole, indexesOf, type Reading, senseAs, use } from "./reading.ts";

const speeds = /^(slowest|fastest|quickest)$/i;

/** What is slow or fast on average: an answer to a request, a target that answers a call. */
const speedOf = ({ subject }: Reading): string | undefined =>
  subject.name === "calls"
    ? "avg_wait_time"
    : ["avg_response_time", "avg_time"].find((name) => findMeasure(subject, name) !== undefined);

/** "Which webhook answered slowest on average", "the slowest bidder on average": groups, where a single one would be a list. */
export function readSpeed(reading: Reading): void {
  const { draft, items } = reading;
  const index = indexesOf(reading, "longest", "shortest").find((at) => speeds.test(items[at]?.said ?? ""));
  const average = items.findIndex((_, at) => senseAs(reading, at, "statistic")?.statistic === "avg");
  const group = items.findIndex((_, at) => senseAs(reading, at, "dimension") !== undefined);
  const name = senseAs(reading, group, "dimension")?.name;
  const measure = speedOf(reading);
  if (index === undefined || average < 0 || measure === undefined || name === undefined) return;
  if (average < items.length - 1 && senseAs(reading, average + 1, "quantity") !== undefined) return;
  addMeasure(reading, measure);
  addDimension(reading, name);
  draft.ranked = name;
  draft.order = { by: measure, direction: hasRole(reading, index, "longest") ? "desc" : "asc" };
  draft.limit = items[group]?.said.endsWith("s") ? 10 : 1;
  const verb = before(reading, index);
  const isVerb = senseAs(reading, verb, "flag") !== undefined && /^answer/i.test(items[verb]?.said ?? "");
  use(reading, index, average, group, ...(isVerb ? [verb] : []));
}

/** "Revenue of Acme and Best, each": side by side. */
export function readEach(reading: Reading): void {
  const { draft, items } = reading;
  const said = items.map((item) => item.said.toLowerCase());
  const isLast = ["each", "respectively", "apiece", "separately", "individually"].includes(said.at(-1) ?? "");
  const several = draft.filters.filter(({ op, values }) => op === "is" && values.length > 1);
  const [only, other] = several;
  if (isLast && only !== undefined && other === undefined && draft.dimensions.length === 0)
    addDimension(reading, only.field);
}
