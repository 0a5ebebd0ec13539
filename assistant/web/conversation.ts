import type { Problem } from "./problem.ts";
import type { Answer, PastTurn, Question } from "./wire.ts";

export type TurnState =
  | { readonly kind: "asking"; readonly startedAtMs: number }
  | { readonly kind: "answered"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly problem: Problem }
  | { readonly kind: "cancelled" };

export type Turn = { readonly id: number; readonly question: string; readonly state: TurnState };

export type Step =
  | { readonly kind: "begin"; readonly id: number; readonly question: string; readonly atMs: number }
  | { readonly kind: "settle"; readonly id: number; readonly state: TurnState }
  | { readonly kind: "clear" };

/** The conversation after one step; beginning a turn that exists asks its question again in place. */
export const advance = (turns: readonly Turn[], step: Step): readonly Turn[] => {
  switch (step.kind) {
    case "begin": {
      const turn: Turn = {
        id: step.id,
        question: step.question,
        state: { kind: "asking", startedAtMs: step.atMs },
      };
      const known = turns.some((candidate) => candidate.id === step.id);
      return known ? turns.map((candidate) => (candidate.id === step.id ? turn : candidate)) : [...turns, turn];
    }
    case "settle":
      return turns.map((turn) => (turn.id === step.id ? { ...turn, state: step.state } : turn));
    case "clear":
      return [];
  }
};

// The server patches the last plan; a few before it are enough context, and the body stays small.
const rememberedTurns = 10;

/** The request for a turn: what was answered before it goes along, so that "only last month" has something to patch. */
export const toQuestion = (turns: readonly Turn[], turn: Pick<Turn, "id" | "question">): Question => {
  const earlier = turns.filter((candidate) => candidate.id < turn.id);
  const answered = earlier.flatMap(({ question, state }) =>
    state.kind === "answered" ? [{ question, answer: state.answer }] : [],
  );
  // A refusal has no plan, and nothing can follow up on it.
  const history: PastTurn[] = answered
    .filter(({ answer }) => answer.plan !== null && answer.plan !== undefined)
    .slice(-rememberedTurns)
    .map(({ question, answer }) => ({ query: question, plan: answer.plan }));
  const sessionId = answered.at(-1)?.answer.session_id ?? null;
  return {
    query: turn.question,
    ...(history.length > 0 && { conversation_history: history }),
    ...(sessionId !== null && { session_id: sessionId }),
  };
};
