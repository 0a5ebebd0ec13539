import { useLayoutEffect, useState } from "preact/hooks";

/** Where on the page: `#deliveries`, `#deliveries/<id>`, or the conversation. */
export type Place = { readonly view: "ask" } | { readonly view: "deliveries"; readonly hash: string };

const readPlace = (): Place => {
  const hash = location.hash.slice(1);
  return /^deliveries(\/|\?|$)/.test(hash) ? { view: "deliveries", hash } : { view: "ask" };
};

/** The place that the address names, so that back, forward and links work. */
export const usePlace = (): Place => {
  const [place, setPlace] = useState(readPlace);
  useLayoutEffect(() => {
    const move = () => setPlace(readPlace());
    addEventListener("hashchange", move);
    return () => removeEventListener("hashchange", move);
  }, []);
  return place;
};
