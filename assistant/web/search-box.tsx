import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useFocusShortcut } from "./keyboard.ts";

type Props = {
  /** The text that is searched for now. */
  readonly text: string;
  readonly label: string;
  readonly hint: string;
  readonly onSeek: (text: string) => void;
  readonly before?: ComponentChildren;
  /** Filters, below the box. */
  readonly children: ComponentChildren;
};

/** A form with a search box, which the shortcut for searching focuses, and filters around it. */
export const SearchBox = ({ text, label, hint, onSeek, before, children }: Props) => {
  const [typed, setTyped] = useState(text);
  const box = useRef<HTMLInputElement>(null);
  useFocusShortcut(box);
  useLayoutEffect(() => setTyped(text), [text]);
  return (
    <form
      class="search-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSeek(typed.trim());
      }}
    >
      {before}
      <div class="search-text">
        <input
          ref={box}
          type="search"
          aria-label={label}
          placeholder={hint}
          maxLength={200}
          value={typed}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" class="secondary">
          Search
        </button>
      </div>
      {children}
    </form>
  );
};
