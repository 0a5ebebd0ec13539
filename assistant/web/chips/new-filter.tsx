import { useState } from "preact/hooks";
import type { CatalogSubject } from "../wire.ts";
import { OptionList } from "./option-list.tsx";
import type { PlanFilter } from "./plan-chips.ts";
import { ValuePicker } from "./value-picker.tsx";

type Props = {
  readonly token: string;
  readonly subject: CatalogSubject;
  readonly onAdd: (filter: PlanFilter) => void;
};

/** A condition more: what it is on, then which values; of a fact, whether it holds. */
export const NewFilter = ({ token, subject, onAdd }: Props) => {
  const [field, setField] = useState<string | null>(null);
  const options = [...subject.dimensions, ...subject.flags];
  const chosen = options.find(({ name }) => name === field);
  if (chosen === undefined)
    return <OptionList title="Find what to filter by" current={null} options={options} onChoose={setField} />;
  const isFlag = subject.flags.some(({ name }) => name === field);
  return (
    <>
      <button type="button" class="quiet back" onClick={() => setField(null)}>
        ← {chosen.label}
      </button>
      {isFlag ? (
        <OptionList
          key={chosen.name}
          title={chosen.label}
          current={null}
          options={["yes", "no"].map((name) => ({ name, label: name }))}
          onChoose={(name) => onAdd({ field: chosen.name, op: "is", values: [name === "yes"] })}
        />
      ) : (
        <ValuePicker
          {...{ token, subject: subject.name, dimension: chosen.name, label: chosen.label }}
          onChoose={(value) => onAdd({ field: chosen.name, op: "is", values: [value] })}
        />
      )}
    </>
  );
};
