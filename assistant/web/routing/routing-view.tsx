import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import "../styles/routing.css";
import { CampaignPlan } from "./campaign-plan.tsx";
import { DryRunView } from "./dry-run-view.tsx";
import { PartsList } from "./parts-list.tsx";
import { readRouting } from "./routing.ts";
import { StateList } from "./state-list.tsx";

/** The view that the address names: a list of routing's parts, a campaign's plan, or a dry run. */
const RoutingView = ({ hash }: { hash: string }) => {
  const at = useMemo(() => readRouting(hash), [hash]);
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (at.kind === "list" || at.kind === "parts") return;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [at.kind]);
  return (
    <main class="calls routing" ref={main} tabIndex={-1}>
      {at.kind === "list" && <StateList of={at.of} search={at.search} offset={at.offset} />}
      {at.kind === "parts" && <PartsList of={at.of} search={at.search} offset={at.offset} />}
      {at.kind === "campaign" && <CampaignPlan key={at.id} id={at.id} />}
      {at.kind === "dry_run" && <DryRunView key={hash} asked={at.asked} />}
    </main>
  );
};

export const view = RoutingView;
