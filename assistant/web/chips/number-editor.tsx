import { Fragment } from "preact";
import { useState } from "preact/hooks";
import type { Unit } from "../wire.ts";
import { amountExample, parseAmount, sayAmount } from "./amount.ts";
import type { PlanFilter } from "./editable-plan.ts";
import { comparators } from "./say-filter.ts";

type Props = {
  readonly label: string;
  readonly field: string;
  readonly unit: Unit;
  /** The condition as it is; null for a new one. */
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

/** A condition on a number: over, under, or between two, in its unit. */
export const NumberEditor = ({ label, field, unit, filter, onApply }: Props) => {
  const known = filter?.values.map((value) => (typeof value === "number" ? sayAmount(value, unit) : String(value)));
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
