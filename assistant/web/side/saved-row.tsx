import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { EditIcon } from "../icons.tsx";
import { NameForm } from "../name-form.tsx";
import type { SavedQuestion } from "../wire.ts";
import { RemovableRow } from "./removable-row.tsx";

type Props = {
  readonly question: SavedQuestion;
  readonly onOpen: () => void;
  /** Why it could not be renamed; null where it was. */
  readonly onRename: (name: string) => Promise<string | null>;
  readonly onRemove: () => Promise<boolean>;
};

const removal = { name: "Delete", question: "Delete this question for everybody?", yes: "Delete", no: "Keep" };

/** What it asks, where its name does not say so, and whether it goes on asking about the same days. */
const noteOf = ({ name, query, moves }: SavedQuestion): string =>
  [query === name ? null : query, moves ? null : "always the dates it was saved with"].filter(Boolean).join(" · ");

/** A saved question: asked by a click, and by whom it is up to, renamed where it stands and deleted. */
export const SavedRow = ({ question, onOpen, onRename, onRemove }: Props) => {
  const [renaming, setRenaming] = useState(false);
  const pencil = useRef<HTMLButtonElement>(null);
  const returning = useRef(false);

  useLayoutEffect(() => {
    if (returning.current) pencil.current?.focus({ preventScroll: true });
    returning.current = false;
  }, [renaming]);

  const leave = (): void => {
    returning.current = true;
    setRenaming(false);
  };

  const { name } = question;
  if (renaming) {
    return (
      <li class="session">
        <NameForm
          name={name}
          label={`New name of ${name}`}
          yes="Rename"
          onName={async (next) => {
            const problem = next === name ? null : await onRename(next);
            if (problem === null) leave();
            return problem;
          }}
          onCancel={leave}
        />
      </li>
    );
  }
  const note = noteOf(question);
  const mayChange = question.may_change;
  return (
    <RemovableRow
      title={name}
      removal={mayChange ? removal : null}
      onOpen={onOpen}
      onRemove={onRemove}
      acts={
        mayChange && (
          <button
            type="button"
            class="session-act"
            ref={pencil}
            aria-label={`Rename: ${name}`}
            onClick={() => setRenaming(true)}
          >
            <EditIcon />
          </button>
        )
      }
    >
      <span class="session-title">{name}</span>
      {note !== "" && <span class="session-note">{note}</span>}
    </RemovableRow>
  );
};
