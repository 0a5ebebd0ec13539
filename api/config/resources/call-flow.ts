import { z } from "zod";
import { defineResource } from "../resource.ts";
import { withRowIds } from "./rows.ts";
import { externalId, id, longText, name, rowId, shortText } from "./shapes.ts";

/** The field that each type of step needs, beside its type. */
const needs = { say: "text", ivr: "ivr_id", routing_plan: "routing_plan_id", hangup: null } as const;

const text = longText.min(1).describe("What the caller hears.");
const stepAnswer = z.discriminatedUnion("type", [
  z.object({ id: rowId, type: z.literal("say").describe("What the step does."), text }),
  z.object({ id: rowId, type: z.literal("ivr").describe("What the step does."), ivr_id: z.string() }),
  z.object({ id: rowId, type: z.literal("routing_plan").describe("What the step does."), routing_plan_id: z.string() }),
  z.object({ id: rowId, type: z.literal("hangup").describe("What the step does.") }),
]);
type StepOf<T> = T extends { readonly id: string } ? Omit<T, "id"> & { readonly id?: string } : never;
/** One step as it is kept: of its type's fields, and no others. */
export type CallFlowStep = StepOf<z.output<typeof stepAnswer>>;

const step = z
  .object({
    id: rowId.optional(),
    type: z.enum(["say", "ivr", "routing_plan", "hangup"]).describe("What the step does."),
    text: text.optional(),
    ivr_id: id.optional(),
    routing_plan_id: id.optional(),
  })
  .transform(({ id: rowOwnId, type, ...fields }, context) => {
    const field = needs[type];
    if (field !== null && fields[field] === undefined) {
      const message = `A step of the type ${type} needs its ${field}.`;
      context.addIssue({ code: "custom", params: { type: "missing" }, path: [field], message });
      return z.NEVER;
    }
    const own = { ...(rowOwnId === undefined ? {} : { id: rowOwnId }), type };
    return { ...own, ...(field === null ? {} : { [field]: fields[field] }) } as CallFlowStep;
  });

/** The steps that a campaign's calls go through, in order: the first one that takes a call away ends the flow. */
export const callFlow = defineResource({
  type: "call_flow",
  path: "call-flows",
  param: "call_flow_id",
  title: { one: "call flow", many: "call flows" },
  writable: z.object({
    name,
    steps: z.array(step).min(1).max(50),
    is_active: z.boolean().default(true),
    external_id: externalId,
  }),
  readOnly: { steps: z.array(stepAnswer) },
  filters: {
    name: shortText.optional(),
    external_id: shortText.optional(),
    is_active: z.enum(["true", "false"]).optional(),
  },
  references: ({ steps }) =>
    steps.flatMap((row, index) => {
      if (row.type === "ivr") return [{ type: "ivr", id: row.ivr_id, loc: ["steps", index, "ivr_id"] }];
      if (row.type !== "routing_plan") return [];
      return [{ type: "routing_plan", id: row.routing_plan_id, loc: ["steps", index, "routing_plan_id"] }];
    }),
  prepare: (written, context) => ({ ...written, steps: withRowIds(written.steps, "steps", context) }),
  example: {
    name: "Greeting, then the menu",
    steps: [
      { type: "say", text: "This call may be recorded." },
      { type: "ivr", ivr_id: "IVR_ID" },
      { type: "routing_plan", routing_plan_id: "ROUTING_PLAN_ID" },
      { type: "hangup" },
    ],
  },
});
