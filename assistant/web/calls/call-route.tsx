import { formatMs, formatNumber } from "../format.ts";
import type { Bid, Details, Route } from "./call.ts";
import { DestinationRow } from "./destination-row.tsx";
import { reasonWords, sentenceCase } from "./reasons.ts";

export const money = (value: number | null): string =>
  value === null ? "–" : formatNumber(value, { unit: "money", type: "number" });

const outcomes: Readonly<Record<Route["outcome"], { readonly label: string; readonly tone: string }>> = {
  connected: { label: "Connected", tone: "good" },
  dialing: { label: "Dialing", tone: "live" },
  offered: { label: "Offered", tone: "plain" },
  refused: { label: "Refused", tone: "bad" },
  dial_failed: { label: "No connection", tone: "bad" },
  given_up: { label: "Given up", tone: "bad" },
};

const aboutRoute = ({ dial, rang, bid }: Route) => [
  dial !== null && `dial ${dial}${rang ? ", rang" : ""}`,
  bid !== null && money(bid),
];

const RouteList = ({ routes, label }: { routes: readonly Route[]; label: string }) => (
  <ol class="routes" aria-label={label}>
    {routes.map((route, index) => (
      <DestinationRow key={index} badge={outcomes[route.outcome]} route={route} about={aboutRoute(route)} />
    ))}
  </ol>
);

const nothingConsidered = ({ call, timeline }: Details): string => {
  const hasTraces = timeline.some(({ source }) => source === "routing");
  if (call.failure_reason !== null && call.attempts === 0 && call.failure_reason !== "no_eligible_route") {
    return `The call was refused before any destination was considered: ${reasonWords(call.failure_reason)}.`;
  }
  return hasTraces || call.ended_at === null
    ? "No destination has been considered."
    : "How this call was routed is not on record.";
};

/** The destinations that were considered, in order, each with what became of it. */
export const Routes = ({ details }: { details: Details }) => {
  const { routes } = details;
  const [byPing, byCall] = [
    routes.filter(({ considered_by }) => considered_by === "ping"),
    routes.filter(({ considered_by }) => considered_by === "call"),
  ];
  if (routes.length === 0) return <p class="soft">{nothingConsidered(details)}</p>;
  return (
    <>
      {byPing.length > 0 && (
        <>
          <h3>When the publisher asked for a price</h3>
          <RouteList routes={byPing} label="Considered for the publisher's ping" />
          <h3>When the call came in</h3>
        </>
      )}
      {byCall.length > 0 ? (
        <RouteList routes={byCall} label="Considered for the call" />
      ) : (
        <p class="soft">{nothingConsidered(details)}</p>
      )}
    </>
  );
};

const bidWords = ({ outcome, reason }: Bid): string => {
  if (reason !== null) return sentenceCase(reasonWords(reason));
  return outcome === "bid" ? "Bid" : sentenceCase(outcome.replaceAll("_", " "));
};

/** The buyers that were asked, and what they answered. */
export const Bids = ({ bids }: { bids: readonly Bid[] }) => {
  if (bids.length === 0) return <p class="soft">No buyer was asked for a bid.</p>;
  return (
    // biome-ignore lint/a11y: a wide table must scroll by keyboard too, and its rows are no set of fields
    <div class="call-table" role="group" aria-label="Bids" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Buyer</th>
            <th scope="col" class="figure-cell">
              Bid
            </th>
            <th scope="col">Outcome</th>
            <th scope="col" class="figure-cell">
              Answered in
            </th>
          </tr>
        </thead>
        <tbody>
          {bids.map((bid) => (
            <tr key={bid.id}>
              <td>
                {bid.rtb_name ?? bid.rtb_id}
                {bid.buyer_name !== null && <span class="soft"> {bid.buyer_name}</span>}
              </td>
              <td class="figure-cell">{money(bid.bid)}</td>
              <td>{bid.won ? <span class="badge badge-good">Won</span> : bidWords(bid)}</td>
              <td class="figure-cell">{formatMs(bid.total_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};
