import { useState } from "preact/hooks";

type Option = { readonly name: string; readonly label: string };
type Props = {
  readonly title: string;
  readonly options: readonly Option[];
  readonly current: string | null;
  readonly onChoose: (name: string) => void;
};

// Few enough to see at once need no search.
const searchFrom = 12;

/** One of many, found by typing a part of its name. */
export const OptionList = ({ title, options, current, onChoose }: Props) => {
  const [text, setText] = useState("");
  const sought = text.trim().toLowerCase();
  const found = options.filter(({ label }) => label.toLowerCase().includes(sought));
  return (
    <div class="options">
      {options.length >= searchFrom && (
        <input
          type="search"
          aria-label={title}
          placeholder={title}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <ul class="option-list" aria-label={title}>
        {found.map(({ name, label }) => (
          <li key={name}>
            <button type="button" aria-pressed={name === current} onClick={() => onChoose(name)}>
              {label}
            </button>
          </li>
        ))}
        {found.length === 0 && <li class="soft">Nothing is called that.</li>}
      </ul>
    </div>
  );
};
