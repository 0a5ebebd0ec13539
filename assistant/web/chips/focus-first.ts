import { hasPointer } from "../has-pointer.ts";

/** Brings the keyboard to what has just appeared: to what is chosen of it, else to the first that is typed in or chosen. */
export const focusFirst = (element: HTMLElement | null): void => {
  if (element === null || !hasPointer()) return;
  const found =
    element.querySelector<HTMLElement>('[aria-pressed="true"]') ??
    element.querySelector<HTMLElement>("input, li button");
  found?.focus({ preventScroll: true });
};
