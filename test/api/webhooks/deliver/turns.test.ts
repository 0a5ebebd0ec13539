import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Place } from "../../../../api/webhooks/deliver/line.ts";
import { createTurns, type TurnLimits } from "../../../../api/webhooks/deliver/turns.ts";
import { systemClock } from "../../../../ingest/clock.ts";
import { startOfTime } from "../../../make.ts";
import { createManualClock } from "../../../manual-clock.ts";

const at = (orgId: string, endpoint = "https://a.example"): Place => ({ orgId, endpoint });

/** Who has begun, in order; each leaves when the test says so. */
function openTurns(limits: Partial<TurnLimits> = {}) {
  const clock = createManualClock(startOfTime);
  const turns = createTurns({ total: 100, perOrg: 100, perEndpoint: 100, ...limits }, clock);
  const begun: string[] = [];
  const leaves = new Map<string, () => void>();
  const enter = (name: string, place: Place) =>
    turns.enter(place).then((leave) => {
      begun.push(name);
      leaves.set(name, leave);
    });
  return {
    begun,
    enter,
    clock,
    waiting: turns.waiting,
    async leave(name: string) {
      leaves.get(name)?.();
      await settled();
    },
  };
}
/** What was to resolve at once has. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("turns", () => {
  it("go to the first to come at one endpoint, so many at once", async () => {
    const { begun, enter, leave, waiting } = openTurns({ perEndpoint: 2 });
    for (const name of ["1", "2", "3", "4"]) void enter(name, at("one"));
    await settled();
    expect([begun, waiting(at("one")).endpoint]).toEqual([["1", "2"], 2]);
    await leave("2");
    expect([begun, waiting(at("one")).endpoint]).toEqual([["1", "2", "3"], 1]);
  });

  it("of one endpoint that hangs hold up neither another one nor another organization at the same address", async () => {
    const { begun, enter } = openTurns({ perEndpoint: 1 });
    for (const name of ["hangs", "waits", "waits too"]) void enter(name, at("one"));
    void enter("elsewhere", at("one", "https://b.example"));
    void enter("another's", at("two"));
    await settled();
    expect(begun).toEqual(["hangs", "elsewhere", "another's"]);
  });

  it("go round the organizations, and within one round its endpoints", async () => {
    const { begun, enter, leave } = openTurns({ total: 1 });
    void enter("first", at("zero"));
    for (const name of ["1a", "1b", "1c"]) void enter(name, at("one"));
    void enter("1 elsewhere", at("one", "https://b.example"));
    for (const name of ["2a", "2b"]) void enter(name, at("two"));
    await settled();
    for (let round = 0; round < 7; round += 1) await leave(begun.at(-1) ?? "");
    expect(begun).toEqual(["first", "1a", "2a", "1 elsewhere", "2b", "1b", "1c"]);
  });

  it("leave places to others when an organization hangs at however many endpoints", async () => {
    const { begun, enter } = openTurns({ total: 10, perOrg: 4 });
    for (let index = 0; index < 50; index += 1) void enter(`hangs ${index}`, at("one", `https://${index}.example`));
    void enter("another's", at("two"));
    await settled();
    expect(begun).toHaveLength(5);
    expect(begun).toContain("another's");
  });

  it("tell how long the first at an endpoint has waited", async () => {
    const { enter, waiting, clock, leave } = openTurns({ perEndpoint: 1 });
    void enter("under way", at("one"));
    void enter("first", at("one"));
    clock.advance(500);
    void enter("second", at("one"));
    expect(waiting(at("one")).waitedMs).toBe(500);
    await settled();
    await leave("under way");
    clock.advance(100);
    expect(waiting(at("one")).waitedMs).toBe(100);
  });

  it("are given back once, however often that is said", async () => {
    const { begun, enter, leave } = openTurns({ perEndpoint: 1 });
    for (const name of ["1", "2", "3"]) void enter(name, at("one"));
    await settled();
    await leave("1");
    await leave("1");
    expect(begun).toEqual(["1", "2"]);
  });

  it("come to everybody, and never to more than the limits allow, whoever comes and goes", async () => {
    const anyPlace = fc.record({
      orgId: fc.constantFrom("one", "two", "three"),
      endpoint: fc.constantFrom("https://a.example", "https://b.example", ""),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyPlace, { minLength: 1, maxLength: 60 }),
        fc.infiniteStream(fc.nat()),
        async (all, picks) => {
          const limits = { total: 5, perOrg: 3, perEndpoint: 2 };
          const turns = createTurns(limits, systemClock);
          const under: { place: Place; leave: () => void }[] = [];
          let begun = 0;
          for (const place of all) {
            void turns.enter(place).then((leave) => {
              begun += 1;
              under.push({ place, leave });
            });
          }
          const count = (matches: (place: Place) => boolean) => under.filter(({ place }) => matches(place)).length;
          while (begun < all.length || under.length > 0) {
            await settled();
            expect(under.length).toBeLessThanOrEqual(limits.total);
            for (const { orgId, endpoint } of all) {
              expect(count((place) => place.orgId === orgId)).toBeLessThanOrEqual(limits.perOrg);
              expect(count((place) => place.orgId === orgId && place.endpoint === endpoint)).toBeLessThanOrEqual(2);
            }
            const [gone] = under.splice((picks.next().value ?? 0) % under.length, 1);
            expect(gone).toBeDefined();
            gone?.leave();
          }
          expect(turns.waiting(at("one"))).toEqual({ endpoint: 0, org: 0, all: 0, waitedMs: 0 });
        },
      ),
      { numRuns: 50 },
    );
  });
});
