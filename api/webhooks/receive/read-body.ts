import { parseJson } from "../../../ingest/parse.ts";
import { bodyFault, type Fields, parseFormOrJson } from "../../serve/form-or-json.ts";

/** Fields that a form may have. */
const maxFormFields = 1000;
/** What a form can only send as the JSON of it, or as `add[key]=value`. */
const structured: ReadonlySet<string> = new Set(["add", "tags", "remove", "fields", "custom_data"]);

/** The object that a body is, or what is in its form. */
export function parseBody(text: string, contentType: string | undefined): Readonly<Record<string, unknown>> {
  const body = parseFormOrJson(text, contentType);
  return body.kind === "form" ? toFields(body.fields) : body.value;
}

/** A name that comes several times has a list; `name[key]` is a key of an object, `name[]` one more of a list. */
function toFields(fields: Fields): Readonly<Record<string, unknown>> {
  if (fields.length > maxFormFields) throw bodyFault("too_long", `A form may have ${maxFormFields} fields.`);
  const whole = new Map<string, unknown>();
  const objects = new Map<string, Map<string, string>>();
  for (const [given, value] of fields) {
    const [, name = given, key = ""] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(given) ?? [];
    if (key === "") addTo(whole, name, given.endsWith("[]") ? [value] : fromText(name, value));
    else objects.set(name, (objects.get(name) ?? new Map()).set(key, value));
  }
  for (const [name, keys] of objects) whole.set(name, { ...toObject(whole.get(name)), ...Object.fromEntries(keys) });
  return Object.fromEntries(whole);
}

function addTo(fields: Map<string, unknown>, name: string, value: unknown): void {
  fields.set(name, fields.has(name) ? [fields.get(name), value].flat() : value);
}

const toObject = (value: unknown): object =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};

function fromText(name: string, text: string): unknown {
  if (!structured.has(name) || !/^\s*[[{]/.test(text)) return text;
  const parsed = parseJson(text);
  if (!parsed.ok) throw bodyFault("json_invalid", `The field ${name} is not valid JSON: ${parsed.error}`);
  return parsed.value;
}
