import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../../api/demo/random.ts";
import { destinationOfRoute } from "../../../api/routing/route.ts";
import { byPriorityAndWeight, type Turn } from "../../../api/routing/weighted-order.ts";

const row = (name: string, weight: number, priority = 0) => ({ name, weight, priority });
const draws = 10_000;

/** How often each row came at a place, of so many draws. */
function shares(rows: readonly ReturnType<typeof row>[], place: number): Record<string, number> {
  const random = createRandom("turns");
  const counts: Record<string, number> = {};
  for (let draw = 0; draw < draws; draw++) {
    const name = byPriorityAndWeight(rows, random)[place]?.name ?? "";
    counts[name] = (counts[name] ?? 0) + 1 / draws;
  }
  return counts;
}

describe("rows of one priority", () => {
  it("come first as often as their weight is of the sum", () => {
    const { one = 0, three = 0 } = shares([row("three", 3), row("one", 1)], 0);
    expect(one).toBeGreaterThan(0.235);
    expect(one).toBeLessThan(0.265);
    expect(one + three).toBeCloseTo(1);
  });

  it("come second as often as drawing without replacement has it", () => {
    const second = shares([row("a", 2), row("b", 1), row("c", 3)], 1);
    // b comes second after a, or after c: P(a)·1/4 + P(c)·1/3.
    const expected = (2 / 6) * (1 / 4) + (3 / 6) * (1 / 3);
    expect(Math.abs((second["b"] ?? 0) - expected)).toBeLessThan(0.015);
  });

  it("without a weight come after all that have one, evenly", () => {
    const rows = [row("none", 0), row("some", 1), row("nothing", 0)];
    expect(shares(rows, 0)).toEqual({ some: expect.closeTo(1) });
    expect(Math.abs((shares(rows, 1)["none"] ?? 0) - 0.5)).toBeLessThan(0.015);
  });

  it("are shuffled evenly when none has a weight", () => {
    const first = shares([row("a", 0), row("b", 0), row("c", 0)], 0);
    for (const name of ["a", "b", "c"]) expect(Math.abs((first[name] ?? 0) - 1 / 3)).toBeLessThan(0.015);
  });
});

it("the lowest priority number goes first, 0 before 1, whatever the weights", () => {
  const rows = [row("ten", 100, 10), row("one", 0, 1), row("zero", 1, 0)];
  expect(byPriorityAndWeight(rows, createRandom(1)).map(({ name }) => name)).toEqual(["zero", "one", "ten"]);
});

it("every row has its turn once, by priority, and none without a weight before one of its priority with one", () => {
  const turn = fc.record({ priority: fc.nat(4), weight: fc.oneof(fc.constant(0), fc.nat(1_000_000_000)) });
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 30 }), fc.integer(), (rows: Turn[], seed) => {
      const turns = byPriorityAndWeight(rows, createRandom(seed));
      expect(new Set(turns)).toEqual(new Set(rows));
      expect(turns).toHaveLength(rows.length);
      for (const [index, later] of turns.slice(1).entries()) {
        const earlier = turns[index] as Turn;
        expect(earlier.priority).toBeLessThanOrEqual(later.priority);
        if (earlier.priority === later.priority && earlier.weight === 0) expect(later.weight).toBe(0);
      }
    }),
  );
});

it("even a source of chance that only says 0 gives every row its turn", () => {
  expect(byPriorityAndWeight([row("a", 0), row("b", 5)], () => 0).map(({ name }) => name)).toEqual(["b", "a"]);
});

describe("an action", () => {
  const ids = { target_id: "t", rtb_formula_id: "f", rtb_group_id: "g", ivr_id: "i", priority: 0, weight: 0 };

  it.each([
    ["route-to-target", "target", "t"],
    ["route_to_target", "target", "t"],
    [" Route To Target ", "target", "t"],
    ["route-to-rtb", "rtb_formula", "f"],
    ["route_to_rtb_group", "rtb_group", "g"],
    ["route-to-ivr", "ivr", "i"],
  ])("%j leads to the %s", (action, kind, id) => {
    expect(destinationOfRoute({ ...ids, action })).toEqual({ kind, id });
  });

  it("names nothing where its row does not", () => {
    const route = { action: "route-to-ivr", target_id: "t", priority: 0, weight: 0 };
    expect(destinationOfRoute(route)).toEqual({ kind: "ivr", id: undefined });
  });

  it.each(["ring-a-bell", "constructor", "route-to-target!"])("%j is none that is supported", (action) => {
    expect(destinationOfRoute({ ...ids, action })).toBeNull();
  });
});
