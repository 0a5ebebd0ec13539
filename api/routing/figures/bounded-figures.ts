import { createOrgFigures, type OrgFigures } from "./org-figures.ts";

/** The figures of all organizations, no more calls in them than `maxCalls`; the first time that some go, that is told. */
export function createBoundedFigures(maxCalls: number, onTrouble: (error: unknown) => void) {
  const organizations = new Map<string, OrgFigures>();
  let isCut = false;

  return {
    of(orgId: string): OrgFigures {
      const known = organizations.get(orgId) ?? createOrgFigures();
      organizations.set(orgId, known);
      return known;
    },
    all: (): Iterable<readonly [orgId: string, figures: OrgFigures]> => organizations,

    /** Takes the oldest calls from the organization that has most, so that none is crowded out by another. */
    keepWithinBound(): void {
      const all = [...organizations.values()];
      const excess = all.reduce((sum, each) => sum + each.size(), 0) - maxCalls;
      const largest = all.toSorted((one, other) => other.size() - one.size())[0];
      if (excess <= 0 || largest === undefined) return;
      // A little more, so that not every call has to.
      largest.cut(excess + Math.floor(maxCalls / 100));
      if (!isCut) onTrouble(tooManyCalls(maxCalls));
      isCut = true;
    },
  };
}
export type BoundedFigures = ReturnType<typeof createBoundedFigures>;

const tooManyCalls = (maxCalls: number) =>
  new Error(
    `Routing keeps ${maxCalls} calls in memory, and there are more that it looks back to: the oldest are no longer known as earlier calls of their callers. What caps count is not affected.`,
  );
