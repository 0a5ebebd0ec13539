import { toDollars } from "../../../ingest/money.ts";
import type { CallStats, Measure } from "../call-stats.ts";
import type { CallFigures } from "./call-figures.ts";
import type { HeldCalls } from "./held-calls.ts";
import { hourOf } from "./tallies.ts";
import type { TotalResets } from "./total-resets.ts";

export interface LiveFactsParts {
  readonly figures: Pick<CallFigures, "ofOrganization" | "earlierCalls">;
  readonly held: Pick<HeldCalls, "inUse">;
  readonly resets: Pick<TotalResets, "since">;
}

const isMoney: Readonly<Record<Measure, boolean>> = {
  calls: false,
  connected: false,
  converted: false,
  revenue: true,
  payout: true,
};

/** What routing knows of an organization, as it is at each question. */
export function createLiveFacts(orgId: string, { figures, held, resets }: LiveFactsParts): CallStats {
  const own = () => figures.ofOrganization(orgId);
  return {
    inUse: (holder) => held.inUse(orgId, holder),
    capUse(holder, measure, sinceMs) {
      const sum = own().sumSince(holder, measure, sinceMs);
      return isMoney[measure] ? toDollars(sum) : sum;
    },
    totalsSince: (holder) => resets.since(orgId, holder),
    earlierCalls: (caller) => figures.earlierCalls(orgId, caller),
    /** Since the beginning of the hour: a rate over many hours is asked for with every ping, and needs no minutes. */
    performance(holder, sinceMs) {
      const sum = (figure: "calls" | "receivable" | "revenue") => own().sumSince(holder, figure, hourOf(sinceMs));
      return { attempts: sum("calls"), conversions: sum("receivable"), revenue: toDollars(sum("revenue")) };
    },
  };
}
