import { useRef, useState } from "preact/hooks";
import { useArrowKeys } from "../arrow-keys.ts";

type Option = { readonly name: string; readonly label: string; readonly section?: string };
type Props = {
  readonly title: string;
  /** Those of one section stand together. */
  readonly options: readonly Option[];
  readonly current: string | null;
  readonly onChoose: (name: string) => void;
};

// Few enough to see at once need no search.
const searchFrom = 12;

type SectionProps = Omit<Props, "title"> & { readonly title: string; readonly headed: boolean };

const Section = ({ title, options, headed, current, onChoose }: SectionProps) => (
  <div class="option-section">
    {headed && <p aria-hidden="true">{title}</p>}
    <ul aria-label={title}>
      {options.map(({ name, label }) => (
        <li key={name}>
          <button type="button" aria-pressed={name === current} onClick={() => onChoose(name)}>
            {label}
          </button>
        </li>
      ))}
    </ul>
  </div>
);

/** One of many, found by typing a part of its name. */
export const OptionList = ({ title, options, current, onChoose }: Props) => {
  const [text, setText] = useState("");
  const list = useRef<HTMLDivElement>(null);
  useArrowKeys(list);
  const sought = text.trim().toLowerCase();
  const found = options.filter(({ label }) => label.toLowerCase().includes(sought));
  const sections = [...new Set(found.map(({ section = title }) => section))];
  return (
    <div class="options" ref={list}>
      {options.length >= searchFrom && (
        <input
          type="search"
          aria-label={title}
          placeholder={title}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
      <div class="option-list">
        {sections.map((section) => (
          <Section
            key={section}
            title={section}
            headed={section !== title}
            current={current}
            onChoose={onChoose}
            options={found.filter((each) => (each.section ?? title) === section)}
          />
        ))}
        {found.length === 0 && <p class="soft">Nothing is called that.</p>}
      </div>
    </div>
  );
};
