import { Fragment } from "preact";
import { useState } from "preact/hooks";
import { BackIcon } from "../icons.tsx";
import { focusFirst } from "../keyboard.ts";
import type { Catalog, CatalogSubject, Unit } from "../wire.ts";
import {
  amountExample,
  comparators,
  type FilterField,
  filterFields,
  formatAmount,
  parseAmount,
  unitOf,
} from "./conditions.ts";
import type { ConditionList, EditablePlan, PlanFilter } from "./edit-plan.ts";
import { InlineForm, OptionList } from "./option-list.tsx";
import { ValuePicker } from "./value-picker.tsx";

type NumberProps = {
  readonly label: string;
  readonly field: string;
  readonly unit: Unit;
  /** Null for a new condition. */
  readonly filter: PlanFilter | null;
  readonly onApply: (conditions: readonly PlanFilter[]) => void;
};

const between = "between";
const ops = [...comparators, { op: between, words: between }] as const;

const conditionsOf = (field: string, op: string, amounts: readonly number[]): readonly PlanFilter[] => {
  if (op !== between) return [{ field, op, values: amounts.slice(0, 1) }];
  return [
    { field, op: "at_least", values: [Math.min(...amounts)] },
    { field, op: "at_most", values: [Math.max(...amounts)] },
  ];
};

/** Edits a condition on a number, in its unit. */
const NumberEditor = ({ label, field, unit, filter, onApply }: NumberProps) => {
  const known = filter?.values.map((value) => (typeof value === "number" ? formatAmount(value, unit) : String(value)));
  const [op, setOp] = useState<string>(filter?.op ?? "more_than");
  const [texts, setTexts] = useState([known?.join(" or ") ?? "", ""]);
  const [refused, setRefused] = useState(false);
  const asked = op === between ? texts : texts.slice(0, 1);

  const apply = (event: Event): void => {
    event.preventDefault();
    const amounts = asked.map((text) => parseAmount(text, unit));
    const read = amounts.filter((amount) => amount !== null);
    setRefused(read.length < amounts.length);
    if (read.length === amounts.length) onApply(conditionsOf(field, op, read));
  };

  return (
    <form class="inline-form number-form" onSubmit={apply} noValidate>
      <select aria-label={`How ${label} is compared`} value={op} onChange={(event) => setOp(event.currentTarget.value)}>
        {ops.map((each) => (
          <option key={each.op} value={each.op}>
            {each.words}
          </option>
        ))}
      </select>
      {asked.map((text, at) => (
        <Fragment key={at}>
          {at > 0 && <span>and</span>}
          <input
            aria-label={at === 0 ? `Value of ${label}` : `and ${label}`}
            aria-invalid={refused && parseAmount(text, unit) === null}
            placeholder={amountExample(unit)}
            maxLength={40}
            value={text}
            onInput={(event) => setTexts(texts.map((each, nth) => (nth === at ? event.currentTarget.value : each)))}
          />
        </Fragment>
      ))}
      <button type="submit" class="secondary">
        Apply
      </button>
      {refused && (
        <p class="notice" role="alert">
          Say a number, such as {amountExample(unit)}.
        </p>
      )}
    </form>
  );
};

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
    <InlineForm
      label="Value; several with “or” between them"
      maxLength={1000}
      text={text}
      canApply={values.length > 0}
      onText={setText}
      onApply={() => onChange([{ ...filter, values: [...values] }])}
    />
  );
};

/** Edits a condition: its values and its opposite, or its number. */
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

type Add = (list: ConditionList, conditions: readonly PlanFilter[]) => void;
type NewFilterProps = {
  readonly plan: EditablePlan;
  readonly subject: CatalogSubject;
  readonly catalog: Catalog;
  readonly onAdd: Add;
};
type Chosen = { readonly label: string; readonly field: FilterField };

const tagOf = (key: string): Chosen => ({ label: `tag ${key}`, field: { kind: "value", field: `tag:${key}` } });

type ConditionProps = {
  readonly subject: string;
  readonly chosen: Chosen;
  readonly onTag: (key: string) => void;
  readonly onAdd: Add;
};

const Condition = ({ subject, chosen, onTag, onAdd }: ConditionProps) => {
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
      return <ValuePicker subject={subject} label={label} dimension="tag" onChoose={onTag} />;
    case "value":
      return <ValuePicker subject={subject} label={label} dimension={field.field} onChoose={is} />;
  }
};

/** Adds a condition: first its field is chosen, then its value. */
export const NewFilter = ({ plan, subject, catalog, onAdd }: NewFilterProps) => {
  const [chosen, choose] = useState<Chosen | null>(null);
  const options = filterFields(plan, subject, catalog);
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
        <Condition chosen={chosen} onAdd={onAdd} subject={subject.name} onTag={(key) => choose(tagOf(key))} />
      </div>
    </>
  );
};
