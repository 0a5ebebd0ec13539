import { z } from "zod";
import { describeCatalog } from "../../assistant/catalog/describe.ts";
import { units } from "../../assistant/catalog/field.ts";
import { grains, subjectNames } from "../../assistant/plan.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";

const named = z.object({ name: z.string(), label: z.string(), definition: z.string(), synonyms: z.array(z.string()) });
const unit = z.enum(units);

const subject = z.object({
  name: z.enum(subjectNames),
  label: z.string(),
  time: z.string(),
  default_measure: z.string(),
  has_tags: z.boolean(),
  synonyms: z.array(z.string()),
  measures: z.array(named.extend({ unit })),
  dimensions: z.array(
    named.extend({
      column: z.string(),
      own: z.boolean(),
      values: z.array(z.object({ value: z.string(), words: z.array(z.string()) })),
    }),
  ),
  flags: z.array(named.extend({ opposites: z.array(z.string()) })),
  quantities: z.array(named.extend({ unit })),
  listing: z.array(z.string()),
});

const catalogSchema = z.object({
  subjects: z.array(subject),
  grains: z.array(z.object({ name: z.enum(grains), label: z.string() })),
  steps: z.array(z.string()),
  statistics: z.array(z.string()),
});

/** What the assistant can be asked about; the same for every organization. */
export const catalogOperation: Operation = defineOperation({
  tag: "Reporting assistant",
  access: "user",
  limit: "assistant",
  status: 200,
  method: "get",
  path: "/reporting_ai/catalog",
  summary: "Everything that may be asked about: measures, groupings and facts, in plain words",
  answer: catalogSchema,
  handle: () => Promise.resolve(describeCatalog()),
});
