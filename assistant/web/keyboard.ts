import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** The index that a navigation key moves the focus to in a list; null where the key moves nothing. */
export const nextIndex = (key: string, { index, count }: { index: number; count: number }): number | null => {
  const targets: Readonly<Record<string, number>> = {
    ArrowRight: index + 1,
    ArrowDown: index + 1,
    ArrowLeft: index - 1,
    ArrowUp: index - 1,
    Home: 0,
    End: count - 1,
  };
  const next = targets[key];
  return next === undefined || next < 0 || next >= count || next === index ? null : next;
};

/** In a text box the keys edit the text, except the one that leads out of it to the list that it searches. */
const editsText = (focused: HTMLElement, key: string): boolean => focused.matches("input") && key !== "ArrowDown";

/**
 * Lets arrows, Home and End move through the choices of a list, and up to the box that searches it. A layout effect:
 * the keys work as soon as the choices are drawn, not a frame later.
 */
export const useArrowKeys = (list: RefObject<HTMLElement | null>): void => {
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const press = (event: KeyboardEvent): void => {
      const stops = [...element.querySelectorAll<HTMLElement>("input, li > button:first-child, fieldset > button")];
      const index = stops.findIndex((stop) => stop.matches(":focus"));
      const focused = stops[index];
      if (focused === undefined || editsText(focused, event.key)) return;
      const next = nextIndex(event.key, { index, count: stops.length });
      if (next === null) return;
      event.preventDefault();
      stops[next]?.focus();
    };
    element.addEventListener("keydown", press);
    return () => element.removeEventListener("keydown", press);
  });
};

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/** "/" where nobody is typing, and Ctrl K or ⌘ K anywhere. */
export const isFocusShortcut = ({ key, ctrlKey, metaKey, altKey }: KeyPress, isTyping: boolean): boolean => {
  if (altKey) return false;
  return ctrlKey || metaKey ? key.toLowerCase() === "k" : key === "/" && !isTyping;
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches("input, textarea, select");

const useKeyDown = (onKeyDown: ((event: KeyboardEvent) => void) | null): void => {
  useLayoutEffect(() => {
    if (onKeyDown === null) return;
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onKeyDown]);
};

/** Calls `onShortcut` on the shortcut that leads to a view's main text box. */
export const useShortcut = (onShortcut: () => void): void =>
  useKeyDown((event) => {
    if (!isFocusShortcut(event, isTyping(event.target))) return;
    event.preventDefault();
    onShortcut();
  });

/** Focuses a view's main text box on the shortcut, from anywhere on the page. */
export const useFocusShortcut = (box: RefObject<HTMLElement | null>): void => useShortcut(() => box.current?.focus());

/** Calls `onEscape` for the Escape key wherever the focus is; null listens to nothing. */
export const useEscape = (onEscape: (() => void) | null): void =>
  useKeyDown(onEscape === null ? null : ({ key }) => key === "Escape" && onEscape());

/** True with a mouse or the like: without one, focusing a text box raises the on-screen keyboard over the page. */
export const hasPointer = (): boolean => matchMedia("(pointer: fine)").matches;

/** Focuses the chosen option of an element that has just appeared, else its first text box or option. */
export const focusFirst = (element: HTMLElement | null): void => {
  if (element === null || !hasPointer()) return;
  const found =
    element.querySelector<HTMLElement>('[aria-pressed="true"]') ??
    element.querySelector<HTMLElement>("input, li button");
  found?.focus({ preventScroll: true });
};

/** A form that opens in place of its button, or beside it; closing it returns the focus to the button. */
export const useDisclosure = () => {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const returning = useRef(false);

  useLayoutEffect(() => {
    if (returning.current) button.current?.focus({ preventScroll: true });
    returning.current = false;
  }, [isOpen]);

  const close = (): void => {
    returning.current = true;
    setOpen(false);
  };
  return { isOpen, button, open: () => setOpen(true), close };
};
export type Disclosure = ReturnType<typeof useDisclosure>;
