import { useId, useRef, useState } from "preact/hooks";
import { useArrowKeys } from "../arrow-keys.ts";
import type { Edited } from "../conversation.ts";
import { useEscape } from "../use-escape.ts";
import type { Catalog } from "../wire.ts";
import { ChipEditor, type EditedPlan } from "./chip-editor.tsx";
import type { EditablePlan } from "./editable-plan.ts";
import { focusFirst } from "./focus-first.ts";
import { type Chip, type PlanWords, sayPlan, toChips } from "./plan-chips.ts";

type Props = {
  readonly token: string;
  readonly plan: EditablePlan;
  readonly catalog: Catalog;
  /** The plan's conditions and groups in words. */
  readonly words: PlanWords;
  /** The whole in one line, with exact dates; null where the answer says it already. */
  readonly summary: string | null;
  readonly busy: boolean;
  readonly onAsk: (question: string, edited: Edited) => void;
};

const reveal = (element: HTMLElement | null): void => {
  element?.scrollIntoView({ block: "nearest" });
  focusFirst(element);
};

const keyOf = (chip: Chip): string => ("at" in chip ? `${chip.kind}-${chip.at}` : chip.kind);

/** What the plan is to be called while the server has not said it: periods by the words that name them. */
const toSaid = ({ plan, period, compare }: EditedPlan): EditablePlan => {
  const dated = period === undefined ? plan : { ...plan, period: { label: period ?? "all data" }, compare: null };
  return compare == null ? dated : { ...dated, compare: { label: compare } };
};

/** How the question was read, each part a button that changes it and asks anew. */
export const ScopeChips = ({ token, plan, catalog, words, summary, busy, onAsk }: Props) => {
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
    // Where conditions or groups have changed, their words are the server's to find.
    const isFiltered = edited.plan.filters !== plan.filters || edited.plan.having !== plan.having;
    const isGrouped = edited.plan.dimensions !== plan.dimensions || edited.plan.grain !== plan.grain;
    const known = { filters: isFiltered ? [] : words.filters, grouping: isGrouped ? [] : words.grouping };
    onAsk(sayPlan(toSaid(edited), catalog, known), edited);
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
          <ChipEditor token={token} chip={chosen} plan={plan} catalog={catalog} onEdit={edit} />
        </section>
      )}
      {summary !== null && <p class="scope">{summary}</p>}
    </div>
  );
};
