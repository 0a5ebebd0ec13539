import { reasonOf, reasonWords } from "../calls/reasons.ts";
import { formatCount } from "../format.ts";
import { formatRate } from "../overview/wording.ts";
import type { DryRoute, DryRun } from "./routing.ts";

/** The destinations by their turns, and at the end those that are refused. */
export const inTurns = (routes: readonly DryRoute[]) => {
  const turns = [...new Set(routes.flatMap(({ turn }) => turn ?? []))].sort((one, other) => one - other);
  return {
    turns: turns.map((turn) => ({ turn, routes: routes.filter((route) => route.turn === turn) })),
    refused: routes.filter(({ turn }) => turn === null),
  };
};

const isAsked = ({ verdict }: DryRoute): boolean => verdict === "would_be_asked";

/** A route of a turn: its destination, or the buyers who would bid for the call. */
const nameOf = (route: readonly DryRoute[]): string => {
  const [first, ...others] = route;
  const name = first?.destination_name ?? "a deleted destination";
  if (first === undefined || !isAsked(first)) return first?.destination_type === "ivr" ? `the menu ${name}` : name;
  return others.length === 0 ? name : formatCount(route.length, "buyer");
};

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** "Sunny Roofs takes the call.", "2 buyers would be asked for bids.", or of several routes how often each comes first. */
const turnWords = (routes: readonly DryRoute[]): string => {
  const ids = [...new Set(routes.map(({ route_id }) => route_id))];
  const byRoute = ids.map((id) => routes.filter(({ route_id }) => route_id === id));
  const [only, ...others] = byRoute;
  if (only !== undefined && others.length === 0) {
    if (only.some((route) => !isAsked(route))) return `${capital(nameOf(only))} takes the call.`;
    return `${capital(nameOf(only))} would be asked for ${only.length === 1 ? "a bid" : "bids"}.`;
  }
  const shares = byRoute.map((route) => {
    const asked = route.every(isAsked) ? ", asked for a bid" : "";
    return `${nameOf(route)} (${formatRate(route[0]?.share ?? null)}${asked})`;
  });
  return `One of ${byRoute.length} comes first, drawn by weight: ${shares.join(", ")}.`;
};

/** Returns a sentence that says who would take the call, and what can be done if nobody would. */
export const inShort = ({
  outcome,
  reason,
  routes,
}: DryRun): { readonly words: string; readonly advice: string | null } => {
  if (outcome === "refused" && reason !== null) {
    return { words: `The call would be refused: ${reasonWords(reason)}.`, advice: reasonOf(reason).advice };
  }
  if (outcome === "refused" || outcome === "not_taken") {
    return { words: "No destination would take the call.", advice: null };
  }
  const [first, ...later] = inTurns(routes).turns.map((turn) => turn.routes);
  const words = turnWords(first ?? []);
  if (first?.some((route) => !isAsked(route))) return { words, advice: null };
  const next = later.find((turn) => turn.some((route) => !isAsked(route)));
  const otherwise = next === undefined ? "Without a bid nobody takes it." : `Without a bid: ${turnWords(next)}`;
  return { words: `${words} ${otherwise}`, advice: null };
};
