import { useState } from "preact/hooks";
import { OptionList } from "./option-list.tsx";

type Props = {
  /** The period's words now. */
  readonly current: string;
  /** null for all data. */
  readonly onChoose: (period: string | null) => void;
};

const periods = ["today", "yesterday", "last 7 days", "last 30 days", "this month", "last month", "this quarter"];

/** A period that is often asked for, or one in words. */
export const PeriodEditor = ({ current, onChoose: choose }: Props) => {
  const [text, setText] = useState("");
  return (
    <>
      <OptionList
        title="Period"
        current={current}
        options={[...periods, "all data"].map((name) => ({ name, label: name }))}
        onChoose={(name) => choose(name === "all data" ? null : name)}
      />
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "") choose(text.trim());
        }}
      >
        <input
          aria-label="Another period"
          placeholder="Another, such as October 2026"
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
