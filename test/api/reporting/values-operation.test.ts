import { beforeAll, describe, expect, it } from "vitest";
import type { OrgId } from "../../../ingest/primitives.ts";
import { aCall } from "../../assistant/example-data.ts";
import { type Member, usePlatform } from "../use-platform.ts";

const { rig, join } = usePlatform();

let [one, two]: Member[] = [];
beforeAll(async () => {
  [one, two] = [await join(), await join()];
  const named = (org: OrgId, campaigns: readonly string[]) =>
    campaigns.map((campaign_name, at) => ({ ...aCall(at, org), campaign_name }));
  const calls = [
    ...named(one.id, ["Solar East", "Roofs", "Solar East", "100% Solar"]),
    ...named(two.id, ["Their Solar", "Theirs"]).map((call) => ({ ...call, tags: { their_tag: "x" } })),
  ];
  const values = calls.map((call) => JSON.stringify(call));
  const range = { topic: "call-events", partition: 98, firstOffset: 0, nextOffset: values.length } as const;
  await rig().platform.warehouse.store({ ...range, values });
});

const valuesOf = async (member: Member | undefined, query: string) =>
  member?.send("GET", `/reporting_ai/values?${query}`, { headers: { Authorization: `Bearer ${member.token}` } });

describe("the values of a dimension", () => {
  it("are the organization's own, the most used first", async () => {
    const all = await valuesOf(one, "subject=calls&dimension=campaign");
    expect(all).toMatchObject({ status: 200, body: { data: ["Solar East", "100% Solar", "Roofs"] } });
    expect((await valuesOf(two, "dimension=campaign"))?.body.data).toEqual(["Their Solar", "Theirs"]);
  });
  it("are found by a part of them, in any capitals and with any signs", async () => {
    expect((await valuesOf(one, "dimension=campaign&contains=SOLAR"))?.body.data).toEqual(["Solar East", "100% Solar"]);
    expect((await valuesOf(one, "dimension=campaign&contains=%25"))?.body.data).toEqual(["100% Solar"]);
    expect((await valuesOf(one, "dimension=campaign&contains='%20OR%201=1--"))?.body.data).toEqual([]);
  });
  it("are of a tag as of anything, and the keys of tags are found likewise", async () => {
    expect((await valuesOf(one, "dimension=tag"))?.body.data).toEqual(["utm_source"]);
    expect((await valuesOf(one, "dimension=tag&contains=UTM"))?.body.data).toEqual(["utm_source"]);
    expect((await valuesOf(one, "dimension=tag&contains=their"))?.body.data).toEqual([]);
    expect((await valuesOf(two, "dimension=tag"))?.body.data).toEqual(["their_tag"]);
    expect((await valuesOf(one, "dimension=tag:utm_source"))?.body.data).toEqual(["bing", "google"]);
    expect((await valuesOf(one, "dimension=tag:their_tag"))?.body.data).toEqual([]);
    expect((await valuesOf(one, "subject=audit_logs&dimension=tag"))?.status).toBe(404);
  });
  it.each(["nope", "org_id", "bin:duration:30", "day_of_week"])(
    "are none of what is no dimension: %s",
    async (dimension) => {
      expect(await valuesOf(one, `dimension=${dimension}`)).toMatchObject({
        status: 404,
        body: { detail: { code: "dimension_not_found" } },
      });
    },
  );
  it("are asked for in bounds, and by whoever has a token", async () => {
    expect((await valuesOf(one, `dimension=campaign&contains=${"x".repeat(121)}`))?.status).toBe(422);
    expect((await valuesOf(one, "subject=users&dimension=campaign"))?.status).toBe(422);
    expect((await one?.send("GET", "/reporting_ai/values?dimension=campaign", { headers: {} }))?.status).toBe(401);
  });
});
