import type { ComponentChildren } from "preact";
import { PeriodPicker } from "../period/period-picker.tsx";
import { SearchBox } from "../search-box.tsx";
import { codes, kinds, type Search, statuses } from "./search.ts";

type SelectsProps = { readonly search: Search; readonly onChange: (part: Partial<Search>) => void };

type SelectProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly onChoose: (value: string) => void;
  readonly children?: ComponentChildren;
};

const Select = ({ label, value, options, onChoose, children }: SelectProps) => (
  <label class="filter">
    {label}
    <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
      {children}
    </select>
  </label>
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

type Props = SelectsProps & { readonly onReload: () => void };

const directions = [
  { value: "outgoing", label: "Sent" },
  { value: "incoming", label: "Received" },
] as const;

/** The search of the delivery log: a text, a direction, a status, an event or type, and a span in the organization's zone. */
export const SearchForm = ({ search, onChange, onReload }: Props) => (
  <SearchBox
    text={search.text}
    label="Search call ids, addresses, webhooks, bodies and answers"
    hint="Call id, address or body"
    onSeek={(text) => (text === search.text ? onReload() : onChange({ text }))}
    before={
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
    }
  >
    <div class="filters filters-first">
      <PeriodPicker label="When" span={search} withAny onChange={onChange} />
      <StatusSelect search={search} onChange={onChange} />
      <KindSelect search={search} onChange={onChange} />
    </div>
  </SearchBox>
);
