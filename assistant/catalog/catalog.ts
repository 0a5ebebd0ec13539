import { type Grain, isRecurring, type OverGroups, type SubjectName } from "../plan.ts";
import { auditSubject } from "./audit.ts";
import { binAlias, binDimension, findBin, isBin } from "./bins.ts";
import { callsSubject } from "./calls.ts";
import type { Dimension, Flag, Measure, Quantity, Subject } from "./field.ts";
import { findHours, hoursDimension } from "./hours.ts";
import { inboundRtbSubject } from "./rtb-inbound.ts";
import { outboundRtbSubject } from "./rtb-outbound.ts";
import { findStatistic } from "./statistics.ts";
import { incomingSubject } from "./webhooks-incoming.ts";
import { outgoingSubject } from "./webhooks-outgoing.ts";

/** The subjects that can be asked about; of several that fit a question, the first is taken. */
export const catalog: readonly Subject[] = [
  callsSubject,
  outgoingSubject,
  incomingSubject,
  inboundRtbSubject,
  outboundRtbSubject,
  auditSubject,
];

export const grainWords: Readonly<Record<Grain, string>> = {
  hour: "hour",
  day: "day",
  week: "week",
  month: "month",
  quarter: "quarter",
  year: "year",
  hour_of_day: "hour of day",
  day_of_week: "day of week",
  kind_of_day: "weekday or weekend",
  part_of_day: "part of day",
};

export function subjectOf(name: SubjectName): Subject {
  return found(
    catalog.find((subject) => subject.name === name),
    name,
  );
}

export const measureOf = (subject: Subject, name: string): Measure => found(findMeasure(subject, name), name);
/** Finds a measure of the catalog, or a statistic of a quantity. */
export const findMeasure = (subject: Subject, name: string): Measure | undefined =>
  subject.measures.find((measure) => measure.name === name) ?? findStatistic(subject, name);

const tagPrefix = "tag:";
export const tagDimension = (key: string): string => `${tagPrefix}${key}`;
export const tagKey = (dimension: string): string | undefined =>
  dimension.startsWith(tagPrefix) ? dimension.slice(tagPrefix.length) : undefined;

/**
 * Finds a dimension of the catalog, a recurring grain, a flag (with the values yes and no), a tag (`tag:<key>`), a bin,
 * or hours that are compared.
 */
export function findDimension(subject: Subject, name: string): Dimension | undefined {
  if (isRecurring(name)) return { name, column: subject.time, words: [grainWords[name]], definition: "" };
  if (isBin(name)) return binDimension(name, findBin(subject, name));
  const key = tagKey(name);
  if (key === undefined) {
    const known = subject.dimensions.find((dimension) => dimension.name === name);
    return known ?? hoursDimension(subject, name) ?? flagDimension(findFlag(subject, name));
  }
  if (subject.tags === undefined) return undefined;
  return { name, column: subject.tags, words: [`tag ${key}`], definition: `The value of the tag ${key}.` };
}
const flagDimension = (flag: Flag | undefined): Dimension | undefined =>
  flag && {
    name: flag.name,
    column: `CASE WHEN ${flag.condition} THEN 'yes' ELSE 'no' END`,
    words: [flag.words[0]],
    definition: `yes or no. ${flag.definition}`,
  };
export const dimensionOf = (subject: Subject, name: string): Dimension => found(findDimension(subject, name), name);

export const findFlag = (subject: Subject, name: string): Flag | undefined =>
  subject.flags.find((flag) => flag.name === name);
export const findQuantity = (subject: Subject, name: string): Quantity | undefined =>
  subject.quantities.find((quantity) => quantity.name === name);

/**
 * The dimension's column in the answer: "publisher"; "tag_utm_source" for a tag, whose key could be any other column's
 * name.
 */
export function dimensionAlias(name: string): string {
  if (isBin(name)) return binAlias(name);
  if (findHours(name) !== undefined) return "hours";
  const key = tagKey(name);
  return key === undefined ? name : `tag_${key}`;
}

/** The answer's column with each group's share of a measure's total, in percent. */
export const shareName = (measure: string): string => `${measure}_share`;

/** The answer's column with a measure's running total. */
export const runningName = (measure: string): string => `${measure}_running`;

/** The answer's column with a measure's moving average. */
export const movingName = (measure: string): string => `${measure}_moving_average`;

/** The answer's column of what is told over all groups: "groups", "calls_average", "calls_least", "calls_most". */
export const overGroupsName = (measure: string, over: OverGroups): string =>
  over === "count" ? "groups" : `${measure}_${over}`;

function found<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`The catalog has no "${name}".`);
  return value;
}
