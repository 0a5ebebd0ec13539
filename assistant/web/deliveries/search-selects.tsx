import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { minuteInZone, minuteOfUtc } from "../format-time.ts";
import { Zone } from "../zone.ts";
import { between, codes, kinds, minutesAgo, type Search, spans, statuses } from "./search.ts";

type Props = { readonly search: Search; readonly onChange: (part: Partial<Search>) => void };

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

const StatusSelect = ({ search: { status }, onChange }: Props) => {
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

const KindSelect = ({ search: { direction, kind }, onChange }: Props) => {
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

// Where no span stood there before.
const dayHours = 24;

const SpanSelect = ({ search: { hours }, onChange }: Props) => {
  const choose = (chosen: string): void => {
    const now = Date.now();
    // The span that stood there, its ends to be moved.
    const from = chosen === between ? minutesAgo(now, Number(hours) || dayHours) : "";
    onChange({ hours: chosen, from, to: chosen === between ? minutesAgo(now, 0) : "" });
  };
  return <Select label="When" value={hours} options={spans} onChoose={choose} />;
};

type EndProps = {
  readonly label: string;
  /** A minute of UTC, shown as one of the zone. */
  readonly value: string;
  readonly zone: string;
  readonly onMove: (minute: string) => void;
};

/** While a part of it is being typed the browser has no minute, and what is sought stays as it was. */
const SpanEnd = ({ label, value, zone, onMove }: EndProps) => (
  <input
    type="datetime-local"
    aria-label={`${label}, in ${zone}`}
    value={minuteInZone(value, zone)}
    onChange={({ currentTarget: { value: minute } }) => minute !== "" && onMove(minuteOfUtc(minute, zone))}
  />
);

const SpanEnds = ({ search: { from, to }, onChange }: Props) => {
  const zone = useContext(Zone);
  return (
    <fieldset class="search-span">
      <legend class="visually-hidden">Between, in {zone}</legend>
      <SpanEnd label="From" value={from} zone={zone} onMove={(minute) => onChange({ from: minute })} />
      <span class="soft">to</span>
      <SpanEnd label="To" value={to} zone={zone} onMove={(minute) => onChange({ to: minute })} />
    </fieldset>
  );
};

/** What is chosen of a search, beside its words. */
export const SearchSelects = (props: Props) => (
  <>
    <div class="search-selects">
      <StatusSelect {...props} />
      <KindSelect {...props} />
      <SpanSelect {...props} />
    </div>
    {props.search.hours === between && <SpanEnds {...props} />}
  </>
);
