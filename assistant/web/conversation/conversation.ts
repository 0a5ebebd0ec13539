import type { Problem } from "../problem.ts";
import type { Answer, Message, PastTurn, PlanEdit, Question } from "../wire.ts";

export type TurnState =
  | {
      readonly kind: "asking";
      readonly startedAtMs: number;
      readonly step: string | null;
      readonly reading: string | null;
    }
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "cancelled" };

/** A question as it is asked: in words alone, or by an edited plan that the words describe. */
export type Asking = { readonly id: number; readonly question: string; readonly edited: PlanEdit | null };
export type Turn = Asking & { readonly state: TurnState };

export type Action =
  | { readonly kind: "begin"; readonly asking: Asking; readonly atMs: number }
  | { readonly kind: "progress"; readonly id: number; readonly step: string; readonly reading: string | null }
  | { readonly kind: "open"; readonly turns: readonly Turn[] }
  | { readonly kind: "settle"; readonly id: number; readonly state: TurnState }
  | { readonly kind: "clear" };

/** Reducer of a conversation's turns; beginning a turn that exists asks its question again in place. */
export const reduceTurns = (turns: readonly Turn[], action: Action): readonly Turn[] => {
  switch (action.kind) {
    case "begin": {
      const turn: Turn = {
        ...action.asking,
        state: { kind: "asking", startedAtMs: action.atMs, step: null, reading: null },
      };
      const known = turns.some((candidate) => candidate.id === turn.id);
      return known ? turns.map((candidate) => (candidate.id === turn.id ? turn : candidate)) : [...turns, turn];
    }
    case "progress":
      return turns.map((turn) =>
        turn.id === action.id && turn.state.kind === "asking"
          ? { ...turn, state: { ...turn.state, step: action.step, reading: action.reading ?? turn.state.reading } }
          : turn,
      );
    case "open":
      return action.turns;
    case "settle":
      return turns.map((turn) => (turn.id === action.id ? { ...turn, state: action.state } : turn));
    case "clear":
      return [];
  }
};

// The server needs the last one; a few before it are enough context, and the body stays small.
const maxHistoryTurns = 10;

/** The messages of a stored session as turns, numbered from 1. */
export const toTurns = (messages: readonly Message[]): readonly Turn[] =>
  messages.map((message, index) => ({
    id: index + 1,
    question: message.query,
    edited: null,
    state: { kind: "answered", answer: message },
  }));

/** The session in which the server keeps the conversation; null before its first answer. */
export const sessionOf = (turns: readonly Turn[]): string | null => answersOf(turns).at(-1)?.answer.session_id ?? null;

const answersOf = (turns: readonly Turn[]) =>
  turns.flatMap(({ question, state }) => (state.kind === "answered" ? [{ question, answer: state.answer }] : []));

/** The request for a turn, with the answers before it, so that "only last month" has something to refer to. */
export const toQuestion = (turns: readonly Turn[], { id, question, edited }: Asking): Question => {
  const earlier = turns.filter((candidate) => candidate.id < id);
  // A refusal has neither a plan nor SQL of a model, and nothing can follow up on it.
  const history: PastTurn[] = answersOf(earlier)
    .filter(({ answer: { plan, planner, sql } }) => plan != null || (planner === "llm" && sql !== ""))
    .slice(-maxHistoryTurns)
    .map(({ question: query, answer: { plan, sql } }) => (plan == null ? { query, sql } : { query, plan }));
  const sessionId = sessionOf(earlier);
  return {
    query: question,
    ...(edited === null ? history.length > 0 && { conversation_history: history } : edited),
    ...(sessionId !== null && { session_id: sessionId }),
  };
};
