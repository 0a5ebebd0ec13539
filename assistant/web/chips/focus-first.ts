import { hasPointer } from "../has-pointer.ts";

/** Brings the keyboard to what has just appeared: to what is chosen of it, else to where one types, else to the first choice. */
export const focusFirst = (element: HTMLElement | null): void => {
  if (element === null || !hasPointer()) return;
  const found = ['[aria-pressed="true"]', "input", "li button"].map((stop) => element.querySelector<HTMLElement>(stop));
  found.find((stop) => stop !== null)?.focus({ preventScroll: true });
};
