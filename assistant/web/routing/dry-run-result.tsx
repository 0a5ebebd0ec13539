import { isAnonymous } from "../calls/call.ts";
import { money } from "../calls/call-route.tsx";
import { DestinationRow } from "../calls/destination-row.tsx";
import { formatInstant } from "../format-time.ts";
import { formatRate } from "../overview/wording.ts";
import { useZone } from "../session-context.ts";
import { ApiRequests } from "./api-request.tsx";
import { inShort, inTurns } from "./dry-run.ts";
import type { DryRoute, DryRun } from "./routing.ts";

const verdicts: Readonly<Record<DryRoute["verdict"], { readonly label: string; readonly tone: string }>> = {
  eligible: { label: "Takes it", tone: "good" },
  bid: { label: "Bids", tone: "good" },
  would_be_asked: { label: "Asked to bid", tone: "live" },
  refused: { label: "Refused", tone: "bad" },
};

const termsWords = ({ terms }: DryRoute): string | null => {
  if (terms === null) return null;
  const { buyer, publisher } = terms;
  const share = publisher?.percentage;
  const payout = share == null ? money(publisher?.payout ?? 0) : `${share}% of it`;
  return `revenue ${terms.receivable ? money(buyer.revenue) : "none: a duplicate"}, payout ${terms.payable ? payout : "none: a duplicate"}`;
};

const aboutRoute = (route: DryRoute, isShared: boolean) => [
  route.priority !== null && `priority ${route.priority}`,
  isShared && route.share !== null && `first in ${formatRate(route.share)}`,
  route.bid !== null && `bid ${money(route.bid)}`,
  termsWords(route),
];

const List = ({ label, routes }: { label: string; routes: readonly DryRoute[] }) => {
  const isShared = new Set(routes.map(({ route_id }) => route_id)).size > 1;
  return (
    <ol class="routes" aria-label={label}>
      {routes.map((route, index) => (
        <DestinationRow key={index} badge={verdicts[route.verdict]} route={route} about={aboutRoute(route, isShared)} />
      ))}
    </ol>
  );
};

/** The result of a dry run: who takes the call, in which order, and why the others do not. */
export const DryRunResult = ({ found, body }: { found: DryRun; body: unknown }) => {
  const zone = useZone();
  const { words, advice } = inShort(found);
  const { turns, refused } = inTurns(found.routes);
  const about = [
    found.campaign?.name,
    found.publisher?.name,
    isAnonymous(found.caller_id) ? "anonymous caller" : found.caller_id,
    found.caller_state,
    found.repeat_caller ? "has called before" : null,
    found.inbound_request_id === null ? null : "by a publisher's ping",
    formatInstant(found.at, zone),
  ].filter((part) => part);
  return (
    <section class="dry-result" aria-label="Who would take it">
      <div role="status">
        <ul class="verdicts">
          <li>
            {words}
            {advice !== null && <span class="advice"> {advice}</span>}
          </li>
          <li class="soft">{about.join(" · ")}</li>
          {found.tcpa_result === "not_asked" && found.caller_id !== null && (
            <li class="soft">The campaign's do-not-call list was not asked.</li>
          )}
        </ul>
      </div>
      {found.routes.length > 0 && (
        <div class="call-part">
          {turns.map(({ turn, routes }) => (
            <div key={turn}>
              <h2>{turn === 1 ? "Tried first" : `Then, ${turn}`}</h2>
              <List label={`Turn ${turn}`} routes={routes} />
            </div>
          ))}
          {refused.length > 0 && (
            <div>
              <h2>Would not get it</h2>
              <List label="Refused" routes={refused} />
            </div>
          )}
        </div>
      )}
      <ApiRequests
        label="Ask the same by the API"
        requests={[{ method: "POST", path: "/api/v1/routing/dry-run", body }]}
      />
    </section>
  );
};
