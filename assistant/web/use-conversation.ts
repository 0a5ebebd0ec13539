import { useCallback, useReducer, useRef } from "preact/hooks";
import { advance, type Turn, type TurnState, toQuestion } from "./conversation.ts";
import { toProblem } from "./problem.ts";
import type { Answer, Question } from "./wire.ts";

/** Sends a question on; given by the page, which knows the token and how to renew it. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;

const settle = async (answering: Promise<Answer>, signal: AbortSignal): Promise<TurnState> => {
  try {
    return { kind: "answered", answer: await answering };
  } catch (error) {
    return signal.aborted ? { kind: "cancelled" } : { kind: "failed", problem: toProblem(error) };
  }
};

/** The turns of one conversation; one question is under way at a time. */
export const useConversation = (ask: Ask) => {
  const [turns, dispatch] = useReducer(advance, []);
  const running = useRef<AbortController | null>(null);
  const lastId = useRef(0);

  const run = useCallback(
    async (turn: Pick<Turn, "id" | "question">): Promise<void> => {
      if (running.current !== null) return;
      const controller = new AbortController();
      running.current = controller;
      dispatch({ kind: "begin", ...turn, atMs: performance.now() });
      const state = await settle(ask(toQuestion(turns, turn), controller.signal), controller.signal);
      // A cleared conversation has begun anew meanwhile; its late answer belongs nowhere.
      if (running.current !== controller) return;
      running.current = null;
      dispatch({ kind: "settle", id: turn.id, state });
    },
    [ask, turns],
  );

  const begin = useCallback(
    (question: string): void => {
      lastId.current += 1;
      void run({ id: lastId.current, question });
    },
    [run],
  );

  const cancel = useCallback((): void => running.current?.abort(), []);

  const clear = useCallback((): void => {
    const interrupted = running.current;
    running.current = null;
    interrupted?.abort();
    dispatch({ kind: "clear" });
  }, []);

  const busy = turns.some((turn) => turn.state.kind === "asking");
  return { turns, busy, begin, retry: run, cancel, clear };
};
