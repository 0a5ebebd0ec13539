import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useArrowKeys } from "../arrow-keys.ts";
import { useEscape } from "../use-escape.ts";
import type { Conversation, SavedAnswer } from "../wire.ts";
import { useFocusAfterRemoval } from "./focus-after-removal.ts";
import { SavedList } from "./saved-list.tsx";
import { SessionList } from "./session-list.tsx";
import type { useSaved } from "./use-saved.ts";

export type Shelf = "recent" | "saved";

type Props = {
  readonly shelf: Shelf;
  readonly sessions: readonly Conversation[];
  readonly saved: ReturnType<typeof useSaved>;
  readonly current: string | null;
  /** On a narrow window the panel lies over the page, and is closed again. */
  readonly open: boolean;
  readonly onShelf: (shelf: Shelf) => void;
  readonly onOpen: (id: string) => void;
  readonly onAsk: (answer: SavedAnswer) => void;
  readonly onRemove: (shelf: Shelf, id: string) => Promise<boolean>;
  readonly onClose: () => void;
};

/** What the button that opens it says that it controls. */
export const panelId = "conversations";

const shelves = [
  { shelf: "recent", label: "Recent" },
  { shelf: "saved", label: "Saved" },
] as const;

const Shelves = ({ shelf: chosen, onShelf }: Pick<Props, "shelf" | "onShelf">) => {
  const row = useRef<HTMLFieldSetElement>(null);
  useArrowKeys(row);
  return (
    <fieldset class="looks" ref={row}>
      <legend class="visually-hidden">Show</legend>
      {shelves.map(({ shelf, label }) => (
        <button key={shelf} type="button" aria-pressed={shelf === chosen} onClick={() => onShelf(shelf)}>
          {label}
        </button>
      ))}
    </fieldset>
  );
};

/** Lying over the page it has the keyboard while it is open, and gives it back to the button that opened it. */
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

/** What was asked before: the analyst's own conversations, and the organization's saved answers. */
export const SidePanel = (props: Props) => {
  const { shelf, sessions, saved, current, open, onShelf, onOpen, onAsk, onRemove, onClose } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const panel = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const count = shelf === "recent" ? sessions.length : saved.found.kind === "found" ? saved.found.answers.length : 0;
  const mark = useFocusAfterRemoval(panel, count);
  usePanelFocus(panel, open);
  useEscape(open ? onClose : null);
  useArrowKeys(list);

  const remove = async (id: string): Promise<boolean> => {
    const rows = [...(list.current?.querySelectorAll("li") ?? [])];
    mark(rows.findIndex((row) => row.contains(document.activeElement)));
    setProblem(null);
    const done = await onRemove(shelf, id);
    if (!done) setProblem("That could not be deleted. Try again.");
    return done;
  };

  return (
    <nav class="sessions" ref={panel} data-open={open} id={panelId} aria-label="Conversations">
      <Shelves {...{ shelf, onShelf }} />
      {problem !== null && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      <div class="shelf" ref={list}>
        {shelf === "recent" ? (
          <SessionList {...{ sessions, current, onOpen }} onRemove={remove} />
        ) : (
          <SavedList {...{ saved, onAsk }} onRemove={remove} />
        )}
      </div>
    </nav>
  );
};
