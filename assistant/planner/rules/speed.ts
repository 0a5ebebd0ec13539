import { findMeasure, measureOf } from "../../catalog/catalog.ts";
import { named } from "./named-statistic.ts";
import {
  addDimension,
  addMeasure,
  after,
  before,
  hasRole,
  indexesOf,
  numberAt,
  type Reading,
  senseAs,
  use,
} from "./reading.ts";

const speeds = /^(slowest|fastest|quickest)$/i;

/** What is slow or fast on average: an answer to a request, a target that answers a call. */
const speedOf = ({ subject }: Reading): string | undefined =>
  subject.name === "calls"
    ? "avg_wait_time"
    : ["avg_response_time", "avg_time"].find((name) => findMeasure(subject, name) !== undefined);

/** "Which webhook answered slowest on average", "the slowest bidder on average": groups, where a single one would be a list. */
export function readSpeed(reading: Reading): void {
  const { items, subject } = reading;
  const index = indexesOf(reading, "longest", "shortest").find((at) => speeds.test(items[at]?.said ?? ""));
  const group = items.findIndex((_, at) => senseAs(reading, at, "dimension") !== undefined);
  const name = senseAs(reading, group, "dimension")?.name;
  if (index === undefined || name === undefined) return;
  const figure = onAverage(reading) ?? (subject.name === "calls" ? undefined : timeRankedBy(reading, index, group));
  if (figure !== undefined) rankBySpeed(reading, { index, group, name, ...figure });
}

interface Figure {
  readonly measure: string;
  readonly said: readonly number[];
}

function onAverage(reading: Reading): Figure | undefined {
  const { items } = reading;
  const average = items.findIndex((_, at) => senseAs(reading, at, "statistic")?.statistic === "avg");
  const measure = speedOf(reading);
  if (average < 0 || measure === undefined) return undefined;
  const isOfAnother = average < items.length - 1 && senseAs(reading, average + 1, "quantity") !== undefined;
  return isOfAnother ? undefined : { measure, said: [average] };
}

/** "Slowest webhooks by p95 latency", "slowest bidders": of what is no record itself, the mean where no figure is named. */
function timeRankedBy(reading: Reading, index: number, group: number): Figure | undefined {
  const { items } = reading;
  const number = after(reading, index);
  const noun = numberAt(reading, number) === undefined ? number : after(reading, number);
  if (noun !== group) return undefined;
  const at = items.findIndex((_, each) => each > group && timeAt(reading, each) !== undefined);
  const measure = timeAt(reading, at);
  if (measure !== undefined) {
    const ofIt = senseAs(reading, at, "statistic") === undefined ? [] : [after(reading, at)];
    const joint = before(reading, at);
    const joints = hasRole(reading, joint, "by", "sort", "of", "with") ? [joint] : [];
    return { measure, said: [at, ...joints, ...ofIt.filter((each) => isTime(reading, each))] };
  }
  const own = speedOf(reading);
  return senseAs(reading, group, "subject") !== undefined || own === undefined ? undefined : { measure: own, said: [] };
}

/** A figure of the time that answers take: its own, or a statistic of it. */
function timeAt(reading: Reading, at: number): string | undefined {
  const { subject } = reading;
  const measure = senseAs(reading, at, "measure")?.name;
  if (measure !== undefined) return measureOf(subject, measure).unit === "ms" ? measure : undefined;
  const statistic = senseAs(reading, at, "statistic")?.statistic;
  return statistic === undefined || subject.length === null ? undefined : named(reading, statistic, subject.length);
}
const isTime = (reading: Reading, at: number): boolean =>
  senseAs(reading, at, "quantity")?.name === reading.subject.length || timeAt(reading, at) !== undefined;

interface Ranked extends Figure {
  readonly index: number;
  readonly group: number;
  readonly name: string;
}

function rankBySpeed(reading: Reading, { index, group, name, measure, said }: Ranked): void {
  const { draft, items } = reading;
  addMeasure(reading, measure);
  addDimension(reading, name);
  draft.ranked = name;
  draft.order = { by: measure, direction: hasRole(reading, index, "longest") ? "desc" : "asc" };
  const counted = [after(reading, index), before(reading, index)].find((at) => numberAt(reading, at) !== undefined);
  const count = counted === undefined ? undefined : numberAt(reading, counted);
  draft.limit = count ?? (items[group]?.said.endsWith("s") ? 10 : 1);
  const verb = before(reading, index);
  const isVerb = senseAs(reading, verb, "flag") !== undefined && /^answer/i.test(items[verb]?.said ?? "");
  use(reading, index, group, ...said, ...(isVerb ? [verb] : []), ...(counted === undefined ? [] : [counted]));
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
