import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Once a list has lost what is marked here, brings the keyboard to what took its place: what came after it, else what is
 * now the last, else what the list is chosen by.
 */
export const useFocusAfterRemoval = (panel: RefObject<HTMLElement | null>, count: number) => {
  const gone = useRef<number | null>(null);
  useLayoutEffect(() => {
    const at = gone.current;
    gone.current = null;
    if (at === null || panel.current === null) return;
    const rows = panel.current.querySelectorAll<HTMLElement>("li > button:first-child");
    const next =
      rows[Math.min(at, rows.length - 1)] ?? panel.current.querySelector<HTMLElement>('[aria-pressed="true"]');
    next?.focus();
  }, [panel, count]);
  return (at: number): void => {
    gone.current = at;
  };
};
