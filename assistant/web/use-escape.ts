import { useEffect } from "preact/hooks";

/** Calls `onEscape` for the Escape key, wherever the focus is; null listens to nothing. */
export const useEscape = (onEscape: (() => void) | null): void => {
  useEffect(() => {
    if (onEscape === null) return;
    const press = (event: KeyboardEvent) => event.key === "Escape" && onEscape();
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [onEscape]);
};
