import { useState } from "preact/hooks";
import type { PlanFilter } from "./plan-chips.ts";

/** Values of a condition as text and back; numbers stay numbers. */
const toValues = (text: string, before: readonly unknown[]): readonly unknown[] => {
  const parts = text.split(/\s+or\s+/i).filter((part) => part.trim() !== "");
  return before.every((value) => typeof value === "number") ? parts.map(Number) : parts.map((part) => part.trim());
};

/** A condition's values and its opposite. */
export const FilterEditor = ({ filter, onChange }: { filter: PlanFilter; onChange: (filter: PlanFilter) => void }) => {
  const [text, setText] = useState(filter.values.map(String).join(" or "));
  const isFlag = typeof filter.values[0] === "boolean";
  const isChoice = filter.op === "is" || filter.op === "is_not";
  const opposite = filter.op === "is" ? "is_not" : "is";
  const values = toValues(text, filter.values);
  return (
    <>
      {isChoice && (
        <button type="button" class="secondary" onClick={() => onChange({ ...filter, op: opposite })}>
          {filter.op === "is" ? "Exclude instead" : "Include only"}
        </button>
      )}
      {!isFlag && (
        <form
          class="inline-form"
          onSubmit={(event) => {
            event.preventDefault();
            if (values.length > 0) onChange({ ...filter, values: [...values] });
          }}
        >
          <input
            aria-label="Value; several with “or” between them"
            maxLength={1000}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <button type="submit" class="secondary" aria-disabled={values.length === 0}>
            Apply
          </button>
        </form>
      )}
    </>
  );
};
