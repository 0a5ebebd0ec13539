import { useCallback, useReducer, useRef } from "preact/hooks";
import type { AskOptions } from "../client.ts";
import { toProblem } from "../problem.ts";
import type { Answer, Message, PlanEdit, Question } from "../wire.ts";
import { type Asking, reduceTurns, type Turn, type TurnState, toQuestion, toTurns } from "./conversation.ts";

/** Sends a question as the analyst who is signed in. */
export type Ask = (question: Question, options: AskOptions) => Promise<Answer>;

const settle = async (answering: Promise<Answer>, signal: AbortSignal): Promise<TurnState> => {
  try {
    return { kind: "answered", answer: await answering };
  } catch (error) {
    return signal.aborted ? { kind: "cancelled" } : { kind: "failed", problem: toProblem(error) };
  }
};

/** The turns of one conversation; one question is under way at a time. */
export const useConversation = (ask: Ask) => {
  const [turns, dispatch] = useReducer(reduceTurns, []);
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
      const onProgress = (step: string, reading: string | null) => dispatch({ kind: "progress", id, step, reading });
      const state = await settle(ask(toQuestion(before, asking), { signal, onProgress }), signal);
      // The conversation was cleared meanwhile.
      if (running.current !== controller) return;
      running.current = null;
      dispatch({ kind: "settle", id, state });
    },
    [ask],
  );

  const retry = useCallback((asking: Asking): void => void run(asking, turns), [run, turns]);

  const add = useCallback(
    (question: string, edited: PlanEdit | null, before: readonly Turn[]): void => {
      lastId.current += 1;
      void run({ id: lastId.current, question, edited }, before);
    },
    [run],
  );

  const begin = useCallback(
    (question: string, edited: PlanEdit | null = null): void => add(question, edited, turns),
    [add, turns],
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

  /** Begins a new conversation with this question. */
  const beginAnew = useCallback(
    (question: string, edited: PlanEdit | null): void => {
      clear();
      add(question, edited, []);
    },
    [clear, add],
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
export type Conversation = ReturnType<typeof useConversation>;
