import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSummonKey } from "../summon-key.ts";
import { kinds, type Search, spans, statuses } from "./search.ts";

type Props = {
  readonly search: Search;
  readonly onChange: (part: Partial<Search>) => void;
  readonly onReload: () => void;
};

const directions = [
  { value: "outgoing", label: "Sent" },
  { value: "incoming", label: "Received" },
] as const;

type SelectProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
};

const Select = ({ label, value, options, onChoose }: SelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);

export const SearchForm = ({ search, onChange, onReload }: Props) => {
  const [text, setText] = useState(search.text);
  const box = useRef<HTMLInputElement>(null);
  useSummonKey(box);
  useLayoutEffect(() => setText(search.text), [search.text]);
  const isSent = search.direction === "outgoing";
  const any = { value: "", label: isSent ? "Any event" : "Any type" };
  return (
    <form
      class="search-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === search.text) onReload();
        else onChange({ text: text.trim() });
      }}
    >
      <fieldset class="looks">
        <legend class="visually-hidden">Direction</legend>
        {directions.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={search.direction === value}
            onClick={() => onChange({ direction: value, kind: "" })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <div class="search-text">
        <input
          ref={box}
          type="search"
          aria-label="Search in addresses, bodies and answers"
          placeholder="Addresses, bodies, answers"
          maxLength={200}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="secondary">
          Search
        </button>
      </div>
      <div class="search-selects">
        <Select label="Status" value={search.status} options={statuses} onChoose={(status) => onChange({ status })} />
        <Select
          label={isSent ? "Event" : "Type"}
          value={search.kind}
          options={[any, ...kinds[search.direction].map((value) => ({ value, label: value }))]}
          onChoose={(kind) => onChange({ kind })}
        />
        <Select label="When" value={search.hours} options={spans} onChoose={(hours) => onChange({ hours })} />
      </div>
    </form>
  );
};
