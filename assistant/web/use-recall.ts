import type { RefObject } from "preact";
import { useState } from "preact/hooks";
import { type Recall, recall } from "./recall.ts";

type Given = {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly asked: readonly string[];
  readonly onText: (text: string) => void;
};

/** Whether an arrow would leave the text: up on its first line, down on its last. */
const leavesText = (area: HTMLTextAreaElement, step: -1 | 1): boolean => {
  const { value, selectionStart, selectionEnd } = area;
  if (selectionStart !== selectionEnd) return false;
  return step === -1 ? !value.slice(0, selectionStart).includes("\n") : !value.slice(selectionEnd).includes("\n");
};

/** Lets up and down walk through the questions that were asked, and back to what was being typed. */
export const useRecall = ({ box, text, asked, onText }: Given) => {
  const [now, setNow] = useState<Recall | null>(null);

  const walk = (event: KeyboardEvent, step: -1 | 1): void => {
    if (box.current === null || !leavesText(box.current, step)) return;
    if (now === null && step === 1) return;
    const found = recall(asked, text, { now, step });
    if (found === null) return;
    event.preventDefault();
    setNow(found.recall);
    onText(found.text);
  };

  return { walk, forget: () => setNow(null) };
};
