import { z } from "zod";
import { toDecimal } from "../../../ingest/parse.ts";
import { toE164 } from "../../../ingest/phone-number.ts";
import { callId, dollars, isReserved, notReserved } from "../../../ingest/primitives.ts";

/** Forms send everything as text, and what is empty there was not sent. */
const fromText = <S extends z.ZodType>(schema: S, read: (text: string) => unknown) =>
  z.preprocess((given) => (typeof given === "string" ? read(given.trim()) : given), schema);

/** What is no number stays a text, for the refusal to show it. */
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

/** The idempotency key (spec: Inbound idempotency); an empty one is none. */
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
/** Which call is meant; its id is more than its caller. */
const subject = {
  transaction_id: transactionId,
  call_id: fromText(callId.nullish(), unlessEmpty),
  caller_id: fromText(caller.nullish(), unlessEmpty),
};
const hasSubject = ({ call_id, caller_id }: { call_id?: unknown; caller_id?: unknown }): boolean =>
  Boolean(call_id ?? caller_id);
const noSubject = { message: "call_id or caller_id is needed", path: ["call_id"], params: { type: "missing" } };

/** Whatever else is sent is kept with the request, and becomes a tag where it is one of the organization's. */
export const callDataBody = z.looseObject({ caller_id: caller, transaction_id: transactionId });
export type CallDataBody = z.output<typeof callDataBody>;

export const updateRevenueBody = z
  .object({ ...subject, revenue: amount, payout: amount, converted: truth, reason: z.string().max(500).nullish() })
  .refine(hasSubject, noSubject)
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

/** What of a call can be written; null empties it. */
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
