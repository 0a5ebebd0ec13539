import { z } from "zod";
import { toE164 } from "../../../ingest/phone-number.ts";
import { timestamp } from "../../../ingest/primitives.ts";
import { isTimeZone } from "../../../ingest/time-zone.ts";
import { toOperator } from "../../conditions/operators.ts";
import {
  boundsInWords,
  checkBounds,
  checkPatterns,
  filterBounds,
  type PlacedCondition,
  planBounds,
} from "../filter-bounds.ts";
import { toWeekday } from "../weekday.ts";

/** Shapes that several resources share. */

export const shortText = z.string().max(255);
export const longText = z.string().max(4096);
/** An address that requests are sent to. Placeholders may stand in it, and never in place of its scheme. */
export const httpUrl = longText.regex(/^https?:\/\/[^\s/]/i, "must be an http or https address");
/** A name that people read: without blanks around it, and never of blanks alone. */
export const name = z.string().trim().min(1).max(255);
export const id = z.string().min(1).max(64);
export const rowId = z.string().min(1).max(36);
export const externalId = z.string().min(1).max(64).optional();
export const money = z.number().finite().min(0).max(1_000_000_000);
export const percentage = z.number().min(0).max(100);
export const count = z.number().int().min(0).max(1_000_000_000);
export const ids = z.array(id).max(1000);

const maxDepth = 32;

/** Any JSON, not nested deeper than anybody means to: what walks it later may do so by recursion. */
export const anyJson = z
  .unknown()
  .refine((value) => isShallow(value, maxDepth), `must not be nested deeper than ${maxDepth} levels`);

function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isShallow(each, depth - 1));
}

/** Free-form objects with arbitrary keys, stored as they are sent. */
export const freeForm = z.record(z.string().max(255), anyJson);
export const advancedCaps = z.array(freeForm).max(100);

/** E.164; what comes in another form is read as a number of the United States. */
export const e164 = z.string().regex(/^\+[1-9]\d{6,14}$/, "must be a phone number in E.164, like +12125550123");

/** Empty, or a number that can be dialled; one that names no country is read as one of the United States. */
export const dialledNumber = shortText.refine(
  (text) => text.trim() === "" || toE164(text) !== null,
  "must be a phone number that can be dialled, like +12125550123",
);

/** A SIP address with its scheme, or as user@host, before which switches are given `sip:`. */
const sipAddress = /^(sips?:([^\s@]+@)?[\w[][^\s@]*|[^\s@:/]+@[\w[][^\s@]*)$/i;
const isSipAddress = (text: string): boolean => sipAddress.test(text.trim());

/** Empty, or a SIP address. */
export const sipEndpoint = shortText.refine(
  (text) => text.trim() === "" || isSipAddress(text),
  "must be a SIP address, like sip:agent@pbx.example",
);

/** Empty, or where a bid sends its call: a phone number, or a SIP address with its scheme. */
export const bidDestination = shortText.refine(
  (text) => text.trim() === "" || toE164(text) !== null || (/^\s*sips?:/i.test(text) && isSipAddress(text)),
  "must be a phone number that can be dialled, like +12125550123, or a SIP address, like sip:agent@pbx.example",
);

export const timezone = z
  .string()
  .refine(isTimeZone, "must be the name of an IANA time zone, like America/New_York")
  .meta({ description: "Name of an IANA time zone.", examples: ["America/New_York"] });

/** An operator's name in any case; spaces and hyphens count as underscores. */
const filterOperator = z
  .string()
  .max(64)
  .refine((operator) => toOperator(operator) !== null, "is no operator that filters know");

const condition = z.object({
  field: shortText.describe("A field of the call, such as caller_id, state, zip or publisher_id, or the key of a tag."),
  operator: filterOperator,
  values: z
    .array(z.string().max(1024))
    .max(1000)
    .optional()
    .describe("What the field is compared with; any may match."),
});

const combinator = z.enum(["and", "or"]).optional();
export const filters = z
  .object({
    enabled: z.boolean().optional(),
    combinator,
    groups: z
      .array(
        z.object({
          combinator,
          conditions: z.array(condition).max(100),
        }),
      )
      .max(100)
      .optional(),
  })
  .superRefine((given, context) => {
    // Patterns are compiled, and checked one by one, only if there are not too many.
    if (checkBounds(conditionsOf(given), context)) checkPatterns(conditionsOf(given), context);
  })
  .describe(
    `Conditions of a group all hold, and any group does, unless their combinators say otherwise. All groups together have at most ${boundsInWords(filterBounds)}; what all destinations of a routing plan have together, at most ${boundsInWords(planBounds)}. Filters that would take too much work for one call do not match (\`filters_too_costly\`).`,
  )
  .meta({ id: "Filters" });

export type Filters = z.infer<typeof filters>;

/** Returns the conditions of filters, of disabled ones too: enabling them changes no condition. */
export function* conditionsOf({ groups = [] }: Filters): Generator<PlacedCondition> {
  for (const [group, { conditions }] of groups.entries())
    for (const [index, { operator, values = [] }] of conditions.entries())
      yield { operator, values, path: ["groups", group, "conditions", index] };
}

const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, "must be a time as HH:MM");
export const hoursOfOperation = z
  .object({
    always_open: z.boolean().optional(),
    days: z
      .array(
        z.object({
          day: z
            .union([shortText, z.number().int()])
            .refine(
              (day) => toWeekday(day) !== null,
              "must be the name of a day, or its number from 0 for Sunday to 6",
            ),
          hours: anyJson.optional().describe("HH:MM-HH:MM, several by commas, where there are no `timeRanges`."),
          isOpen: z.boolean().optional(),
          timeRanges: z
            .array(
              z.object({
                start: clockTime.describe("First minute."),
                end: clockTime.describe("Minute after the last one."),
              }),
            )
            .max(24)
            .optional(),
        }),
      )
      .max(31)
      .optional(),
  })
  .meta({ id: "HoursOfOperation" });

export type HoursOfOperation = z.infer<typeof hoursOfOperation>;

/**
 * Fields of targets and RTB formulas: when an earlier call of the same caller makes this one a duplicate, and what
 * follows.
 */
export const duplicateRules = {
  conversion_scope: z.number().int().min(0).default(3),
  duplicate_conversion_action: z
    .enum(["decline", "route_no_pay", "route_no_revenue", "route_no_revenue_no_pay"])
    .default("decline"),
  consider_duplicate: z.boolean().default(false),
  consider_duplicate_on: shortText.optional(),
  consider_duplicate_length: count.optional(),
  consider_duplicate_interval: z.number().int().min(1).max(3650).default(30),
};

export const recordings = {
  disable_recordings: z.boolean().default(false),
  access_to_call_recordings: z.boolean().default(true),
};

/** Read-only pause fields of a row inside a document. */
export const rowPause = {
  is_paused: z.boolean(),
  paused_at: timestamp.nullable(),
  paused_until: timestamp.nullable(),
  paused_by: z.string().nullable(),
};

/** A name beside an id. */
export const named = z.object({ id: z.string(), name: z.string() });
