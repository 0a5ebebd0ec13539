import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { type Place, toSessionHash } from "./place.ts";

type Asking = Extract<Place, { view: "ask" }>;

type Given = {
  readonly place: Asking;
  /** The session of the conversation that stands there; null for one that is not kept, or not begun. */
  readonly current: string | null;
  readonly settle: (hash: string) => void;
  readonly onOpen: (session: string) => void;
  readonly onAsk: (linked: NonNullable<Asking["linked"]>) => void;
};

/** Keeps the address and the conversation the same: whichever has changed is followed by the other. */
export const useConversationPlace = ({ place, current, settle, onOpen, onAsk }: Given): void => {
  const stood = useRef(current);
  const act = useRef({ onOpen, onAsk });
  useLayoutEffect(() => {
    act.current = { onOpen, onAsk };
  });

  useEffect(() => {
    const hasMoved = stood.current !== current;
    stood.current = current;
    if (place.linked !== null) {
      // Once only: reloading, or coming back, finds the conversation that it began.
      settle(toSessionHash(null));
      act.current.onAsk(place.linked);
    } else if (place.session === current) return;
    else if (hasMoved || place.session === null) settle(toSessionHash(current));
    else act.current.onOpen(place.session);
  }, [place, current, settle]);
};
