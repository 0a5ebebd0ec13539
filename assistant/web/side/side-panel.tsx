import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Linked, sessionHash } from "../hash-location.ts";
import { useArrowKeys, useEscape } from "../keyboard.ts";
import type { ApprovedQuestion, SavedQuestion, StoredSession } from "../wire.ts";
import { OwnWords } from "./own-words.tsx";
import { ApprovedList, SavedList, SessionList } from "./panel-lists.tsx";
import type { List, useSavedQuestions } from "./use-lists.ts";

type Lists = {
  readonly recent: List<StoredSession>;
  readonly saved: ReturnType<typeof useSavedQuestions>;
  readonly approved: List<ApprovedQuestion>;
};
export type Tab = keyof Lists;

const tabs = [
  { tab: "recent", label: "Recent" },
  { tab: "saved", label: "Saved" },
  { tab: "approved", label: "Approved" },
] as const;

const Tabs = ({ tab: chosen, onTab }: Pick<Props, "tab" | "onTab">) => {
  const row = useRef<HTMLFieldSetElement>(null);
  useArrowKeys(row);
  return (
    <fieldset class="looks" ref={row}>
      <legend class="visually-hidden">Show</legend>
      {tabs.map(({ tab, label }) => (
        <button key={tab} type="button" aria-pressed={tab === chosen} onClick={() => onTab(tab)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
};

const searchAfterMs = 250;

/** Searches once nothing was typed for a moment. */
const SessionSearch = ({ text, onSearch }: { text: string; onSearch: (text: string) => void }) => {
  const [typed, setTyped] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => onSearch(typed.trim()), searchAfterMs);
    return () => clearTimeout(timer);
  }, [typed, onSearch]);
  return (
    <input
      type="search"
      class="session-search"
      aria-label="Search your conversations"
      placeholder="Search"
      maxLength={200}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  );
};

/** The id that the button that opens the panel names as what it controls. */
export const panelId = "conversations";

/** An open panel, which then lies over the page, takes the focus, and gives it back to the button that opened it. */
const usePanelFocus = (panel: RefObject<HTMLElement | null>, open: boolean): void => {
  const wasOpen = useRef(open);
  useLayoutEffect(() => {
    if (wasOpen.current === open) return;
    wasOpen.current = open;
    const opener = panel.current?.ownerDocument.querySelector<HTMLElement>(`[aria-controls="${panelId}"]`);
    const chosen = panel.current?.querySelector<HTMLElement>('[aria-pressed="true"]');
    (open ? chosen : opener)?.focus({ preventScroll: true });
  }, [panel, open]);
};

/**
 * Once a list has lost the row whose index is given to the returned function, focuses the row that took its place: the
 * one after it, else the last one, else the chosen tab.
 */
const useFocusAfterRemoval = (panel: RefObject<HTMLElement | null>, count: number) => {
  const removed = useRef<number | null>(null);
  useLayoutEffect(() => {
    const index = removed.current;
    removed.current = null;
    if (index === null || panel.current === null) return;
    const rows = panel.current.querySelectorAll<HTMLElement>("li > button:first-child");
    const next =
      rows[Math.min(index, rows.length - 1)] ?? panel.current.querySelector<HTMLElement>('[aria-pressed="true"]');
    next?.focus();
  }, [panel, count]);
  return (index: number): void => {
    removed.current = index;
  };
};

type Props = {
  readonly tab: Tab;
  readonly lists: Lists;
  /** The session of the open conversation. */
  readonly current: string | null;
  /** The text that the listed conversations have in them; empty for all. */
  readonly search: string;
  readonly onSearch: (text: string) => void;
  /** In a narrow window the panel lies over the page, and is opened and closed. */
  readonly open: boolean;
  readonly onTab: (tab: Tab) => void;
  readonly onOpenSaved: (question: SavedQuestion) => void;
  readonly onAsk: (question: Linked) => void;
  /** Resolves to false where it could not be removed. */
  readonly onRemove: (id: string) => Promise<boolean>;
  readonly onClose: () => void;
};

/** The analyst's own conversations, and the organization's saved and approved questions. */
export const SidePanel = (props: Props) => {
  const { tab, lists, current, search, open, onTab, onSearch, onOpenSaved, onAsk, onRemove, onClose } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const panel = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const { list } = lists[tab];
  const markRemoval = useFocusAfterRemoval(panel, list.kind === "found" ? list.rows.length : 0);
  usePanelFocus(panel, open);
  useEscape(open ? onClose : null);
  useArrowKeys(body);

  const remove = async (id: string): Promise<boolean> => {
    const rows = [...(body.current?.querySelectorAll("li") ?? [])];
    markRemoval(rows.findIndex((row) => row.contains(document.activeElement)));
    setProblem(null);
    const done = await onRemove(id);
    if (!done) setProblem("That could not be deleted. Try again.");
    return done;
  };
  const thenClose =
    <T,>(act: (given: T) => void) =>
    (given: T): void => {
      act(given);
      onClose();
    };
  const openSession = (id: string): void => {
    location.hash = sessionHash(id);
  };

  return (
    <nav class="sessions" ref={panel} data-open={open} id={panelId} aria-label="Conversations">
      <Tabs
        tab={tab}
        onTab={(next) => {
          setProblem(null);
          onTab(next);
        }}
      />
      {problem !== null && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      <div ref={body}>
        {tab === "recent" && (
          <>
            <SessionSearch text={search} onSearch={onSearch} />
            <SessionList
              list={lists.recent}
              current={current}
              isSearched={search !== ""}
              onOpen={thenClose(openSession)}
              onRemove={remove}
            />
          </>
        )}
        {tab === "saved" && <SavedList list={lists.saved} onOpen={thenClose(onOpenSaved)} onRemove={remove} />}
        {tab === "approved" && <ApprovedList list={lists.approved} onAsk={thenClose(onAsk)} onRemove={remove} />}
      </div>
      <OwnWords />
    </nav>
  );
};
