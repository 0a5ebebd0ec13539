import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useArrowKeys } from "../arrow-keys.ts";
import { useEscape } from "../use-escape.ts";
import type { ApprovedQuestion, Conversation, SavedQuestion } from "../wire.ts";
import { ApprovedList } from "./approved-list.tsx";
import { useFocusAfterRemoval } from "./focus-after-removal.ts";
import { SavedList } from "./saved-list.tsx";
import { SessionList } from "./session-list.tsx";
import type { useSaved } from "./use-saved.ts";
import type { Shelved } from "./use-shelf.ts";

export type Shelf = "recent" | "saved" | "approved";

type Props = {
  readonly shelf: Shelf;
  readonly sessions: Shelved<Conversation>;
  readonly saved: ReturnType<typeof useSaved>;
  readonly approved: Shelved<ApprovedQuestion>;
  readonly current: string | null;
  /** On a narrow window the panel lies over the page, and is closed again. */
  readonly open: boolean;
  readonly onShelf: (shelf: Shelf) => void;
  readonly onOpen: (id: string) => void;
  readonly onOpenSaved: (question: SavedQuestion) => void;
  readonly onAskApproved: (question: ApprovedQuestion) => void;
  readonly onRemove: (shelf: Shelf, id: string) => Promise<boolean>;
  readonly onClose: () => void;
  readonly onSignInAgain: () => void;
};

/** What the button that opens it says that it controls. */
export const panelId = "conversations";

const shelves = [
  { shelf: "recent", label: "Recent" },
  { shelf: "saved", label: "Saved" },
  { shelf: "approved", label: "Approved" },
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

/** The rows that stand on a shelf. */
const countOf = ({ shelf, sessions, saved, approved }: Props): number => {
  const { listed } = { recent: sessions, saved, approved }[shelf];
  return listed.kind === "found" ? listed.rows.length : 0;
};

const ChosenShelf = (props: Props) => {
  const { shelf, sessions, saved, approved, current, onOpen, onOpenSaved, onAskApproved, onSignInAgain } = props;
  const onRemove = (id: string): Promise<boolean> => props.onRemove(shelf, id);
  switch (shelf) {
    case "recent":
      return (
        <SessionList
          sessions={sessions}
          current={current}
          onOpen={onOpen}
          onRemove={onRemove}
          onSignInAgain={onSignInAgain}
        />
      );
    case "saved":
      return <SavedList saved={saved} onRemove={onRemove} onSignInAgain={onSignInAgain} onOpen={onOpenSaved} />;
    case "approved":
      return (
        <ApprovedList approved={approved} onRemove={onRemove} onSignInAgain={onSignInAgain} onAsk={onAskApproved} />
      );
  }
};

/** What was asked before: the analyst's own conversations, and the organization's saved and approved questions. */
export const SidePanel = (props: Props) => {
  const { shelf, open, onShelf, onRemove, onClose } = props;
  const [problem, setProblem] = useState<string | null>(null);
  const panel = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const mark = useFocusAfterRemoval(panel, countOf(props));
  usePanelFocus(panel, open);
  useEscape(open ? onClose : null);
  useArrowKeys(list);

  const remove = async (from: Shelf, id: string): Promise<boolean> => {
    const rows = [...(list.current?.querySelectorAll("li") ?? [])];
    mark(rows.findIndex((row) => row.contains(document.activeElement)));
    setProblem(null);
    const done = await onRemove(from, id);
    if (!done) setProblem("That could not be deleted. Try again.");
    return done;
  };

  return (
    <nav class="sessions" ref={panel} data-open={open} id={panelId} aria-label="Conversations">
      <Shelves
        shelf={shelf}
        onShelf={(next) => {
          setProblem(null);
          onShelf(next);
        }}
      />
      {problem !== null && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      <div ref={list}>
        <ChosenShelf {...props} onRemove={remove} />
      </div>
    </nav>
  );
};
