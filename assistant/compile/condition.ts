import {
  boolean,
  integer,
  join,
  number,
  raw,
  type SqlValue,
  type Statement,
  sql,
  text,
  time,
} from "../../warehouse/statement.ts";
import { workdays } from "../calendar.ts";
import { findBin } from "../catalog/bins.ts";
import { findDimension, findFlag, findQuantity, tagKey } from "../catalog/catalog.ts";
import type { Subject } from "../catalog/field.ts";
import { findHours, type Hours, otherHours } from "../catalog/hours.ts";
import { alternatives, type Filter, isRecurring, type Period } from "../plan.ts";
import type { Dialect, Likely } from "./dialect.ts";

type Comparator = "more_than" | "at_least" | "less_than" | "at_most";
const comparators: Readonly<Record<Comparator, string>> = {
  more_than: ">",
  at_least: ">=",
  less_than: "<",
  at_most: "<=",
};

const toValue = (value: string | number | boolean): SqlValue => {
  if (typeof value === "string") return text(value);
  if (typeof value === "boolean") return boolean(value);
  return Number.isInteger(value) ? integer(value) : number(value);
};

/** `column IN (…)`, or its opposite, which also holds where the column is empty. */
export function compare(column: Statement, { op, values }: Filter, dialect: Dialect): Statement {
  const [first = ""] = values;
  if (op === "empty") return sql`${column} IS NULL`;
  if (op === "not_empty") return sql`${column} IS NOT NULL`;
  if (op === "contains") return containing(column, values, dialect);
  if (op === "not_contains") return sql`(${column} IS NULL OR NOT ${containing(column, values, dialect)})`;
  if (op !== "is" && op !== "is_not") return sql`${column} ${raw(comparators[op])} ${toValue(first)}`;
  const list = join(
    values.map((value) => sql`${toValue(value)}`),
    ", ",
  );
  const positive = values.length === 1 ? sql`${column} = ${toValue(first)}` : sql`${column} IN (${list})`;
  if (op === "is") return positive;
  const negative = values.length === 1 ? sql`${column} <> ${toValue(first)}` : sql`${column} NOT IN (${list})`;
  return sql`(${column} IS NULL OR ${negative})`;
}

/** `contains`, regardless of case; wildcards in the values are plain characters. */
function containing(column: Statement, values: Filter["values"], dialect: Dialect): Statement {
  const each = values.map((value) => dialect.contains(column, String(value)));
  return sql`(${join(each, " OR ")})`;
}

export interface Reader {
  readonly dialect: Dialect;
  readonly zone: string;
  readonly likely: Likely | undefined;
}

/** The column, or the expression, behind a dimension, steps of a quantity, or a quantity. */
export function toColumn(subject: Subject, name: string, { dialect, zone, likely }: Reader): Statement {
  if (isRecurring(name)) return dialect.bucket(dialect.local(raw(subject.time), zone, likely), name);
  const bin = findBin(subject, name);
  if (bin !== undefined) return dialect.bin(raw(bin.quantity.column), bin.width);
  const hours = findHours(name);
  if (hours !== undefined) return inHours(hours, dialect, dialect.local(raw(subject.time), zone, likely));
  const key = tagKey(name);
  const field = findDimension(subject, name) ?? findQuantity(subject, name);
  if (field === undefined) throw new Error(`The catalog has no "${name}" of ${subject.name}.`);
  return key === undefined ? raw(field.column) : dialect.tag(raw(field.column), key);
}

/** The label of the hours that a time lies in; of the working hours also where it lies in none. */
function inHours(all: readonly Hours[], dialect: Dialect, at: Statement): Statement {
  const hour = dialect.bucket(at, "hour_of_day");
  const cases = all.map(({ from, to, days, label }) => {
    const joint = from < to ? " AND " : " OR ";
    const isWithin = sql`(${hour} >= ${integer(from)}${raw(joint)}${hour} < ${integer(to)})`;
    const isOnDay = days === workdays ? sql` AND ${dialect.bucket(at, "kind_of_day")} = ${text("weekday")}` : sql``;
    return sql`WHEN ${isWithin}${isOnDay} THEN ${text(label)}`;
  });
  const rest = all.some(({ days }) => days === workdays) ? sql`ELSE ${text(otherHours)} ` : sql``;
  return sql`CASE ${join(cases, " ")} ${rest}END`;
}

/** `one`, or where there are several alternatives any of them, in brackets. */
export function anyOf(filter: Filter, one: (condition: Filter) => Statement): Statement {
  const all = alternatives(filter).map(one);
  const [only, other] = all;
  return only !== undefined && other === undefined ? only : sql`(${join(all, " OR ")})`;
}

export const toCondition = (subject: Subject, filter: Filter, reader: Reader): Statement =>
  anyOf(filter, (each) => conditionOf(subject, each, reader));

function conditionOf(subject: Subject, filter: Filter, reader: Reader): Statement {
  const flag = findFlag(subject, filter.field);
  if (flag !== undefined) {
    const wanted = (filter.op === "is") === (filter.values[0] === true);
    return wanted ? raw(flag.condition) : sql`NOT (${raw(flag.condition)})`;
  }
  const held = compare(toColumn(subject, filter.field, reader), filter, reader.dialect);
  const where = findQuantity(subject, filter.field)?.where;
  // A row without such a number is neither more nor less than a bound.
  return where === undefined ? held : sql`(${held} AND ${raw(where)})`;
}

/** The condition of rows that fall into steps: those that have the quantity. */
export function isBinned(subject: Subject, name: string): readonly Statement[] {
  const quantity = findBin(subject, name)?.quantity;
  if (quantity === undefined) return [];
  const known = sql`${raw(quantity.column)} IS NOT NULL`;
  return [known, ...(quantity.where === undefined ? [] : [raw(quantity.where)])];
}

export function within(column: string, { from, to }: Period): readonly Statement[] {
  const upper = sql`${raw(column)} < ${time(new Date(to))}`;
  return from === null ? [upper] : [sql`${raw(column)} >= ${time(new Date(from))}`, upper];
}
