import { z } from "zod";
import { parseJson, toDecimal } from "../../../ingest/parse.ts";
import { toE164 } from "../../../ingest/phone-number.ts";
import { callId, dollars, isReserved, notReserved } from "../../../ingest/primitives.ts";
import type { Resource } from "../../config/registry.ts";
import { bodyFault, type Fields, parseFormOrJson } from "../../serve/raw-body.ts";

export type WebhookType = Resource<"incoming_webhook">["type"];

/** The four types by the paths of requests. */
export const typesByPath: ReadonlyMap<string, WebhookType> = new Map([
  ["call-data", "call_data"],
  ["update-revenue", "update_revenue"],
  ["update-tags", "update_tags"],
  ["update-fields", "update_fields"],
]);

/** Forms send everything as text; an empty field is a missing one. */
const fromText = <S extends z.ZodType>(schema: S, read: (text: string) => unknown) =>
  z.preprocess((given) => (typeof given === "string" ? read(given.trim()) : given), schema);

/** A text that is no number stays as it is, for the refusal to show it. */
const toAmount = (text: string): number | string => (Number.isNaN(toDecimal(text)) ? text : toDecimal(text));
const amount = fromText(dollars.nullish(), (text) => (text === "" ? undefined : toAmount(text)));
const truths: ReadonlyMap<string, boolean> = new Map([
  ...(["true", "1", "yes"] as const).map((text) => [text, true] as const),
  ...(["false", "0", "no"] as const).map((text) => [text, false] as const),
]);
export const toTruth = (text: string): boolean | undefined => truths.get(text.toLowerCase());
const truth = fromText(z.boolean().nullish(), (text) => (text === "" ? undefined : (toTruth(text) ?? text)));

const caller = z
  .string()
  .max(64)
  .transform((text, context) => {
    const number = toE164(text);
    if (number !== null) return number;
    context.addIssue({
      code: "custom",
      message: "can be no phone number: send it in E.164, like +12125550123",
      params: { type: "caller_id_invalid" },
    });
    return z.NEVER;
  });

/** The idempotency key; an empty one is none. */
const transactionId = z
  .string()
  .max(255)
  .nullish()
  .transform((id) => id || null);

const scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(z.string().max(1024));
const tagNames = z
  .string()
  .min(1)
  .max(64)
  .refine((name) => !isReserved(name), notReserved);
const givenTags = z
  .record(tagNames, scalar)
  .refine((all) => Object.keys(all).length <= 100, "at most 100 tags")
  .optional();

const text = (max: number) => z.union([z.string(), z.number()]).transform(String).pipe(z.string().trim().max(max));

const unlessEmpty = (text: string): string | undefined => text || undefined;
/** The call; its id wins over its caller. */
const subject = {
  transaction_id: transactionId,
  call_id: fromText(callId.nullish(), unlessEmpty),
  caller_id: fromText(caller.nullish(), unlessEmpty),
};
const hasSubject = ({ call_id, caller_id }: { call_id?: unknown; caller_id?: unknown }): boolean =>
  Boolean(call_id ?? caller_id);
const noSubject = { message: "call_id or caller_id is needed", path: ["call_id"], params: { type: "missing" } };

/** Other fields are kept with the request, and become tags if the organization has custom tags of their names. */
export const callDataBody = z.looseObject({ caller_id: caller, transaction_id: transactionId });
export type CallDataBody = z.output<typeof callDataBody>;

/** A call that did not convert is worth nothing: says so where amounts are sent beside `converted: false`. */
export function refuseAmountsOfUnconverted(
  { converted, ...amounts }: { readonly converted?: boolean | null | undefined },
  context: z.RefinementCtx,
): void {
  if (converted !== false) return;
  for (const field of ["revenue", "payout", "revenue_delta", "payout_delta"]) {
    const amount = (amounts as Readonly<Record<string, unknown>>)[field];
    if (typeof amount !== "number" || amount === 0) continue;
    const message = "contradicts converted: false, which makes the call worth nothing: send one of them";
    context.addIssue({ code: "custom", path: [field], message, params: { type: "contradictory" }, input: amount });
  }
}

export const updateRevenueBody = z
  .object({ ...subject, revenue: amount, payout: amount, converted: truth, reason: z.string().max(500).nullish() })
  .refine(hasSubject, noSubject)
  .superRefine(refuseAmountsOfUnconverted)
  .refine(({ revenue, payout, converted }) => (revenue ?? payout ?? converted ?? null) !== null, {
    message: "revenue, payout or converted is needed",
    path: ["revenue"],
    params: { type: "missing" },
  });
export type UpdateRevenueBody = z.output<typeof updateRevenueBody>;

export const updateTagsBody = z
  .object({
    ...subject,
    add: givenTags,
    tags: givenTags,
    remove: z
      .preprocess((given) => (typeof given === "string" ? [given] : given), z.array(tagNames).max(100))
      .optional(),
  })
  .refine(hasSubject, noSubject)
  .refine(({ add, tags, remove }) => (add ?? tags ?? remove) !== undefined, {
    message: "add, tags or remove is needed",
    path: ["add"],
    params: { type: "missing" },
  });

/** Fields of a call that can be written; null empties one. */
const writable = z.object({
  caller_zip: text(32).nullish(),
  caller_state: text(64).nullish(),
  external_id: text(64).nullish(),
  disposition: text(255).nullish(),
  notes: text(1024).nullish(),
});
export const writableFields = Object.keys(writable.shape) as (keyof typeof writable.shape)[];
export const updateFieldsBody = z.object({ ...subject, fields: writable.loose() }).refine(hasSubject, noSubject);
export type UpdateFieldsBody = z.output<typeof updateFieldsBody>;

/** Fields that a form may have. */
const maxFormFields = 1000;
/** Fields that a form sends as JSON, or as `add[key]=value`. */
const structured: ReadonlySet<string> = new Set(["add", "tags", "remove", "fields", "custom_data"]);

/** Parses a JSON object or a form. */
export function parseBody(text: string, contentType: string | undefined): Readonly<Record<string, unknown>> {
  const body = parseFormOrJson(text, contentType);
  return body.kind === "form" ? toFields(body.fields) : body.value;
}

/** A repeated name makes a list; `name[key]` is a key of an object, `name[]` an item of a list. */
function toFields(fields: Fields): Readonly<Record<string, unknown>> {
  if (fields.length > maxFormFields) throw bodyFault("too_long", `A form may have ${maxFormFields} fields.`);
  const whole = new Map<string, unknown>();
  const objects = new Map<string, Map<string, string>>();
  for (const [given, value] of fields) {
    const [, name = given, key = ""] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(given) ?? [];
    if (key === "") addTo(whole, name, given.endsWith("[]") ? [value] : parseField(name, value));
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

function parseField(name: string, text: string): unknown {
  if (!structured.has(name) || !/^\s*[[{]/.test(text)) return text;
  const parsed = parseJson(text);
  if (!parsed.ok) throw bodyFault("json_invalid", `The field ${name} is not valid JSON: ${parsed.error}`);
  return parsed.value;
}
