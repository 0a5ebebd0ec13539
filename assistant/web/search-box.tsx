import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { minuteInZone, minuteOfUtc } from "./format-time.ts";
import { useFocusShortcut } from "./keyboard.ts";
import type { SpanEnds } from "./search-span.ts";
import { useZone } from "./session-context.ts";

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

type EndProps = { readonly label: string; readonly value: string; readonly onMove: (minute: string) => void };

/** While a part of the minute is being typed the input has no value, and the search stays unchanged. */
const SpanEnd = ({ label, value, onMove }: EndProps) => {
  const zone = useZone();
  return (
    <input
      type="datetime-local"
      aria-label={`${label}, in ${zone}`}
      value={value === "" ? "" : minuteInZone(value, zone)}
      onChange={({ currentTarget: { value: minute } }) => minute !== "" && onMove(minuteOfUtc(minute, zone))}
    />
  );
};

type SpanProps = SpanEnds & { readonly onChange: (part: Partial<SpanEnds>) => void };

/** The beginning and the end of a span, to be moved; shown in the organization's zone. */
export const SpanFields = ({ from, to, onChange }: SpanProps) => {
  const zone = useZone();
  return (
    <fieldset class="search-span">
      <legend class="visually-hidden">Between, in {zone}</legend>
      <SpanEnd label="From" value={from} onMove={(minute) => onChange({ from: minute })} />
      <span class="soft">to</span>
      <SpanEnd label="To" value={to} onMove={(minute) => onChange({ to: minute })} />
      <span class="soft">{zone}</span>
    </fieldset>
  );
};
