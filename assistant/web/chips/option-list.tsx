import type { RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { useArrowKeys } from "../keyboard.ts";

type ChoicesProps = {
  readonly title: string;
  readonly look: "cards" | "chips";
  readonly options: readonly string[];
  readonly onChoose: (option: string) => void;
};

/** Questions to choose from: suggestions, follow-ups, the options of a clarification. */
export const Choices = ({ title, look, options, onChoose }: ChoicesProps) => {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  useArrowKeys(list);
  return (
    <div class="choices">
      <p class="choices-title" id={id}>
        {title}
      </p>
      <ul class={look} ref={list} aria-labelledby={id}>
        {options.map((option) => (
          <li key={option}>
            <button type="button" onClick={() => onChoose(option)}>
              {option}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};

type Option = { readonly name: string; readonly label: string; readonly section?: string };
type Props = {
  readonly title: string;
  /** Options with the same section are listed together under its name. */
  readonly options: readonly Option[];
  readonly current: string | null;
  readonly onChoose: (name: string) => void;
};

// Fewer options are seen at once and need no search.
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

/** A list of options, searched by a part of their labels. */
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

type FormProps = {
  readonly label: string;
  readonly placeholder?: string;
  readonly maxLength: number;
  readonly text: string;
  readonly canApply: boolean;
  readonly box?: RefObject<HTMLInputElement | null>;
  readonly onText: (text: string) => void;
  readonly onApply: () => void;
};

/** A text box with the button "Apply". */
export const InlineForm = ({ label, placeholder, maxLength, text, canApply, box, onText, onApply }: FormProps) => (
  <form
    class="inline-form"
    onSubmit={(event) => {
      event.preventDefault();
      if (canApply) onApply();
    }}
  >
    <input
      ref={box ?? null}
      aria-label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      value={text}
      onInput={(event) => onText(event.currentTarget.value)}
    />
    <button type="submit" class="secondary" aria-disabled={!canApply}>
      Apply
    </button>
  </form>
);
