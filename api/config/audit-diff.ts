import { isDeepStrictEqual } from "node:util";
import type { AuditRecord } from "../../ingest/audit.ts";
import { cutText } from "../../ingest/primitives.ts";
import type { Fields } from "./document.ts";
import type { ResourceDefinition } from "./resource.ts";

type Changes = AuditRecord["changes"];
interface Values {
  readonly old: unknown;
  readonly new: unknown;
}
type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** Fields left out of the diff: they change with every write or are recorded elsewhere. */
const unaudited = ["id", "org_id", "created_at", "updated_at", "resumed_at"];

/**
 * Characters of the changes of one record, as JSON. A character is three bytes at most, and quotes in a cut value take
 * twice their room: with all that a record stays below the mebibyte that the log takes as one message.
 */
const maxLength = 200 * 1024;

/**
 * Returns the fields that differ, old and new, with secrets masked as `***` wherever they are nested. Values too long for
 * one record are reduced to the rows that differ, with the number of others, and if still too long are cut, with a mark.
 */
export function diffDocuments(definition: Pick<ResourceDefinition, "secrets">, old: Fields, changed: Fields): Changes {
  const mask = createMask(new Set(definition.secrets));
  const fields = [...new Set([...Object.keys(old), ...Object.keys(changed)])].filter(
    (name) => !unaudited.includes(name) && !isDeepStrictEqual(old[name], changed[name]),
  );
  const show = (field: string, { old: before, new: after }: Values) => ({
    field,
    old: mask(before, field),
    new: mask(after, field),
  });
  const whole = fields.map((field) => show(field, { old: old[field], new: changed[field] }));
  if (JSON.stringify(whole).length <= maxLength) return whole;
  const share = Math.floor(maxLength / (2 * fields.length));
  return fields.map((field) => {
    const shown = show(field, withoutUnchangedRows({ old: old[field], new: changed[field] }));
    return { field, old: cutValue(shown.old, share), new: cutValue(shown.new, share) };
  });
}

/** Returns a record's changes without their values, for a record that is too large for the log. */
export const cutChanges = (changes: Changes): Changes =>
  changes.map(({ field }) => ({ field: cutText(field, 255), old: "[cut]", new: "[cut]" }));

function cutValue(value: unknown, length: number): unknown {
  const text = JSON.stringify(value);
  return text.length <= length ? value : cutText(text, length);
}

/** Reduces two lists of rows to the rows that differ. */
function withoutUnchangedRows(values: Values): Values {
  const { old, new: changed } = values;
  if (!isRows(old) || !isRows(changed)) return values;
  const [before, after] = [byId(old), byId(changed)];
  const same = new Set(old.filter((row) => isDeepStrictEqual(row, after.get(row.id))).map(({ id }) => id));
  const mark = same.size === 0 ? [] : [{ unchanged_rows: same.size }];
  const differing = (rows: ReadonlyMap<string, Row>) => [
    ...[...rows.values()].filter(({ id }) => !same.has(id)),
    ...mark,
  ];
  return { old: differing(before), new: differing(after) };
}

const byId = (rows: readonly Row[]): ReadonlyMap<string, Row> => new Map(rows.map((row) => [row.id, row]));

const isRows = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null && typeof row.id === "string");

function createMask(secrets: ReadonlySet<string>) {
  return function mask(value: unknown, name: string): unknown {
    if (value === undefined || value === null) return null;
    if (secrets.has(name)) return "***";
    if (typeof value === "string") return maskAddress(value);
    if (Array.isArray(value)) return value.map((each) => mask(each, ""));
    if (typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, mask(each, key)]));
  };
}

const scheme = /^\s*[a-z][a-z0-9+.-]*:\/\//i;

/** Masks the user and password of an address, and the values of its query, which may be tokens. */
export function maskAddress(text: string): string {
  if (!scheme.test(text)) return text;
  const [beforeQuery = "", ...query] = text.split("?");
  const shown = beforeQuery.replace(/(:\/\/)[^/#]*@/, "$1***@");
  return query.length === 0 ? shown : `${shown}?${query.join("?").replace(/[^&#]+/g, maskParameter)}`;
}

/** Masks the value of a query parameter; one without a name is all value. */
const maskParameter = (parameter: string): string =>
  parameter.includes("=") ? parameter.replace(/=.*$/s, "=***") : "***";
