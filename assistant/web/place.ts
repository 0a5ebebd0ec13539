/** A question that a link asks, by the plan of its answer where it has one. */
export type Linked = { readonly question: string; readonly plan: unknown };

/**
 * Where on the page: `#deliveries?…`, `#ask/<session>` for a conversation, `#ask?question=…&plan=…` for a question to be
 * asked, or `#ask`.
 */
export type Place =
  | { readonly view: "ask"; readonly session: string | null; readonly linked: Linked | null }
  | { readonly view: "deliveries"; readonly hash: string };

// As much as the server takes.
const longestQuestion = 2000;
const longestSession = 64;

const readPlan = (text: string | null): unknown => {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
};

const readLinked = (query: string): Linked | null => {
  const given = new URLSearchParams(query);
  const question = given.get("question")?.trim().slice(0, longestQuestion) ?? "";
  return question === "" ? null : { question, plan: readPlan(given.get("plan")) };
};

const readSession = (text: string): string | null => {
  const [, id = ""] = /^([\w-]+)$/.exec(text) ?? [];
  return id === "" || id.length > longestSession ? null : id;
};

/** What it does not know is the conversation that is there. */
export const readPlace = (hash: string): Place => {
  const text = hash.replace(/^#/, "");
  if (/^deliveries(\/|\?|$)/.test(text)) return { view: "deliveries", hash: text };
  const [, mark = "", rest = ""] = /^ask([/?])(.*)$/s.exec(text) ?? [];
  return {
    view: "ask",
    session: mark === "/" ? readSession(rest) : null,
    linked: mark === "?" ? readLinked(rest) : null,
  };
};

export const toSessionHash = (session: string | null): string => (session === null ? "#ask" : `#ask/${session}`);

/** Asks for whoever opens it what was asked here: a conversation is its analyst's own, and a colleague has none of it. */
export const toLinkHash = ({ question, plan }: Linked): string =>
  `#ask?${new URLSearchParams({ question, ...(plan == null ? {} : { plan: JSON.stringify(plan) }) })}`;
