import { describe, expect, it } from "vitest";
import { createOrgConfig } from "../../../api/config/org-config.ts";
import { type ConfigDocument, type ConfigInput, type ResourceType, toDocument } from "../../../api/config/registry.ts";
import { orgOne, secondsIn } from "../../make.ts";

const about = (id: string, second = 0) => ({
  id,
  org_id: orgOne,
  name: id,
  created_at: secondsIn(second),
  updated_at: secondsIn(second),
});
const whole = ({ type, doc }: ConfigInput) => ({ type, doc: toDocument(type as ResourceType, doc) }) as ConfigDocument;

const number = (id: string, e164: string) => whole({ type: "number", doc: { ...about(id), number: e164 } });
const inboundRtb = (id: string, inbound_rtb_id: string) =>
  whole({ type: "inbound_rtb", doc: { ...about(id), inbound_rtb_id, campaign_id: "c", publisher_id: "p" } });
const campaign = (id: string, second: number, ...rows: [id: string, number: string][]) =>
  whole({
    type: "campaign",
    doc: { ...about(id, second), number_group_items: rows.map(([row, number_id]) => ({ id: row, number_id })) },
  });

function openRig() {
  const { config, put, remove } = createOrgConfig({ id: orgOne, name: "First", timezone: "UTC" });
  const owner = (numberId: string) => {
    const found = config.campaignOfNumber(numberId);
    return found && [found.campaign.id, found.item.id];
  };
  return { config, put, remove, owner };
}

describe("what a document is looked up by", () => {
  it("stays another's that has it by now, in whatever order the two changes are seen", () => {
    const { config, put, remove } = openRig();
    for (const document of [number("a", "+18005550101"), inboundRtb("1", "x")]) put(document);
    for (const document of [number("b", "+18005550101"), inboundRtb("2", "x")]) put(document);
    for (const document of [number("a", "+18005550102"), inboundRtb("1", "y")]) put(document);
    expect([config.number("+18005550101")?.id, config.number("+18005550102")?.id]).toEqual(["b", "a"]);
    expect([config.inboundRtb("x")?.id, config.inboundRtb("y")?.id]).toEqual(["2", "1"]);
    put(number("c", "+18005550101"));
    remove("number", "b");
    expect(config.number("+18005550101")?.id).toBe("c");
  });
});

describe("a number that several campaigns list", () => {
  it("is the one's that was made first, whichever was seen or changed last", () => {
    const { put, owner } = openRig();
    const [early, late] = [campaign("z", 1, ["row-z", "n"]), campaign("a", 2, ["row-a", "n"])];
    for (const document of [early, late, early, late]) {
      put(document);
      expect(owner("n")).toEqual(["z", "row-z"]);
    }
  });

  it("is the other's once the first drops it or is deleted, and nobody's after both", () => {
    const { put, remove, owner } = openRig();
    put(campaign("late", 2, ["row-l", "n"]));
    put(campaign("early", 1, ["row-e", "n"]));
    put(campaign("early", 1));
    expect(owner("n")).toEqual(["late", "row-l"]);
    put(campaign("early", 1, ["row-e", "n"]));
    expect(owner("n")).toEqual(["early", "row-e"]);
    put(campaign("late", 2));
    expect(owner("n")).toEqual(["early", "row-e"]);
    remove("campaign", "early");
    expect(owner("n")).toBeUndefined();
  });

  it("and one of them twice is in its first row", () => {
    const { put, owner } = openRig();
    put(campaign("c", 1, ["first", "n"], ["second", "n"], ["third", "m"]));
    expect([owner("n"), owner("m")]).toEqual([
      ["c", "first"],
      ["c", "third"],
    ]);
  });

  it("made in one instant is the one's with the lesser id", () => {
    const { put, owner } = openRig();
    for (const id of ["b", "a", "c"]) put(campaign(id, 1, [id, "n"]));
    expect(owner("n")).toEqual(["a", "a"]);
  });
});
