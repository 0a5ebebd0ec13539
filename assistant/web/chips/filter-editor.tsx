import { useState } from "preact/hooks";
import type { CatalogSubject } from "../wire.ts";
import type { PlanFilter } from "./editable-plan.ts";
import { NumberEditor } from "./number-editor.tsx";
import { unitOf } from "./say-filter.ts";

type Props = {
  readonly filter: PlanFilter;
  readonly label: string;
  readonly subject: CatalogSubject | undefined;
  readonly onChange: (conditions: readonly PlanFilter[]) => void;
};

const toValues = (text: string): readonly string[] =>
  text
    .split(/\s+or\s+/i)
    .map((part) => part.trim())
    .filter((part) => part !== "");

const TextEditor = ({ filter, onChange }: Pick<Props, "filter" | "onChange">) => {
  const [text, setText] = useState(filter.values.map(String).join(" or "));
  const values = toValues(text);
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (values.length > 0) onChange([{ ...filter, values: [...values] }]);
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
  );
};

/** A condition's values and its opposite; of a number, how much. */
export const FilterEditor = ({ filter, label, subject, onChange }: Props) => {
  const { field, op, values } = filter;
  const isChoice = op === "is" || op === "is_not";
  if (values.length === 1 && typeof values[0] === "number" && op !== "is_not")
    return (
      <NumberEditor
        label={label}
        field={field}
        filter={filter}
        unit={unitOf(field, subject) ?? null}
        onApply={onChange}
      />
    );
  return (
    <>
      {isChoice && (
        <button
          type="button"
          class="secondary"
          onClick={() => onChange([{ ...filter, op: op === "is" ? "is_not" : "is" }])}
        >
          {op === "is" ? "Exclude instead" : "Include only"}
        </button>
      )}
      {values.length > 0 && values.every((value) => typeof value === "string") && (
        <TextEditor filter={filter} onChange={onChange} />
      )}
    </>
  );
};
