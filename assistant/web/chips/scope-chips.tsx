import { useId, useRef, useState } from "preact/hooks";
import { focusFirst, useArrowKeys, useEscape } from "../keyboard.ts";
import type { Catalog, PlanEdit } from "../wire.ts";
import { ChipEditor, type EditedPlan } from "./chip-editor.tsx";
import type { Chip, EditablePlan } from "./edit-plan.ts";
import { describePlan, type PlanWords, toChips } from "./plan-chips.ts";

type Props = {
  readonly plan: EditablePlan;
  readonly catalog: Catalog;
  readonly words: PlanWords;
  /** The whole in one line, with exact dates; null where the answer says it already. */
  readonly summary: string | null;
  readonly busy: boolean;
  readonly onAsk: (question: string, edited: PlanEdit) => void;
};

const reveal = (element: HTMLElement | null): void => {
  element?.scrollIntoView({ block: "nearest" });
  focusFirst(element);
};

const keyOf = (chip: Chip): string => ("at" in chip ? `${chip.kind}-${chip.at}` : chip.kind);

/** The edited plan with the words of new periods as their labels, for `describePlan`. */
const withPeriodWords = ({ plan, period, compare }: EditedPlan): EditablePlan => {
  const dated = period === undefined ? plan : { ...plan, period: { label: period ?? "all data" }, compare: null };
  return compare == null ? dated : { ...dated, compare: { label: compare } };
};

/** The plan of an answer as chips: each opens an editor that changes its part and asks anew. */
export const ScopeChips = ({ plan, catalog, words, summary, busy, onAsk }: Props) => {
  const [open, setOpen] = useState<string | null>(null);
  const row = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const id = useId();
  const chips = toChips(plan, catalog, words);
  const chosen = chips.find((chip) => keyOf(chip) === open);

  const close = (): void => {
    row.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    setOpen(null);
  };

  const edit = (edited: EditedPlan): void => {
    setOpen(null);
    // Only the server has words for changed conditions and groups.
    const isFiltered = edited.plan.filters !== plan.filters || edited.plan.having !== plan.having;
    const isGrouped = edited.plan.dimensions !== plan.dimensions || edited.plan.grain !== plan.grain;
    const known = { filters: isFiltered ? [] : words.filters, grouping: isGrouped ? [] : words.grouping };
    onAsk(describePlan(withPeriodWords(edited), catalog, known), edited);
  };

  useEscape(chosen === undefined ? null : close);
  useArrowKeys(list);

  return (
    <div class="scope-chips" ref={row}>
      <ul class="scope-row" ref={list} aria-label="How the question was read">
        {chips.map((chip) => (
          <li key={keyOf(chip)}>
            <button
              type="button"
              class={`scope-chip scope-${chip.kind}`}
              aria-expanded={keyOf(chip) === open}
              aria-controls={keyOf(chip) === open ? id : undefined}
              aria-disabled={busy}
              onClick={() => !busy && setOpen(keyOf(chip) === open ? null : keyOf(chip))}
            >
              {chip.label}
            </button>
          </li>
        ))}
      </ul>
      {chosen && (
        <section key={open} id={id} ref={reveal} aria-label={`Change: ${chosen.label}`}>
          <ChipEditor chip={chosen} plan={plan} catalog={catalog} onEdit={edit} />
        </section>
      )}
      {summary !== null && <p class="scope">{summary}</p>}
    </div>
  );
};
