import { z } from "zod";
import { isSystemTag } from "../../outbound/webhook-placeholders.ts";
import { defineResource } from "../resource.ts";
import { tagKey } from "./custom-tag.ts";
import { destination, referencesOfDestination } from "./destination.ts";
import { withRowIds } from "./rows.ts";
import { externalId, longText, name, rowId, shortText } from "./shapes.ts";

const digits = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "*", "#"] as const;

/** A key of the caller's telephone, and where it leads. */
const choice = z.object({
  id: rowId.optional(),
  digit: z.enum(digits),
  label: name.optional().describe("What the choice means; kept as a tag of the call."),
  destination,
});

const choices = z
  .array(choice)
  .max(digits.length)
  .superRefine((all, context) => {
    all.forEach(({ digit }, index) => {
      if (all.findIndex((each) => each.digit === digit) === index) return;
      const params = { type: "duplicate_digit" };
      const message = `Another choice has the digit ${digit}: each needs its own.`;
      context.addIssue({ code: "custom", params, path: [index, "digit"], message, input: digit });
    });
  });

/** The tag must not stand in for one of the platform's own, which webhooks and filters look up by the same names. */
const choiceTag = tagKey.refine(
  (key) => !isSystemTag(key.toUpperCase()),
  "is a name of the platform's own: choose another",
);

/**
 * An interactive voice menu: it greets, waits for a digit, asks again up to `max_retries` times, and then sends the
 * call where `no_input` or `invalid_input` says, or hangs up. Menus may lead back to each other.
 */
export const ivr = defineResource({
  type: "ivr",
  path: "ivrs",
  param: "ivr_id",
  title: { one: "IVR", many: "IVRs" },
  writable: z.object({
    name,
    greeting: longText.min(1).describe("What the caller hears, as text that is said."),
    menu: choices.default([]),
    max_retries: z.number().int().min(0).max(10).default(2),
    timeout_seconds: z.number().int().min(1).max(60).default(5),
    invalid_input: destination
      .describe("Where the call goes after the last digit that is no choice; without one it is hung up.")
      .optional(),
    no_input: destination
      .describe("Where the call goes when the caller gives no digit in time; without one it is hung up.")
      .optional(),
    choice_tag: choiceTag
      .describe("Tag of the call that keeps the label of the choice, or its digit where it has no label.")
      .default("ivr_choice"),
    is_active: z.boolean().default(true),
    external_id: externalId,
  }),
  readOnly: { menu: z.array(choice.extend({ id: rowId })) },
  filters: {
    name: shortText.optional(),
    external_id: shortText.optional(),
    is_active: z.enum(["true", "false"]).optional(),
  },
  references: ({ menu, invalid_input, no_input }) => [
    ...menu.flatMap((row, index) => referencesOfDestination(row.destination, ["menu", index, "destination"])),
    ...referencesOfDestination(invalid_input, ["invalid_input"]),
    ...referencesOfDestination(no_input, ["no_input"]),
  ],
  prepare: (written, context) => ({ ...written, menu: withRowIds(written.menu, "menu", context) }),
  example: {
    name: "Solar or roofing",
    greeting: "For solar, press 1. For roofing, press 2. To hear this again, press star.",
    menu: [
      { digit: "1", label: "solar", destination: { routing_plan_id: "ROUTING_PLAN_ID" } },
      { digit: "2", label: "roofing", destination: { rtb_group_id: "RTB_GROUP_ID" } },
      { digit: "*", destination: { ivr_id: "IVR_ID" } },
    ],
    no_input: { target_id: "TARGET_ID" },
  },
});
