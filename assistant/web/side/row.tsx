import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { CloseIcon, EditIcon } from "../icons.tsx";
import { useDisclosure } from "../keyboard.ts";
import { NameForm } from "../name-form.tsx";
import type { SavedQuestion } from "../wire.ts";

/** Words of a row's removal, and of the question that confirms it. */
export type Removal = { readonly name: string; readonly question: string; readonly yes: string; readonly no: string };

type ConfirmProps = {
  readonly title: string;
  readonly removal: Removal;
  readonly onYes: () => void;
  readonly onNo: () => void;
};

/** Asks whether something is to be removed, in its place. */
export const Confirm = ({ title, removal, onYes, onNo }: ConfirmProps) => {
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
        // Escape closes this row's form, and not the panel around it.
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

type Props = {
  readonly title: string;
  readonly isCurrent?: boolean;
  /** Null where this user may not remove it. */
  readonly removal: Removal | null;
  readonly onOpen: () => void;
  /** Resolves to false where it could not be removed. */
  readonly onRemove: () => Promise<boolean>;
  /** Further buttons of the row. */
  readonly actions?: ComponentChildren;
  readonly children: ComponentChildren;
};

/** A row that a click opens; removing it is confirmed in its place. */
export const Row = ({ title, isCurrent = false, removal, onOpen, onRemove, actions, children }: Props) => {
  const confirm = useDisclosure();
  const remove = async (): Promise<void> => {
    if (!(await onRemove())) confirm.close();
  };

  if (confirm.isOpen && removal !== null) {
    return (
      <li class="session">
        <Confirm title={title} removal={removal} onYes={() => void remove()} onNo={confirm.close} />
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
        {actions}
        {removal !== null && (
          <button
            type="button"
            class="session-act danger"
            ref={confirm.button}
            aria-label={`${removal.name}: ${title}`}
            onClick={confirm.open}
          >
            <CloseIcon />
          </button>
        )}
      </span>
    </li>
  );
};

type SavedProps = {
  readonly question: SavedQuestion;
  readonly onOpen: () => void;
  /** Resolves to why it could not be renamed, or null. */
  readonly onRename: (name: string) => Promise<string | null>;
  readonly onRemove: () => Promise<boolean>;
};

const savedRemoval = { name: "Delete", question: "Delete this question for everybody?", yes: "Delete", no: "Keep" };

/** The question where its name does not say it, and a remark where it always asks about the same days. */
const noteOf = ({ name, query, moves }: SavedQuestion): string =>
  [query === name ? null : query, moves ? null : "always the dates it was saved with"].filter(Boolean).join(" · ");

/** A saved question, which those who may change it also rename in its place. */
export const SavedRow = ({ question, onOpen, onRename, onRemove }: SavedProps) => {
  const renaming = useDisclosure();
  const { name, may_change: mayChange } = question;
  if (renaming.isOpen) {
    return (
      <li class="session">
        <NameForm
          name={name}
          label={`New name of ${name}`}
          yes="Rename"
          onName={async (next) => {
            const problem = next === name ? null : await onRename(next);
            if (problem === null) renaming.close();
            return problem;
          }}
          onCancel={renaming.close}
        />
      </li>
    );
  }
  const note = noteOf(question);
  return (
    <Row
      title={name}
      removal={mayChange ? savedRemoval : null}
      onOpen={onOpen}
      onRemove={onRemove}
      actions={
        mayChange && (
          <button
            type="button"
            class="session-act"
            ref={renaming.button}
            aria-label={`Rename: ${name}`}
            onClick={renaming.open}
          >
            <EditIcon />
          </button>
        )
      }
    >
      <span class="session-title">{name}</span>
      {note !== "" && <span class="session-note">{note}</span>}
    </Row>
  );
};
