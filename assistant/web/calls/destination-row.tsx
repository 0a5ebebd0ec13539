import type { Route } from "./call.ts";
import { reasonOf, reasonWords, sentenceCase } from "./reasons.ts";

const kinds: Readonly<Record<string, string>> = {
  target: "target",
  rtb_formula: "RTB formula",
  rtb_group: "RTB group",
  ivr: "menu",
  routing_plan: "routing plan",
};

/** Returns a word for the kind of a route's destination. */
export const destinationKind = (type: string | null): string => kinds[type ?? ""] ?? "destination";

type Props = {
  readonly badge: { readonly label: string; readonly tone: string };
  readonly route: Pick<
    Route,
    "destination_type" | "destination_id" | "destination_name" | "buyer_name" | "reason" | "detail"
  >;
  /** The details after buyer and kind; only texts are shown. */
  readonly about: readonly (string | false | null)[];
};

/** A destination that was or would be considered for a call, with what came of it and why. */
export const DestinationRow = ({ badge, route, about }: Props) => {
  const kind = destinationKind(route.destination_type);
  const { reason, detail } = route;
  const advice = reason === null ? null : reasonOf(reason).advice;
  return (
    <li class="route">
      <span class={`badge badge-${badge.tone}`}>{badge.label}</span>
      <div>
        <strong>{route.destination_name ?? route.destination_id ?? `A deleted ${kind}`}</strong>
        <span class="soft"> {[route.buyer_name, kind, ...about].filter((part) => part).join(" · ")}</span>
        {reason !== null && (
          <p>
            {sentenceCase(reasonWords(reason, detail))}. {advice !== null && <span class="advice">{advice}</span>}
          </p>
        )}
      </div>
    </li>
  );
};
