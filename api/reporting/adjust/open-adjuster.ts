import type { AppContext } from "../../app-context.ts";
import type { Routing } from "../../routing/open-routing.ts";
import { type Adjuster, type AdjusterDeps, createAdjuster } from "./adjuster.ts";

interface Given extends Pick<AdjusterDeps, "openCalls" | "outbox"> {
  readonly live: Routing["live"];
}

/** Opens the adjuster, and finishes requests that an earlier run had accepted. */
export async function openAdjuster(context: AppContext, { openCalls, outbox, live }: Given): Promise<Adjuster> {
  const { database, log, warehouse, clock, shutdown, onTrouble } = context;
  const adjuster = shutdown.add(
    "adjuster",
    createAdjuster({
      database,
      log,
      warehouse,
      openCalls,
      outbox,
      clock,
      onTrouble: onTrouble("adjustments"),
      earlierCalls: (orgId, caller) => live.statsOf(orgId).earlierCalls(caller),
    }),
  );
  await adjuster.sweep().catch(onTrouble("adjustments"));
  return adjuster;
}
