import { useEffect, useId, useRef } from "preact/hooks";
import { toInstant, toLocal } from "../../calendar.ts";
import { nowMs } from "../clock.ts";
import { focusFirst, useDisclosure, useEscape } from "../keyboard.ts";
import { useZone } from "../session-context.ts";
import { type LocalEnds, type LocalRange, PeriodPanel } from "./period-panel.tsx";
import { type At, between, datesOf, endsWords, minuteAt, recordSpans, type Span, spanOf } from "./spans.ts";

type Props = {
  readonly label: string;
  readonly span: Span;
  /** True where any time can be chosen, too. */
  readonly withAny?: boolean;
  readonly onChange: (span: Span) => void;
};

const anyTime = { name: "", label: "Any time", dates: "" };

/** The chosen span in words, and its dates. */
const wordsOf = (span: Span, at: At): { readonly label: string; readonly dates: string } => {
  if (span.hours === between) return { label: "", dates: endsWords(span, at.zone) || anyTime.label };
  const named = recordSpans.find(({ value }) => value === span.hours);
  return named === undefined ? anyTime : { label: named.label, dates: datesOf(named, at) };
};

const localEnds = (span: Span, at: At): LocalEnds => {
  const { start, end } = spanOf(span, at);
  // Cut to the minute, as in addresses.
  const local = (iso: string): number => toLocal(Math.floor(Date.parse(iso) / 60_000) * 60_000, at.zone);
  return {
    from: start === null ? null : local(start),
    to: end !== null || start !== null ? local(end ?? new Date(at.nowMs).toISOString()) : null,
  };
};

/** A button that says the span of what is shown, and opens the choice of another: by name, or by a calendar. */
export const PeriodPicker = ({ label, span, withAny = false, onChange }: Props) => {
  const zone = useZone();
  const id = useId();
  const { isOpen, button, open, close } = useDisclosure();
  const root = useRef<HTMLDivElement>(null);
  const at: At = { nowMs: nowMs(), zone };
  const words = wordsOf(span, at);

  useEffect(() => {
    if (!isOpen) return;
    const leave = (event: Event): void => {
      if (event.target instanceof Node && root.current?.contains(event.target) === false) close();
    };
    addEventListener("pointerdown", leave);
    return () => removeEventListener("pointerdown", leave);
  }, [isOpen]);

  useEscape(isOpen ? close : null);

  const choose = (next: Span): void => {
    close();
    onChange(next);
  };
  const chooseRange = ({ from, to }: LocalRange): void => {
    const [start, end] = [toInstant(from, zone), toInstant(to, zone)].map(minuteAt);
    choose({ hours: between, from: start ?? "", to: end ?? "" });
  };
  const named = recordSpans.map((each) => ({ name: each.value, label: each.label, dates: datesOf(each, at) }));

  return (
    <div class="filter period-picker" ref={root}>
      <span id={`${id}-label`}>{label}</span>
      <button
        type="button"
        class="period-button"
        ref={button}
        id={`${id}-button`}
        aria-labelledby={`${id}-label ${id}-button`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={isOpen ? close : open}
      >
        {words.label !== "" && <span>{words.label}</span>}{" "}
        {words.dates !== "" && <span class={words.label === "" ? "" : "period-dates"}>{words.dates}</span>}
      </button>
      {isOpen && (
        <div class="period-popover" role="dialog" aria-label={`${label}: choose a time`} ref={focusFirst}>
          <PeriodPanel
            title="Usual times"
            options={withAny ? [...named, anyTime] : named}
            current={span.hours}
            ends={localEnds(span, at)}
            withTimes
            onChoose={(hours) => choose({ hours, from: "", to: "" })}
            onRange={chooseRange}
          />
        </div>
      )}
    </div>
  );
};
