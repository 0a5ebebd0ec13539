import { z } from "zod";
import { isSystemTag } from "../../outbound/webhook-placeholders.ts";
import { conflict } from "../../serve/errors.ts";
import { defineResource } from "../resource.ts";
import { name, shortText } from "./shapes.ts";

export const tagKey = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,63}$/, "must be lower case letters, digits and _, beginning with a letter");

/** A tag of the organization's own; the placeholder `[LEAD_TYPE]` stands for the key `lead_type`. */
export const customTag = defineResource({
  type: "custom_tag",
  path: "custom-tags",
  param: "custom_tag_id",
  title: { one: "custom tag", many: "custom tags" },
  nameField: "key",
  writable: z.object({
    key: tagKey.describe("The tag's name in calls; its placeholder is the same in capitals."),
    name: name.optional(),
    data_type: z.enum(["string", "number", "boolean"]).default("string").describe("What its values are read as."),
    description: z.string().max(2000).optional(),
    is_active: z.boolean().default(true),
  }),
  filters: { key: shortText.optional(), is_active: z.enum(["true", "false"]).optional() },
  prepare(written, { previous }) {
    const name = written.key.toUpperCase();
    if (written.key !== previous?.key && isSystemTag(name)) {
      throw conflict(`The placeholder [${name}] is the platform's own: choose another key than ${written.key}.`);
    }
    return written;
  },
  uniqueKey: ({ key }) => ({ key: key.toLowerCase(), field: "key" }),
  example: { key: "lead_type", name: "Lead type" },
});
