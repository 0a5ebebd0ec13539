import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

type Place = { readonly at: number; readonly count: number };

/** Where a key leads in a row of things; null where it leads nowhere. */
export const nextPlace = (key: string, { at, count }: Place): number | null => {
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: count - 1,
  };
  const next = steps[key];
  return next === undefined || next < 0 || next >= count || next === at ? null : next;
};

/** In text the keys are the text's own, but for the one that leads out of it to what it found. */
const isOfText = (focused: HTMLElement, key: string): boolean => focused.matches("input") && key !== "ArrowDown";

/**
 * Lets arrows, Home and End walk through the choices of a list, and up to the box that searches it: from the moment that
 * they stand there, not a frame later.
 */
export const useArrowKeys = (list: RefObject<HTMLElement | null>): void => {
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null) return;
    const press = (event: KeyboardEvent): void => {
      const stops = [...element.querySelectorAll<HTMLElement>("input, li > button:first-child, fieldset > button")];
      const at = stops.findIndex((stop) => stop.matches(":focus"));
      const focused = stops[at];
      if (focused === undefined || isOfText(focused, event.key)) return;
      const next = nextPlace(event.key, { at, count: stops.length });
      if (next === null) return;
      event.preventDefault();
      stops[next]?.focus();
    };
    element.addEventListener("keydown", press);
    return () => element.removeEventListener("keydown", press);
  });
};
