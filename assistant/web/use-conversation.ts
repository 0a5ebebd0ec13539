import { useCallback, useReducer, useRef } from "preact/hooks";
import { type Asking, advance, type Edited, type Turn, type TurnState, toQuestion, toTurns } from "./conversation.ts";
import { toProblem } from "./problem.ts";
import type { Watching } from "./watching.ts";
import type { Answer, Message, Question } from "./wire.ts";

/** Sends a question on; given by the page, which knows the token and how to renew it. */
export type Ask = (question: Question, watching: Watching) => Promise<Answer>;

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
    async (asking: Asking, before: readonly Turn[]): Promise<void> => {
      if (running.current !== null) return;
      const controller = new AbortController();
      const { signal } = controller;
      const { id } = asking;
      running.current = controller;
      dispatch({ kind: "begin", asking, atMs: performance.now() });
      const onProgress = (step: string) => dispatch({ kind: "progress", id, step });
      const state = await settle(ask(toQuestion(before, asking), { signal, onProgress }), signal);
      // A cleared conversation has begun anew meanwhile; its late answer belongs nowhere.
      if (running.current !== controller) return;
      running.current = null;
      dispatch({ kind: "settle", id, state });
    },
    [ask],
  );

  const retry = useCallback((asking: Asking): void => void run(asking, turns), [run, turns]);

  const begin = useCallback(
    (question: string, edited: Edited | null = null): void => {
      lastId.current += 1;
      void run({ id: lastId.current, question, edited }, turns);
    },
    [run, turns],
  );

  const cancel = useCallback((): void => running.current?.abort(), []);

  const leave = useCallback((): void => {
    const interrupted = running.current;
    running.current = null;
    interrupted?.abort();
  }, []);

  const clear = useCallback((): void => {
    leave();
    dispatch({ kind: "clear" });
  }, [leave]);

  /** Leaves what there is, and begins a conversation with this question. */
  const beginAnew = useCallback(
    (question: string, edited: Edited | null): void => {
      clear();
      lastId.current += 1;
      void run({ id: lastId.current, question, edited }, []);
    },
    [clear, run],
  );

  const open = useCallback(
    (messages: readonly Message[]): void => {
      leave();
      lastId.current = messages.length;
      dispatch({ kind: "open", turns: toTurns(messages) });
    },
    [leave],
  );

  const busy = turns.some((turn) => turn.state.kind === "asking");
  return { turns, busy, begin, beginAnew, retry, cancel, clear, open };
};
