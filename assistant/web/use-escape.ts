import { useLayoutEffect } from "preact/hooks";

/** Calls `onEscape` for the Escape key, wherever the focus is, as soon as there is what it closes; null listens to nothing. */
export const useEscape = (onEscape: (() => void) | null): void => {
  useLayoutEffect(() => {
    if (onEscape === null) return;
    const press = (event: KeyboardEvent) => event.key === "Escape" && onEscape();
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [onEscape]);
};
