import { Part } from "../calls/call-view.tsx";
import { destinationKind } from "../calls/destination-row.tsx";
import { dryRunHash } from "../hash-location.ts";
import { BackIcon } from "../icons.tsx";
import { formatRate } from "../overview/wording.ts";
import { ReadProblem } from "../paged-list.tsx";
import { useZone } from "../session-context.ts";
import { ApiRequests } from "./api-request.tsx";
import { PauseControl } from "./pause-control.tsx";
import { listHash, type NumberRow, type Plan, type PlanRoute, planPath, planSchema } from "./routing.ts";
import { OpenBadge } from "./state-list.tsx";
import { limitWords, whyClosed } from "./state-words.ts";
import { usePolled } from "./use-polled.ts";

/** The routes of one priority, of which one is drawn by weight among those that are open. */
const Tier = ({ priority, routes }: { priority: number; routes: readonly PlanRoute[] }) => {
  const zone = useZone();
  const open = routes.filter(({ is_open }) => is_open);
  const sum = open.reduce((all, { weight }) => all + weight, 0);
  const shareOf = ({ is_open, weight }: PlanRoute): number => {
    if (!is_open) return 0;
    return sum === 0 ? 1 / open.length : weight / sum;
  };
  return (
    <li>
      <h3>Priority {priority}</h3>
      <ul class="routes" aria-label={`Routes of priority ${priority}`}>
        {routes.map((route, index) => {
          const share = shareOf(route);
          const kind = destinationKind(route.destination_type);
          return (
            <li class="route plan-route" key={route.route_id ?? index} data-open={route.is_open}>
              <OpenBadge isOpen={route.is_open} />
              <div>
                <strong>{route.destination_name ?? route.destination_id ?? `No ${kind}`}</strong>
                <span class="soft"> {[route.buyer_name, kind].filter((part) => part !== null).join(" · ")}</span>
                {!route.is_open && <p>{whyClosed(route, zone)}</p>}
                {route.limits !== null && <p class="soft">{limitWords(route.limits, zone).join(" · ")}</p>}
              </div>
              <div class="plan-share">
                <span>
                  weight {route.weight}
                  {route.is_open && routes.length > 1 ? `, first in ${formatRate(share)}` : ""}
                </span>
                <span class="plan-bar" aria-hidden="true">
                  <span style={{ width: `${share * 100}%` }} />
                </span>
              </div>
            </li>
          );
        })}
      </ul>
    </li>
  );
};

const Tiers = ({ routes }: { routes: readonly PlanRoute[] }) => (
  <ol class="plan-tiers">
    {[...new Set(routes.map(({ priority }) => priority))].map((priority) => (
      <Tier key={priority} priority={priority} routes={routes.filter((route) => route.priority === priority)} />
    ))}
  </ol>
);

type NumbersProps = { readonly plan: Plan; readonly onChange: () => Promise<void> };

const numberState = ({ is_active, is_paused, paused_until }: NumberRow, zone: string) => {
  if (!is_active) return whyClosed({ reason: "number_inactive", detail: null }, zone);
  return is_paused ? whyClosed({ reason: "number_paused", detail: null, is_paused, paused_until }, zone) : "";
};

const Numbers = ({ plan, onChange }: NumbersProps) => {
  const zone = useZone();
  if (plan.numbers.length === 0) return <p>No number leads to this campaign yet.</p>;
  return (
    <ul class="routes" aria-label="Numbers">
      {plan.numbers.map((row) => {
        const why = numberState(row, zone);
        const name = row.number ?? "A deleted number";
        return (
          <li class="route" key={row.row_id}>
            <OpenBadge isOpen={why === ""} />
            <div>
              <strong>{name}</strong>
              {row.publisher_name !== null && <span class="soft"> {row.publisher_name}</span>}
              {why !== "" && <p>{why}</p>}
              {row.number !== null && (
                <p>
                  <a href={dryRunHash({ campaign: plan.id, to: row.number })}>Who would take a call to it?</a>
                </p>
              )}
            </div>
            {plan.may_change && (
              <PauseControl
                name={name}
                type="campaign_number"
                id={row.row_id}
                isPaused={row.is_paused}
                onDone={onChange}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
};

const Whole = ({ plan, onChange }: NumbersProps) => {
  const zone = useZone();
  return (
    <>
      <header class="call-head">
        <h1>
          {plan.name} <OpenBadge isOpen={plan.is_open} />
        </h1>
        <p class="soft">{limitWords(plan, zone).join(" · ")}</p>
        {!plan.is_open && <p>{whyClosed(plan, zone)}</p>}
      </header>
      <Part title="Numbers">
        <Numbers plan={plan} onChange={onChange} />
      </Part>
      <Part title={plan.routing_plan === null ? "Routing plan" : `Routing plan: ${plan.routing_plan.name}`}>
        {plan.routing_plan !== null && (
          <p>
            <a href={listHash("routing_plan", plan.routing_plan.name)}>What else goes by this plan</a>
          </p>
        )}
        {plan.call_flow !== null && <p class="soft">Its call flow: {plan.call_flow.name}.</p>}
        {plan.routing_plan === null && <p>The campaign has no routing plan.</p>}
        {plan.routing_plan !== null && plan.routes.length === 0 && <p>The plan has no routes yet.</p>}
        {plan.routes.length > 0 && (
          <>
            <p class="soft">
              The lowest priority is tried first; of several routes of one priority, one is drawn by weight among those
              that are open. Filters and duplicates depend on the caller, and are not looked at here.
            </p>
            <Tiers routes={plan.routes} />
          </>
        )}
      </Part>
      <Part title="API">
        <ApiRequests
          label="Change this campaign by the API"
          requests={[
            {
              title: plan.is_active ? "Switch the campaign off:" : "Switch the campaign on:",
              method: "PATCH",
              path: `/api/v1/campaigns/${plan.id}`,
              body: { is_active: !plan.is_active },
            },
            ...(plan.routing_plan === null
              ? []
              : [
                  {
                    title: "Read its plan; routes are written as a whole:",
                    method: "GET",
                    path: `/api/v1/routing-plans/${plan.routing_plan.id}`,
                  } as const,
                  {
                    title: "Switch its plan off:",
                    method: "PATCH",
                    path: `/api/v1/routing-plans/${plan.routing_plan.id}`,
                    body: { is_active: false },
                  } as const,
                ]),
          ]}
        />
      </Part>
    </>
  );
};

/** A campaign's numbers and its plan: priorities, weights, what is closed now and why. */
export const CampaignPlan = ({ id }: { id: string }) => {
  const { found, problem, isMissing, read } = usePolled(planPath(id), planSchema);
  return (
    <>
      <a class="quiet back" href="#routing">
        <BackIcon />
        All campaigns
      </a>
      {found === null && (
        <h1 class={isMissing ? "" : "visually-hidden"}>{isMissing ? "No such campaign" : "Campaign"}</h1>
      )}
      {problem !== null && !isMissing && <ReadProblem problem={problem} onRetry={() => void read()} />}
      {found === null && problem === null && (
        <p class="soft" role="status">
          Reading…
        </p>
      )}
      {found !== null && <Whole plan={found} onChange={read} />}
    </>
  );
};
