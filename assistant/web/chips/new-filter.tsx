import { useState } from "preact/hooks";
import { BackIcon } from "../icons.tsx";
import type { Catalog, CatalogSubject } from "../wire.ts";
import type { ConditionList, EditablePlan, PlanFilter } from "./editable-plan.ts";
import { type FilterField, fieldsOf } from "./filter-fields.ts";
import { focusFirst } from "./focus-first.ts";
import { NumberEditor } from "./number-editor.tsx";
import { OptionList } from "./option-list.tsx";
import { ValuePicker } from "./value-picker.tsx";

type Add = (list: ConditionList, conditions: readonly PlanFilter[]) => void;
type Props = {
  readonly token: string;
  readonly plan: EditablePlan;
  readonly subject: CatalogSubject;
  readonly catalog: Catalog;
  readonly onAdd: Add;
};
type Chosen = { readonly label: string; readonly field: FilterField };

const tagOf = (key: string): Chosen => ({ label: `tag ${key}`, field: { kind: "value", field: `tag:${key}` } });

type ConditionProps = {
  readonly token: string;
  readonly subject: string;
  readonly chosen: Chosen;
  readonly onTag: (key: string) => void;
  readonly onAdd: Add;
};

const Condition = ({ token, subject, chosen, onTag, onAdd }: ConditionProps) => {
  const { label, field } = chosen;
  const is = (value: string | boolean) =>
    field.kind !== "tags" && onAdd("filters", [{ field: field.field, op: "is", values: [value] }]);
  switch (field.kind) {
    case "flag":
      return (
        <OptionList
          title={label}
          current={null}
          options={["yes", "no"].map((name) => ({ name, label: name }))}
          onChoose={(name) => is(name === "yes")}
        />
      );
    case "number":
      return (
        <NumberEditor
          label={label}
          field={field.field}
          unit={field.unit}
          filter={null}
          onApply={(conditions) => onAdd(field.list, conditions)}
        />
      );
    case "tags":
      return <ValuePicker token={token} subject={subject} label={label} dimension="tag" onChoose={onTag} />;
    case "value":
      return <ValuePicker token={token} subject={subject} label={label} dimension={field.field} onChoose={is} />;
  }
};

/** A condition more: what it is on, then which values, or how much; of a fact, whether it holds. */
export const NewFilter = ({ token, plan, subject, catalog, onAdd }: Props) => {
  const [chosen, choose] = useState<Chosen | null>(null);
  const options = fieldsOf(plan, subject, catalog);
  if (chosen === null)
    return (
      <OptionList
        title="Find what to filter by"
        current={null}
        options={options}
        onChoose={(name) => choose(options.find((each) => each.name === name) ?? null)}
      />
    );
  return (
    <>
      <button type="button" class="quiet back" onClick={() => choose(null)}>
        <BackIcon />
        {chosen.label}
      </button>
      <div key={chosen.label} ref={focusFirst} class="condition">
        <Condition
          token={token}
          chosen={chosen}
          onAdd={onAdd}
          subject={subject.name}
          onTag={(key) => choose(tagOf(key))}
        />
      </div>
    </>
  );
};
