import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { CloseIcon } from "../icons.tsx";

/** How the removal of a row is called, and asked for once more before it is done. */
export type Removal = { readonly name: string; readonly question: string; readonly yes: string; readonly no: string };

type Props = {
  readonly title: string;
  readonly isCurrent?: boolean;
  /** Null where it is not for this user to remove. */
  readonly removal: Removal | null;
  readonly onOpen: () => void;
  /** Whether it was removed. */
  readonly onRemove: () => Promise<boolean>;
  /** What else can be done with it. */
  readonly acts?: ComponentChildren;
  readonly children: ComponentChildren;
};

type AskingProps = {
  readonly title: string;
  readonly removal: Removal;
  readonly onYes: () => void;
  readonly onNo: () => void;
};

const Asking = ({ title, removal, onYes, onNo }: AskingProps) => {
  const no = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => no.current?.focus({ preventScroll: true }), []);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is laid out as nothing else is
    <div
      class="session-asking"
      role="group"
      aria-label={`${removal.name}: ${title}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // It closes this, and not the panel around it.
        event.stopPropagation();
        onNo();
      }}
    >
      <p>{removal.question}</p>
      <button type="button" class="secondary small danger" onClick={onYes}>
        {removal.yes}
      </button>
      <button type="button" class="secondary small" ref={no} onClick={onNo}>
        {removal.no}
      </button>
    </div>
  );
};

/** A row that is opened by a click, and removed by another once that was confirmed where it stands. */
export const RemovableRow = ({ title, isCurrent = false, removal, onOpen, onRemove, acts, children }: Props) => {
  const [asking, setAsking] = useState(false);
  const cross = useRef<HTMLButtonElement>(null);
  const returning = useRef(false);

  useLayoutEffect(() => {
    if (returning.current) cross.current?.focus({ preventScroll: true });
    returning.current = false;
  }, [asking]);

  const leave = (): void => {
    returning.current = true;
    setAsking(false);
  };
  const remove = async (): Promise<void> => {
    if (!(await onRemove())) leave();
  };

  if (asking && removal !== null) {
    return (
      <li class="session">
        <Asking title={title} removal={removal} onYes={() => void remove()} onNo={leave} />
      </li>
    );
  }
  return (
    <li class="session">
      <button
        type="button"
        class="session-open"
        aria-current={isCurrent ? "true" : undefined}
        title={title}
        onClick={onOpen}
      >
        {children}
      </button>
      <span class="session-acts">
        {acts}
        {removal !== null && (
          <button
            type="button"
            class="session-act danger"
            ref={cross}
            aria-label={`${removal.name}: ${title}`}
            onClick={() => setAsking(true)}
          >
            <CloseIcon />
          </button>
        )}
      </span>
    </li>
  );
};
