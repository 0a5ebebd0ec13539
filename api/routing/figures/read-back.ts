import type { Warehouse } from "../../../warehouse/warehouse.ts";
import type { BoundedFigures } from "./bounded-figures.ts";
import type { Reach } from "./counted-calls.ts";
import { loadCalls, loadOlder, type Span } from "./load-calls.ts";
import type { OrgFigures } from "./org-figures.ts";

interface ReadBackDeps {
  readonly warehouse: Warehouse;
  readonly kept: BoundedFigures;
  /** Told of what is left out. */
  onTrouble(error: unknown): void;
  /** How far back an organization's calls are to be known now. */
  reach(orgId: string): Reach;
}

/** Reads from the warehouse what figures look back to, as far as the bound on them allows. */
export function createReadBack({ warehouse, kept, reach, onTrouble: onUnreadable }: ReadBackDeps) {
  /** Newest first; false when the bound left no room for all of them. */
  async function read(figures: OrgFigures, span: Span): Promise<boolean> {
    for await (const page of loadCalls(warehouse, span, { onUnreadable })) {
      for (const call of page) figures.load(call);
      kept.keepWithinBound();
      if (figures.isCut()) return false;
    }
    return true;
  }

  return {
    async load(orgId: string): Promise<void> {
      const figures = kept.of(orgId);
      const wanted = reach(orgId);
      await read(figures, { orgId, from: wanted.callsFrom, to: Number.POSITIVE_INFINITY });
      const callsFrom = Math.max(wanted.callsFrom, figures.callsFrom());
      const hoursFrom = Math.min(wanted.hoursFrom, callsFrom);
      const older = await loadOlder(warehouse, { orgId, hoursFrom, callsFrom }, { onUnreadable });
      figures.loaded({ callsFrom, hoursFrom: wanted.hoursFrom }, older);
    },

    /** Forgets what nobody looks back to any more, and reads what is looked back to only now. */
    async tend(orgId: string, figures: OrgFigures): Promise<void> {
      const wanted = reach(orgId);
      const to = figures.callsFrom();
      figures.forget(wanted);
      if (wanted.callsFrom >= to || figures.isCut()) return;
      if (await read(figures, { orgId, from: wanted.callsFrom, to })) figures.reachesBackTo(wanted.callsFrom);
    },
  };
}
