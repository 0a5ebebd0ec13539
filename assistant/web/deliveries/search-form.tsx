import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useSummonKey } from "../summon-key.ts";
import type { Search } from "./search.ts";
import { SearchSelects } from "./search-selects.tsx";

type Props = {
  readonly search: Search;
  readonly onChange: (part: Partial<Search>) => void;
  readonly onReload: () => void;
};

const directions = [
  { value: "outgoing", label: "Sent" },
  { value: "incoming", label: "Received" },
] as const;

export const SearchForm = ({ search, onChange, onReload }: Props) => {
  const [text, setText] = useState(search.text);
  const box = useRef<HTMLInputElement>(null);
  useSummonKey(box);
  useLayoutEffect(() => setText(search.text), [search.text]);
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
          aria-label="Search call ids, addresses, webhooks, bodies and answers"
          placeholder="Call id, address or body"
          maxLength={200}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="secondary">
          Search
        </button>
      </div>
      <SearchSelects search={search} onChange={onChange} />
    </form>
  );
};
