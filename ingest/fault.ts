import type { z } from "zod";

type RawIssue = Parameters<z.core.$ZodErrorMap>[0];
type UnionIssue = Extract<RawIssue, { code: "invalid_union" }>;

/**
 * Describes for its sender what is wrong with an input: what it must be and what it is. Passed to a parse as `error`,
 * it replaces zod's own messages; a schema's own message is kept.
 */
export const describeFault: z.core.$ZodErrorMap = (issue) => {
  const { input, isNamed } = givenTo(issue);
  const rule = ruleOf(issue);
  if (input === undefined) return issue.code === "custom" ? rule : `is missing: it ${rule}`;
  const shown = isNamed && !isSecret(issue.path) ? show(input) : null;
  return shown === null ? rule : `${rule}, not ${shown}`;
};

/** Returns the value that broke a rule, and whether showing it says more than the rule does. */
function givenTo(issue: RawIssue): { readonly input: unknown; readonly isNamed: boolean } {
  const { input } = issue;
  switch (issue.code) {
    case "too_small":
    case "too_big":
      if (typeof input === "string" || Array.isArray(input)) return { input: input.length, isNamed: true };
      return { input, isNamed: typeof input !== "object" };
    case "invalid_union":
      if (issue.discriminator !== undefined) return { input: property(input, issue.discriminator), isNamed: true };
      return { input, isNamed: nearestOf(issue) === undefined };
    case "unrecognized_keys":
    case "invalid_key":
    case "custom":
      return { input, isNamed: false };
    default:
      return { input, isNamed: true };
  }
}

const property = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;

function ruleOf(issue: RawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return mustBeOneOf(issue.values);
    case "invalid_format":
      return `must be ${formats[issue.format] ?? `text of the form ${issue.pattern ?? issue.format}`}`;
    case "too_small":
      return `must ${sizeOf(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum)}`;
    case "too_big":
      return `must ${sizeOf(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum)}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "unrecognized_keys":
      return `must not have ${issue.keys.slice(0, mostNames).map(quote).join(", ")}: leave that out`;
    case "invalid_key":
      return `has a name that cannot be used: it ${issue.issues[0]?.message ?? elsewise}`;
    case "invalid_union":
      return ruleOfUnion(issue);
    default:
      return elsewise;
  }
}

/**
 * Returns the rule of the union's form that the value is nearest to; of all forms if the value has the type of none.
 */
function ruleOfUnion(issue: UnionIssue): string {
  if (issue.discriminator !== undefined) {
    return mustBeOneOf("options" in issue && Array.isArray(issue.options) ? issue.options : []);
  }
  const fault = nearestOf(issue);
  if (fault !== undefined) return `has a fault at ${fault.path.join(".")}: ${fault.message}`;
  const rules = issue.errors.flatMap(([first]) => (first === undefined ? [] : [ruleOf(first as RawIssue)]));
  const forms = [...new Set(rules.map((rule) => rule.replace(/^must be /, "")))].slice(0, mostNames);
  return forms.length === 0 ? elsewise : `must be ${forms.join(" or ")}`;
}

/** The first fault inside a value that has the kind of one of a union's forms. */
const nearestOf = ({ errors }: UnionIssue): z.core.$ZodIssue | undefined =>
  errors
    .filter((faults) => faults.every(({ path }) => path.length > 0))
    .toSorted((one, other) => one.length - other.length)[0]?.[0];

const elsewise = "must be another value";
const mostNames = 20;
function mustBeOneOf(values: readonly unknown[]): string {
  const all = values.slice(0, mostNames).map((value) => (typeof value === "string" ? quote(value) : String(value)));
  const rest = values.length > mostNames ? ` or one of ${values.length - mostNames} others` : "";
  return `must be ${all.length === 1 ? "" : "one of "}${all.join(", ")}${rest}`;
}

function sizeOf(origin: string, limit: string, size: number | bigint): string {
  const unit = units[origin];
  if (unit === undefined) return `be ${limit} ${size}`;
  return `have ${limit} ${size} ${Number(size) === 1 ? unit.one : unit.more}`;
}
const [entries, fields] = [
  { one: "entry", more: "entries" },
  { one: "field", more: "fields" },
];
const units: Readonly<Record<string, { readonly one: string; readonly more: string }>> = {
  string: { one: "character", more: "characters" },
  array: entries,
  set: entries,
  object: fields,
  record: fields,
  map: fields,
};

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
  array: "a list",
  tuple: "a list",
  object: "an object",
  record: "an object",
  nonoptional: "sent",
  date: "a date",
  undefined: "left out",
  never: "left out",
  bigint: "a whole number",
};

const formats: Readonly<Record<string, string>> = {
  url: "an address such as https://example.com/path",
  email: "an e-mail address such as ann@example.com",
  uuid: "a UUID",
  datetime: "a time of ISO 8601, like 2026-01-31T12:00:00Z",
  date: "a day of ISO 8601, like 2026-01-31",
};

const mostShown = 60;
/** A value as a sentence repeats it: a short one whole, a list or an object by its kind alone. */
function show(value: unknown): string | null {
  if (typeof value === "string") return quote(value.length > mostShown ? `${value.slice(0, mostShown)}…` : value);
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return Number.isNaN(value) ? null : String(value);
}

const quote = (text: string): string => JSON.stringify(text.toWellFormed());

/** Returns true for paths of secrets, whose values no message and no log repeats. */
export const isSecret = (path: readonly PropertyKey[] | undefined): boolean =>
  /password|secret|token|api_?key|auth/i.test(String(path?.at(-1) ?? ""));
