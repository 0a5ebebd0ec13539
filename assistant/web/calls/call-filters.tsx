import { useId, useState } from "preact/hooks";
import { callHash } from "../hash-location.ts";
import { PeriodPicker } from "../period/period-picker.tsx";
import { SearchBox } from "../search-box.tsx";
import { type CallSearch, flags, noSearch, readSought, statuses } from "./call-search.ts";
import { type FilterOptions, type Group, type Option, useFilterOptions } from "./use-filter-options.ts";

type Props = { readonly search: CallSearch; readonly onChange: (part: Partial<CallSearch>) => void };

type SelectProps = {
  readonly label: string;
  readonly value: string;
  readonly options: readonly Option[];
  readonly onChoose: (value: string) => void;
};

/** A value that is not among the options, such as one of a link, is one of them all the same. */
export const Select = ({ label, value, options, onChoose }: SelectProps) => {
  const id = useId();
  const isListed = options.some((option) => option.value === value);
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        {(isListed ? options : [...options, { value, label: value }]).map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
};

type TextProps = {
  readonly label: string;
  readonly value: string;
  readonly hint: string;
  readonly onEnter: (text: string) => void;
};

/** A text that is a filter once it is left, or Enter is pressed. */
const TextFilter = ({ label, value, hint, onEnter }: TextProps) => {
  const id = useId();
  return (
    <div class="filter">
      <label for={id}>{label}</label>
      <input
        id={id}
        value={value}
        placeholder={hint}
        maxLength={200}
        onChange={(event) => onEnter(event.currentTarget.value.trim())}
      />
    </div>
  );
};

/** Filters beside the span and the state, which are always shown. */
const behind = [
  "reason",
  "campaign",
  "publisher",
  "buyer",
  "target",
  "rtb",
  "number",
  "converted",
  "duplicate",
  "min",
  "tag",
] as const;

const More = ({ search, onChange, options }: Props & { readonly options: FilterOptions }) => {
  const select = (name: Group | "reason", label: string) => (
    <Select
      label={label}
      value={search[name]}
      options={options[name]}
      onChoose={(chosen) => onChange({ [name]: chosen })}
    />
  );
  return (
    <div class="filters" id="more-filters">
      {select("campaign", "Campaign")}
      {select("publisher", "Publisher")}
      {select("buyer", "Buyer")}
      {select("target", "Target")}
      {select("reason", "Why not connected")}
      <Select
        label="Converted"
        value={search.converted}
        options={flags}
        onChoose={(converted) => onChange({ converted })}
      />
      <Select
        label="Duplicate"
        value={search.duplicate}
        options={flags}
        onChoose={(duplicate) => onChange({ duplicate })}
      />
      <TextFilter
        label="Number dialed"
        hint="+18005550100"
        value={search.number}
        onEnter={(number) => onChange({ number })}
      />
      <TextFilter
        label="At least so many seconds"
        hint="90"
        value={search.min}
        onEnter={(min) => onChange({ min: /^\d{1,6}$/.test(min) ? min : "" })}
      />
      <TextFilter
        label="Tag"
        hint="utm_source=google"
        value={search.tag}
        onEnter={(tag) => onChange({ tag: tag.includes("=") ? tag : "" })}
      />
    </div>
  );
};

const nameOfFilter: Readonly<Record<(typeof behind)[number], string>> = {
  reason: "Why not connected",
  campaign: "Campaign",
  publisher: "Publisher",
  buyer: "Buyer",
  target: "Target",
  rtb: "RTB formula",
  number: "Number dialed",
  converted: "Converted",
  duplicate: "Duplicate",
  min: "Seconds at least",
  tag: "Tag",
};

/** The filters that are set, each to be removed. */
const SetFilters = ({ search, onChange, options }: Props & { readonly options: FilterOptions }) => {
  const set = [...(["caller"] as const), ...behind].filter((name) => search[name] !== "");
  if (set.length === 0) return null;
  const labelOf = (name: (typeof set)[number]): string => {
    const listed = name in options ? options[name as Group] : name === "converted" || name === "duplicate" ? flags : [];
    return listed.find(({ value }) => value === search[name])?.label ?? search[name];
  };
  return (
    <ul class="set-filters" aria-label="Filters that are set">
      {set.map((name) => {
        const title = name === "caller" ? "Caller" : nameOfFilter[name];
        return (
          <li key={name}>
            <button type="button" class="secondary small" onClick={() => onChange({ [name]: "" })}>
              {title}: {labelOf(name)} <span aria-hidden="true">×</span>
              <span class="visually-hidden">, remove</span>
            </button>
          </li>
        );
      })}
      {set.length > 1 && (
        <li>
          <button
            type="button"
            class="quiet small"
            onClick={() => onChange({ ...noSearch, hours: search.hours, from: search.from, to: search.to })}
          >
            Remove all
          </button>
        </li>
      )}
    </ul>
  );
};

/** The search of the call log: a caller or a call id, a span in the organization's zone, a state, and more filters. */
export const CallFilters = ({ search, onChange, onReload }: Props & { readonly onReload: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const set = behind.filter((name) => search[name] !== "");
  const options = useFilterOptions(search, isOpen || set.length > 0);
  const seek = (text: string): void => {
    const sought = text === "" ? { caller: "" } : readSought(text);
    if ("call" in sought) location.hash = callHash(sought.call);
    else if (sought.caller === search.caller) onReload();
    else onChange(sought);
  };
  return (
    <SearchBox text={search.caller} label="Caller's number or call id" hint="Caller's number or call id" onSeek={seek}>
      <div class="filters filters-first">
        <PeriodPicker label="When" span={search} onChange={onChange} />
        <Select label="State" value={search.status} options={statuses} onChoose={(status) => onChange({ status })} />
        <button
          type="button"
          class="secondary"
          aria-expanded={isOpen}
          aria-controls="more-filters"
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Fewer filters" : "More filters"}
          {set.length > 0 && ` (${set.length})`}
        </button>
      </div>
      {isOpen && <More search={search} onChange={onChange} options={options} />}
      <SetFilters search={search} onChange={onChange} options={options} />
    </SearchBox>
  );
};
