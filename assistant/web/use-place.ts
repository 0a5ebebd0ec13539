import { useCallback, useLayoutEffect, useState } from "preact/hooks";
import { readPlace } from "./place.ts";

/** The place that the address names, so that back, forward, reloading and links work; and how to name another one. */
export const usePlace = () => {
  const [place, setPlace] = useState(() => readPlace(location.hash));

  useLayoutEffect(() => {
    const move = () => setPlace(readPlace(location.hash));
    addEventListener("hashchange", move);
    return () => removeEventListener("hashchange", move);
  }, []);

  /** Has the address say what is already there; going back does not come by it. */
  const settle = useCallback((hash: string): void => {
    history.replaceState(null, "", hash);
    setPlace(readPlace(hash));
  }, []);

  return { place, settle };
};
