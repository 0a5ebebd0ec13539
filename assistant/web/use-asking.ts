import { useCallback, useLayoutEffect, useRef, useState } from "preact/hooks";
import { warmCharts } from "./chart/draw-chart.ts";
import type { Edited, Turn } from "./conversation.ts";
import { hasPointer } from "./has-pointer.ts";
import type { Problem } from "./problem.ts";
import type { useConversation } from "./use-conversation.ts";

/** The question box, and all that asks, stops and asks again: each brings the keyboard back to the box. */
export const useAsking = (conversation: ReturnType<typeof useConversation>, onSignInAgain: () => void) => {
  const { turns, busy, begin, retry, cancel } = conversation;
  const [text, setText] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);

  const refocus = useCallback((): void => {
    if (hasPointer()) box.current?.focus({ preventScroll: true });
  }, []);

  const isNew = turns.length === 0;
  useLayoutEffect(() => {
    // The button that begins a conversation goes with the one before.
    if (isNew && document.activeElement === document.body) refocus();
  }, [isNew, refocus]);

  const ask = (question: string, edited?: Edited): void => {
    const trimmed = question.trim();
    if (trimmed === "" || busy) return;
    warmCharts();
    begin(trimmed, edited);
    refocus();
  };

  const send = (question: string): void => {
    if (question.trim() === "" || busy) return;
    ask(question);
    setText("");
  };

  const stop = (): void => {
    cancel();
    refocus();
  };

  const remedy = (turn: Turn, problem: Problem | null): void => {
    if (problem?.remedy === "sign_in") onSignInAgain();
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
