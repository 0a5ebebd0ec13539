import { useLayoutEffect, useRef, useState } from "preact/hooks";

type Props = {
  readonly name: string;
  readonly label: string;
  readonly yes: string;
  /** Resolves to why the name cannot be given, or null. */
  readonly onName: (name: string) => Promise<string | null>;
  readonly onCancel: () => void;
};

// The server's own limit.
const maxNameLength = 255;

/** A text box for a name, in place: Enter submits it, Escape cancels. */
export const NameForm = ({ name, label, yes, onName, onCancel }: Props) => {
  const [text, setText] = useState(name);
  const [state, setState] = useState<{ readonly busy: boolean; readonly problem: string | null }>({
    busy: false,
    problem: null,
  });
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.select(), []);

  const submit = async (): Promise<void> => {
    if (text.trim() === "" || state.busy) return;
    setState({ busy: true, problem: null });
    setState({ busy: false, problem: await onName(text.trim()) });
  };

  return (
    <form
      class="name-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        // Escape closes this form, and not what is around it.
        event.stopPropagation();
        onCancel();
      }}
    >
      <input
        ref={box}
        aria-label={label}
        maxLength={maxNameLength}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="secondary small" aria-disabled={text.trim() === "" || state.busy}>
        {yes}
      </button>
      <button type="button" class="quiet small" onClick={onCancel}>
        Cancel
      </button>
      {state.problem !== null && (
        <p class="notice" role="alert">
          {state.problem}
        </p>
      )}
    </form>
  );
};
