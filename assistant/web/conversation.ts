import type { Problem } from "./problem.ts";
import type { Answer, Message, PastTurn, Question } from "./wire.ts";

export type TurnState =
  | { readonly kind: "asking"; readonly startedAtMs: number; readonly step: string | null }
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "cancelled" };

/** A plan to answer by, and words for its periods where those are to change. */
export type Edited = Pick<Question, "plan" | "period" | "compare">;

/** A question as it is asked: in words alone, or by a plan that the words tell of. */
export type Asking = { readonly id: number; readonly question: string; readonly edited: Edited | null };
export type Turn = Asking & { readonly state: TurnState };

export type Step =
  | { readonly kind: "begin"; readonly asking: Asking; readonly atMs: number }
  | { readonly kind: "progress"; readonly id: number; readonly step: string }
  | { readonly kind: "open"; readonly turns: readonly Turn[] }
  | { readonly kind: "settle"; readonly id: number; readonly state: TurnState }
  | { readonly kind: "clear" };

/** The conversation after one step; beginning a turn that exists asks its question again in place. */
export const advance = (turns: readonly Turn[], step: Step): readonly Turn[] => {
  switch (step.kind) {
    case "begin": {
      const turn: Turn = { ...step.asking, state: { kind: "asking", startedAtMs: step.atMs, step: null } };
      const known = turns.some((candidate) => candidate.id === turn.id);
      return known ? turns.map((candidate) => (candidate.id === turn.id ? turn : candidate)) : [...turns, turn];
    }
    case "progress":
      return turns.map((turn) =>
        turn.id === step.id && turn.state.kind === "asking"
          ? { ...turn, state: { ...turn.state, step: step.step } }
          : turn,
      );
    case "open":
      return step.turns;
    case "settle":
      return turns.map((turn) => (turn.id === step.id ? { ...turn, state: step.state } : turn));
    case "clear":
      return [];
  }
};

// The server patches the last plan; a few before it are enough context, and the body stays small.
const rememberedTurns = 10;

/** Questions and answers of a session as turns, numbered from 1. */
export const toTurns = (messages: readonly Message[]): readonly Turn[] =>
  messages.map((message, index) => ({
    id: index + 1,
    question: message.query,
    edited: null,
    state: { kind: "answered", answer: message },
  }));

/** The session that the answers were kept in. */
export const sessionOf = (turns: readonly Turn[]): string | null => answersOf(turns).at(-1)?.answer.session_id ?? null;

const answersOf = (turns: readonly Turn[]) =>
  turns.flatMap(({ question, state }) => (state.kind === "answered" ? [{ question, answer: state.answer }] : []));

/** The request for a turn: what was answered before it goes along, so that "only last month" has something to patch. */
export const toQuestion = (turns: readonly Turn[], { id, question, edited }: Asking): Question => {
  const earlier = turns.filter((candidate) => candidate.id < id);
  // A refusal has no plan, and nothing can follow up on it.
  const history: PastTurn[] = answersOf(earlier)
    .filter(({ answer }) => answer.plan !== null && answer.plan !== undefined)
    .slice(-rememberedTurns)
    .map(({ question: query, answer }) => ({ query, plan: answer.plan }));
  const sessionId = sessionOf(earlier);
  return {
    query: question,
    ...(edited === null ? history.length > 0 && { conversation_history: history } : edited),
    ...(sessionId !== null && { session_id: sessionId }),
  };
};
