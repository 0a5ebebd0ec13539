import { useCallback, useLayoutEffect, useState } from "preact/hooks";

/** A question that a link asks, by the plan of its answer where it has one. */
export type Linked = { readonly question: string; readonly plan: unknown };

/**
 * A location on the page, as the address's hash names it: `#overview`, which an address without a hash opens, too, with
 * `?day=2026-11-26` for a day that is over;
 * `#calls?…` for a search of the call log and `#calls/<id>` for one call; `#ask/<session>` for a conversation,
 * `#ask?question=…&plan=…` for a question to be asked, `#link/<id>` for one that was shared, or `#ask`; `#routing?…` for what calls go to,
 * `#routing/campaign/<id>` for a campaign's plan, `#routing/dry-run?…` for who would take a call; `#board`, with `?question=<id>` for a saved question to pin; `#schedules`, with
 * `?question=<id>` for a new one of a saved question; `#webhooks?…` and
 * `#webhooks/<direction>/<id>?…` for webhooks and one of them; `#deliveries?…`.
 */
export type HashLocation =
  | { readonly view: "overview"; readonly day: string | null }
  | { readonly view: "calls"; readonly hash: string; readonly call: string | null }
  | {
      readonly view: "ask";
      readonly session: string | null;
      readonly linked: Linked | null;
      /** The id of a short link. */
      readonly shared: string | null;
    }
  | { readonly view: "board"; readonly question: string | null }
  | { readonly view: "schedules"; readonly question: string | null }
  | { readonly view: "routing"; readonly hash: string }
  | { readonly view: "webhooks"; readonly hash: string }
  | { readonly view: "deliveries"; readonly hash: string };

/** The views in the order of the navigation, by what it calls them. */
export const viewNames: Readonly<Record<HashLocation["view"], string>> = {
  overview: "Overview",
  calls: "Calls",
  ask: "Ask",
  board: "Board",
  schedules: "Schedules",
  routing: "Routing",
  webhooks: "Webhooks",
  deliveries: "Deliveries",
};

export const overviewHash = "#overview";
/** The overview of a day that is over. */
export const dayHash = (day: string): string => `${overviewHash}?${new URLSearchParams({ day })}`;

/** The hash of a search: the view with those parts that are not as they are without one. */
export const searchHash = <S extends Readonly<Record<string, string>>>(
  view: "calls" | "deliveries",
  search: S,
  noSearch: S,
): string => {
  const entries = Object.entries(search).filter(([name, value]) => value !== noSearch[name]);
  return entries.length === 0 ? `#${view}` : `#${view}?${new URLSearchParams(entries)}`;
};

// The server's own limits.
const maxQuestionLength = 2000;
const maxSessionLength = 64;

const parsePlan = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

const parseLinked = (query: string): Linked | null => {
  const given = new URLSearchParams(query);
  const question = given.get("question")?.trim().slice(0, maxQuestionLength) ?? "";
  return question === "" ? null : { question, plan: parsePlan(given.get("plan")) };
};

const parseSession = (text: string): string | null =>
  /^[\w-]+$/.test(text) && text.length <= maxSessionLength ? text : null;

/** A link that was cut or written by hand may hold no valid escapes. */
const parseCallId = (text = ""): string | null => {
  try {
    return decodeURIComponent(text) || null;
  } catch {
    return text;
  }
};

const parseDay = (query = ""): string | null => {
  const day = new URLSearchParams(query).get("day") ?? "";
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? day : null;
};

/** Reads a hash; an unknown one is the overview. */
export const parseHash = (hash: string): HashLocation => {
  const text = hash.replace(/^#/, "");
  const calling = /^calls(?:([/?])(.*))?$/s.exec(text);
  if (calling !== null) return { view: "calls", hash: text, call: calling[1] === "/" ? parseCallId(calling[2]) : null };
  const [, view, query] = /^(board|schedules)(?:\?(.*))?$/s.exec(text) ?? [];
  if (view === "board" || view === "schedules") return { view, question: new URLSearchParams(query).get("question") };
  if (/^routing(\/|\?|$)/.test(text)) return { view: "routing", hash: text };
  if (/^webhooks(\/|\?|$)/.test(text)) return { view: "webhooks", hash: text };
  if (/^deliveries(\/|\?|$)/.test(text)) return { view: "deliveries", hash: text };
  const sharing = /^link\/([\w-]{1,64})$/.exec(text);
  if (sharing !== null) return { view: "ask", session: null, linked: null, shared: sharing[1] ?? null };
  const asking = /^ask(?:([/?])(.*))?$/s.exec(text);
  if (asking === null) return { view: "overview", day: parseDay(/^overview\?(.*)$/s.exec(text)?.[1]) };
  const [, mark = "", rest = ""] = asking;
  return {
    view: "ask",
    session: mark === "/" ? parseSession(rest) : null,
    linked: mark === "?" ? parseLinked(rest) : null,
    shared: null,
  };
};

export const callHash = (callId: string): string => `#calls/${encodeURIComponent(callId)}`;

/** Returns the address of the board with a saved question chosen for pinning. */
export const pinHash = (questionId: string): string => `#board?${new URLSearchParams({ question: questionId })}`;
/** Returns the address of the form that gives a saved question a schedule. */
export const scheduleHash = (questionId: string): string =>
  `#schedules?${new URLSearchParams({ question: questionId })}`;

/** An address with the values that are not empty. */
export const withQuery = (path: string, given: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== "")).toString();
  return query === "" ? path : `${path}?${query}`;
};

/** The call that a dry run asks about, as it is typed; `at` is a minute of UTC, empty for now. */
export type Asked = Readonly<Record<"campaign" | "to" | "from" | "state" | "zip" | "tags" | "at", string>>;
export const nothingAsked: Asked = { campaign: "", to: "", from: "", state: "", zip: "", tags: "", at: "" };
export const dryRunHash = (asked: Partial<Asked> = {}): string => withQuery("#routing/dry-run", { ...asked });

/** The own view of a webhook. */
export const webhookHash = (
  direction: "outgoing" | "incoming",
  id: string,
  given: Readonly<Record<string, string>> = {},
) => withQuery(`#webhooks/${direction}/${encodeURIComponent(id)}`, given);

export const sessionHash = (session: string | null): string => (session === null ? "#ask" : `#ask/${session}`);

/** A short link to a question that was shared. */
export const sharedHash = (id: string): string => `#link/${id}`;

/** A link that asks the question anew: a conversation is its analyst's own, and a colleague cannot open it. */
export const linkHash = ({ question, plan }: Linked): string =>
  `#ask?${new URLSearchParams({ question, ...(plan == null ? {} : { plan: JSON.stringify(plan) }) })}`;

/**
 * The location that the address names, kept up with back, forward and links; `replace` sets it without a new entry in
 * the history.
 */
export const useHashLocation = () => {
  const [at, setAt] = useState(() => parseHash(location.hash));

  useLayoutEffect(() => {
    const update = () => setAt(parseHash(location.hash));
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);

  const replace = useCallback((hash: string): void => {
    history.replaceState(null, "", hash);
    setAt(parseHash(hash));
  }, []);

  return { at, replace };
};
