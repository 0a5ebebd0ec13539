import { useCallback, useLayoutEffect, useState } from "preact/hooks";

/** A question that a link asks, by the plan of its answer where it has one. */
export type Linked = { readonly question: string; readonly plan: unknown };

/**
 * A location on the page, as the address's hash names it: `#deliveries?…`, `#ask/<session>` for a conversation,
 * `#ask?question=…&plan=…` for a question to be asked, or `#ask`.
 */
export type HashLocation =
  | { readonly view: "ask"; readonly session: string | null; readonly linked: Linked | null }
  | { readonly view: "deliveries"; readonly hash: string };

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

/** Reads a hash; an unknown one is the conversation that is open. */
export const parseHash = (hash: string): HashLocation => {
  const text = hash.replace(/^#/, "");
  if (/^deliveries(\/|\?|$)/.test(text)) return { view: "deliveries", hash: text };
  const [, mark = "", rest = ""] = /^ask([/?])(.*)$/s.exec(text) ?? [];
  return {
    view: "ask",
    session: mark === "/" ? parseSession(rest) : null,
    linked: mark === "?" ? parseLinked(rest) : null,
  };
};

export const sessionHash = (session: string | null): string => (session === null ? "#ask" : `#ask/${session}`);

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
