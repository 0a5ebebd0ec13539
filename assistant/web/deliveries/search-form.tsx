import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { minuteInZone, minuteOfUtc } from "../format-time.ts";
import { useFocusShortcut } from "../keyboard.ts";
import { useZone } from "../session-context.ts";
import { between, codes, kinds, minutesAgo, type Search, spans, statuses } from "./search.ts";

type SelectsProps = { readonly search: Search; readonly onChange: (part: Partial<Search>) => void };

type SelectProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
  readonly children?: ComponentChildren;
};

const Select = ({ label, value, options, onChoose, children }: SelectProps) => (
  <select aria-label={label} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
    {children}
  </select>
);

const StatusSelect = ({ search: { status }, onChange }: SelectsProps) => {
  const isListed = statuses.some(({ value }) => value === status) || codes.includes(status);
  return (
    <Select label="Status" value={status} options={statuses} onChoose={(chosen) => onChange({ status: chosen })}>
      <optgroup label="One status">
        {(isListed ? codes : [status, ...codes]).map((code) => (
          <option key={code} value={code}>
            {code}
          </option>
        ))}
      </optgroup>
    </Select>
  );
};

const KindSelect = ({ search: { direction, kind }, onChange }: SelectsProps) => {
  const isSent = direction === "outgoing";
  const any = { value: "", label: isSent ? "Any event" : "Any type" };
  return (
    <Select
      label={isSent ? "Event" : "Type"}
      value={kind}
      options={[any, ...kinds[direction].map((value) => ({ value, label: value }))]}
      onChoose={(chosen) => onChange({ kind: chosen })}
    />
  );
};

// The span to begin with where none was chosen before.
const dayHours = 24;

const SpanSelect = ({ search: { hours }, onChange }: SelectsProps) => {
  const choose = (chosen: string): void => {
    const now = Date.now();
    // The ends of the span that was chosen before, to be moved.
    const from = chosen === between ? minutesAgo(now, Number(hours) || dayHours) : "";
    onChange({ hours: chosen, from, to: chosen === between ? minutesAgo(now, 0) : "" });
  };
  return <Select label="When" value={hours} options={spans} onChoose={choose} />;
};

type EndProps = {
  readonly label: string;
  /** A minute of UTC, shown in the zone. */
  readonly value: string;
  readonly zone: string;
  readonly onMove: (minute: string) => void;
};

/** While a part of the minute is being typed the input has no value, and the search stays unchanged. */
const SpanEnd = ({ label, value, zone, onMove }: EndProps) => (
  <input
    type="datetime-local"
    aria-label={`${label}, in ${zone}`}
    value={minuteInZone(value, zone)}
    onChange={({ currentTarget: { value: minute } }) => minute !== "" && onMove(minuteOfUtc(minute, zone))}
  />
);

const SpanEnds = ({ search: { from, to }, onChange }: SelectsProps) => {
  const zone = useZone();
  return (
    <fieldset class="search-span">
      <legend class="visually-hidden">Between, in {zone}</legend>
      <SpanEnd label="From" value={from} zone={zone} onMove={(minute) => onChange({ from: minute })} />
      <span class="soft">to</span>
      <SpanEnd label="To" value={to} zone={zone} onMove={(minute) => onChange({ to: minute })} />
    </fieldset>
  );
};

const SearchSelects = (props: SelectsProps) => (
  <>
    <div class="search-selects">
      <StatusSelect {...props} />
      <KindSelect {...props} />
      <SpanSelect {...props} />
    </div>
    {props.search.hours === between && <SpanEnds {...props} />}
  </>
);

type Props = SelectsProps & { readonly onReload: () => void };

const directions = [
  { value: "outgoing", label: "Sent" },
  { value: "incoming", label: "Received" },
] as const;

export const SearchForm = ({ search, onChange, onReload }: Props) => {
  const [text, setText] = useState(search.text);
  const box = useRef<HTMLInputElement>(null);
  useFocusShortcut(box);
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
