import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { callIdOf } from "../calls/call-search.ts";
import { warmCharts } from "../chart/draw-chart.ts";
import { callHash } from "../hash-location.ts";
import { hasPointer } from "../keyboard.ts";
import type { Problem } from "../problem.ts";
import { useSession } from "../session-context.ts";
import type { PlanEdit } from "../wire.ts";
import type { Turn } from "./conversation.ts";
import type { Conversation } from "./use-conversation.ts";

/** The question box, and every way to ask, stop and ask again: each returns the focus to the box. */
export const useQuestionBox = ({ turns, busy, begin, retry, cancel }: Conversation) => {
  const { signInAgain } = useSession();
  const [text, setText] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);

  const refocus = useCallback((): void => {
    if (hasPointer()) box.current?.focus({ preventScroll: true });
  }, []);

  const isNew = turns.length === 0;
  useLayoutEffect(() => {
    // The button that begins a new conversation disappears with the old one.
    if (isNew && document.activeElement === document.body) refocus();
  }, [isNew, refocus]);

  const ask = (question: string, edited?: PlanEdit): void => {
    const trimmed = question.trim();
    if (trimmed === "" || busy) return;
    warmCharts();
    begin(trimmed, edited);
    refocus();
  };

  const send = (question: string): void => {
    if (question.trim() === "" || busy) return;
    const callId = callIdOf(question);
    if (callId === null) ask(question);
    else location.hash = callHash(callId);
    setText("");
  };

  const stop = (): void => {
    cancel();
    refocus();
  };

  /** Does what a failed turn's button offers. */
  const remedy = (turn: Turn, problem: Problem | null): void => {
    if (problem?.remedy === "sign_in") signInAgain();
    else if (problem?.remedy === "edit") {
      setText(turn.question);
      box.current?.focus();
    } else {
      retry({ id: turn.id, question: turn.question, edited: turn.edited });
      refocus();
    }
  };

  return { box, text, setText, ask, send, stop, remedy };
};
