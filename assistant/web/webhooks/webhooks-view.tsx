import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import "../styles/routing.css";
import "../styles/webhooks.css";
import { IncomingList, OutgoingList } from "./webhook-list.tsx";
import { IncomingPage, OutgoingPage } from "./webhook-page.tsx";
import { readAt } from "./webhooks.ts";

/** Webhooks out and in: a list with their figures, or one of them, as the address says. */
const WebhooksView = ({ hash }: { hash: string }) => {
  const at = useMemo(() => readAt(hash), [hash]);
  const { direction, id } = at;
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (id === null) return;
    main.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [id]);
  const List = direction === "outgoing" ? OutgoingList : IncomingList;
  const One = direction === "outgoing" ? OutgoingPage : IncomingPage;
  return (
    <main class="calls routing webhooks" ref={main} tabIndex={-1}>
      {id === null ? <List key={direction} at={at} /> : <One key={id} at={at} id={id} />}
    </main>
  );
};

export const view = WebhooksView;
