import { describe, expect, it } from "vitest";
import { dollars, orgId, shortText, tags } from "../../ingest/primitives.ts";
import { aDialing, anAuditRecord, anInboundPing, anIncoming, anOutgoingRequest, aRecorded } from "../make.ts";

const half = "a\ud800b";
const whole = "a\ufffdb";

describe("text from outside", () => {
  it("has half a surrogate pair replaced, in every place of every record", () => {
    const records = [
      anIncoming({ from: half, campaign: { id: half, name: half }, tags: { [half]: half }, webhook_ids: [half] }),
      aRecorded({ recording_url: `https://switch.example/${half}` }),
      anOutgoingRequest({ body: half, headers: { [half]: half }, webhook_config_name: half }),
      anInboundPing({ params: { [half]: half }, reason: half }),
      anAuditRecord({ entity_name: half, changes: [{ field: half, old: { [half]: [half] }, new: half }] }),
    ];
    for (const record of records) {
      expect(JSON.stringify(record)).toContain("\ufffd");
      expect(JSON.stringify(record)).not.toContain("\\ud800");
    }
  });

  it("keeps whole pairs and the rest as they are", () => {
    for (const text of ["Zoë 📞", "", "\u0000"]) expect(shortText.parse(text)).toBe(text);
    expect([orgId.parse(half), tags.parse({ [half]: half })]).toEqual([whole, { [whole]: whole }]);
  });
});

describe("dollars", () => {
  it.each([
    [0.12345, 0.1235],
    [12.5, 12.5],
    [0.1 + 0.2, 0.3],
    [999_999_999.99996, 1_000_000_000],
  ])("%f are %f, with four decimals", (given, kept) => {
    expect(dollars.parse(given)).toBe(kept);
    expect(aDialing({ buyer_terms: { revenue: given } })).toMatchObject({ buyer_terms: { revenue: kept } });
  });
});
