import { describe, expect, it } from "vitest";
import { z } from "zod";
import { definitions, storedDocumentFault, toDocument } from "../../../api/config/registry.ts";
import { timezone } from "../../../api/config/resources/shapes.ts";
import { createTypeCheck } from "../../../api/config/type-check.ts";
import { orgOne, secondsIn } from "../../make.ts";

const schema = z.object({
  name: z.string().min(3),
  limit: z.number().max(10).default(5),
  action: z.enum(["route", "reject"]).optional(),
  zone: timezone.optional(),
  days: z.array(z.union([z.string(), z.number()])).prefault([]),
  times: z.record(z.string(), z.object({ at: z.string().nullable() })).optional(),
  method: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(["GET", "POST"]))
    .optional(),
});
const check = createTypeCheck(schema);

describe("the kinds of a document", () => {
  it.each([
    ["a field that is missing", {}, "name: must be text"],
    ["text for a number", { limit: "7" }, "limit: must be a number"],
    ["a word that is none of those", { action: "dance" }, "action: must be one of route, reject"],
    ["a zone that there is not", { zone: "Mars/Olympus" }, "zone: must be a time zone"],
    ["an object for a list", { days: {} }, "days: must be a list"],
    ["an entry of no form", { days: [1, "two", null] }, "days.2: has none of the forms that it may have"],
    ["a list for an object", { times: [] }, "times: must be an object"],
    ["a number deep inside", { times: { monday: { at: 7 } } }, "times.monday.at: must be text"],
    ["a word that is none of those in the end", { method: "LOOK" }, "method: must be one of GET, POST"],
  ])("are not met by %s", (_name, given, why) => {
    const doc = "name" in given || Object.keys(given).length === 0 ? given : { name: "abc", ...given };
    expect(check(doc)).toBe(why);
  });

  it.each([
    ["no more than what must be there", { name: "abc" }],
    ["what is shorter, or more, than is taken now", { name: "a", limit: 99 }],
    ["fields that nobody knows", { name: "abc", version: -5 }],
    ["every kind", { name: "abc", action: "route", zone: "UTC", days: [1, "two"], times: { a: { at: null } } }],
  ])("are met by %s", (_name, doc) => {
    expect(check(doc)).toBeNull();
  });

  it("are met by the example of every resource as it is kept", () => {
    const about = { id: "1", org_id: orgOne, created_at: secondsIn(0), updated_at: secondsIn(0) };
    for (const { type, example } of definitions.values()) {
      const doc = toDocument(type as "buyer", { ...(example as { name: string }), ...about });
      expect([type, storedDocumentFault(type, JSON.parse(JSON.stringify(doc)))]).toEqual([type, null]);
    }
  });
});
