import { useState } from "preact/hooks";
import { OptionList } from "./option-list.tsx";

type Props = {
  readonly title: string;
  /** The period's words now; null where there is none. */
  readonly current: string | null;
  readonly options: readonly string[];
  readonly example: string;
  readonly onChoose: (words: string) => void;
};

export const allData = "all data";
export const periods = [
  "today",
  "yesterday",
  "last 7 days",
  "last 30 days",
  "this month",
  "last month",
  "this quarter",
  allData,
];

/** A period that is often asked for, or one in words. */
export const PeriodEditor = ({ title, current, options, example, onChoose }: Props) => {
  const [text, setText] = useState("");
  return (
    <>
      <OptionList
        title={title}
        current={current}
        options={options.map((name) => ({ name, label: name }))}
        onChoose={onChoose}
      />
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") onChoose(text.trim());
        }}
      >
        <input
          aria-label="Another period"
          placeholder={`Another, such as ${example}`}
          maxLength={120}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="secondary" aria-disabled={text.trim() === ""}>
          Apply
        </button>
      </form>
    </>
  );
};
