import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

type Press = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** "/" where nobody is typing, and Ctrl K or ⌘ K anywhere. */
export const isSummons = ({ key, ctrlKey, metaKey, altKey }: Press, isTyping: boolean): boolean => {
  const isCommand = ctrlKey || metaKey;
  if (altKey) return false;
  return isCommand ? key.toLowerCase() === "k" : key === "/" && !isTyping;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches("input, textarea, select");

/** Brings the focus to a view's box from wherever it is, as soon as the box is there. */
export const useSummonKey = (box: RefObject<HTMLElement | null>): void => {
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (!isSummons(event, isTyping(event.target))) return;
      event.preventDefault();
      box.current?.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [box]);
};
