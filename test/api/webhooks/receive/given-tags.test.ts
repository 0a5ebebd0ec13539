import { describe, expect, it } from "vitest";
import { callDataBody } from "../../../../api/webhooks/receive/bodies.ts";
import { tagNameOf, tagsAsNamed, tagsOfCallData } from "../../../../api/webhooks/receive/given-tags.ts";
import { aConfig } from "./rig.ts";

const config = aConfig();
const ofCallData = (body: object) =>
  tagsOfCallData(callDataBody.parse({ caller_id: "+12125550123", transaction_id: "t", ...body }), config);

describe("fields of call data", () => {
  it("are tags where the organization has such a one, in any case, and all others are named", () => {
    const given = { lead_type: "solar", LEAD_SCORE: 87, Is_Owner: true, retired: "x", note: "x", call_id: "x" };
    expect(ofCallData(given)).toEqual({
      tags: { lead_type: "solar", lead_score: "87", is_owner: "true" },
      ignored: ["retired", "note", "call_id"],
    });
  });

  it("are tags from custom_data, too, where the body itself does not have them", () => {
    const custom_data = { lead_type: "nested", lead_score: "5", form: { lead_type: "deeper" } };
    const tags = { lead_type: "own", lead_score: "5" };
    expect(ofCallData({ lead_type: "own", custom_data })).toEqual({ tags, ignored: ["form"] });
    expect(ofCallData({ custom_data: "text" })).toEqual({ tags: {}, ignored: ["custom_data"] });
    expect(ofCallData({ custom_data: {} })).toEqual({ tags: {}, ignored: [] });
  });

  it("are no tags where they are neither text nor number nor truth value", () => {
    const given = { lead_type: ["solar"], lead_score: null, is_owner: {} };
    expect(ofCallData(given)).toEqual({ tags: {}, ignored: ["lead_type", "lead_score", "is_owner"] });
  });
});

describe("tags that are named as such", () => {
  it("are a hundred at the most; more are told as ignored", () => {
    const sent = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`tag_${index}`, "x"]));
    const { tags, ignored } = tagsAsNamed(sent, config);
    expect([Object.keys(tags).length, ignored]).toEqual([100, ["tag_100"]]);
  });
});

describe("a custom tag", () => {
  it.each([
    ["lead_type", 5, "5"],
    ["lead_type", "", ""],
    ["lead_type", "x".repeat(1025), "x".repeat(1024)],
    ["lead_score", "7.50", "7.5"],
    ["lead_score", " 1e3 ", "1000"],
    ["lead_score", "", undefined],
    ["lead_score", "Infinity", undefined],
    ["lead_score", "$5", undefined],
    ["lead_score", "0x1F", undefined],
    ["lead_score", true, undefined],
    ["is_owner", "Yes", "true"],
    ["is_owner", 0, "false"],
    ["is_owner", "maybe", undefined],
  ])("%s of %j is %j", (name, given, value) => {
    const { tags, ignored } = ofCallData({ [name]: given });
    expect(tags[name]).toBe(value);
    expect(ignored).toEqual(value === undefined ? [name] : []);
  });
});

it("tags that are named as such are taken as they are, and custom ones in their type and by their key", () => {
  const named = { Lead_Score: "08", Other: "as it is", retired: "x", is_owner: "?" };
  expect(tagsAsNamed(named, config)).toEqual({
    tags: { lead_score: "8", Other: "as it is", retired: "x" },
    ignored: ["is_owner"],
  });
  expect([tagNameOf("LEAD_TYPE", config), tagNameOf("Other", config)]).toEqual(["lead_type", "Other"]);
});
