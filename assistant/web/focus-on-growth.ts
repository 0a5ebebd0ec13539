import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/** Once a list of `count` rows has grown by what is marked here, brings the keyboard to the first row that came. */
export const useFocusOnGrowth = (list: RefObject<HTMLElement | null>, count: number) => {
  const grown = useRef<number | null>(null);
  useLayoutEffect(() => {
    const before = grown.current;
    if (before === null || count <= before) return;
    grown.current = null;
    list.current?.querySelectorAll<HTMLElement>("li > button:first-child")[before]?.focus({ preventScroll: true });
  }, [list, count]);
  return (): void => {
    grown.current = count;
  };
};
