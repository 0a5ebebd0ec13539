import { describe, expect, it } from "vitest";
import { callsSubject } from "../../../assistant/catalog/calls.ts";
import { catalog, findFlag, findMeasure } from "../../../assistant/catalog/catalog.ts";
import { isChoice } from "../../../assistant/catalog/wording.ts";
import { callSchema } from "../../../ingest/call.ts";
import { settle } from "../../../ingest/lifecycle/settle.ts";
import { orgOne, secondsIn } from "../../make.ts";
import { aCall } from "../example-data.ts";

describe("the catalog", () => {
  it("says that a call is converted when either side pays, as calls are settled", () => {
    const terms = { condition_seconds: 10, condition: "call_length_connected" };
    const call = callSchema.parse({
      ...aCall(0, orgOne),
      started_at: secondsIn(0),
      connected_at: secondsIn(0),
      ended_at: secondsIn(30),
      terms: { buyer: { ...terms, condition_seconds: 120, revenue: 30 }, publisher: { ...terms, payout: 20 } },
      published: [],
      last_signal: 0,
    });
    expect(settle(call)).toMatchObject({ receivable: false, payable: true, converted: true });
    for (const said of [findFlag(callsSubject, "converted"), findMeasure(callsSubject, "converted_calls")])
      expect(said?.definition).toMatch(/the buyer pays or the publisher is paid/i);
    for (const name of ["payable", "receivable"])
      expect(findFlag(callsSubject, name)?.definition).not.toMatch(/either/);
  });
  it("names nothing twice in a subject, and defines everything", () => {
    for (const { measures, dimensions, flags, quantities } of catalog) {
      for (const all of [measures, dimensions, flags, quantities]) {
        expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
        for (const { definition } of all) expect(definition).toMatch(/\.$/);
        // Answers use the first wording as it stands.
        for (const { words } of all) expect(isChoice(words[0])).toBe(false);
      }
    }
  });
  it("says of both rivals that they are, and what counts the records of which a fact does not hold", () => {
    for (const subject of catalog) {
      for (const { name, rival, unmeasure } of subject.flags) {
        if (rival !== undefined) expect(findFlag(subject, rival)?.rival).toBe(name);
        if (unmeasure !== undefined) expect(findMeasure(subject, unmeasure)?.aggregate.kind).toBe("count");
      }
    }
    expect(catalog.flatMap(({ flags }) => flags.flatMap(({ rival }) => rival ?? []))).toContain("lost");
  });
});
