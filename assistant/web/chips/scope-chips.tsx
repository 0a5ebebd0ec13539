import { useId, useRef, useState } from "preact/hooks";
import type { Edited } from "../conversation.ts";
import { useEscape } from "../use-escape.ts";
import type { Catalog } from "../wire.ts";
import { ChipEditor } from "./chip-editor.tsx";
import { type Chip, type EditablePlan, type PlanWords, sayPlan, toChips } from "./plan-chips.ts";

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

/** Brings what has just been opened into sight. */
const reveal = (element: HTMLElement | null): void => element?.scrollIntoView({ block: "nearest" });

const keyOf = (chip: Chip): string => ("at" in chip ? `${chip.kind}-${chip.at}` : chip.kind);

/** How the question was read, each part a button that changes it and asks anew. */
export const ScopeChips = ({ token, plan, catalog, words, summary, busy, onAsk }: Props) => {
  const [open, setOpen] = useState<string | null>(null);
  const row = useRef<HTMLDivElement>(null);
  const id = useId();
  const chips = toChips(plan, catalog, words);
  const chosen = chips.find((chip) => keyOf(chip) === open);

  const close = (): void => {
    row.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus();
    setOpen(null);
  };

  const edit = (edited: { plan: EditablePlan } & Pick<Edited, "period">): void => {
    setOpen(null);
    const isPeriod = edited.period !== undefined;
    const label = edited.period ?? "all data";
    const said = isPeriod ? { ...edited.plan, period: { label } } : edited.plan;
    // Where conditions or groups have changed, their words are the server's to find.
    const filters = edited.plan.filters === plan.filters ? words.filters : [];
    const grouping =
      edited.plan.dimensions === plan.dimensions && edited.plan.grain === plan.grain ? words.grouping : [];
    onAsk(sayPlan(said, catalog, { filters, grouping }), edited);
  };

  useEscape(chosen === undefined ? null : close);

  return (
    <div class="scope-chips" ref={row}>
      <ul class="scope-row" aria-label="How the question was read">
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
        <section id={id} ref={reveal} aria-label={`Change: ${chosen.label}`}>
          <ChipEditor key={open} token={token} chip={chosen} plan={plan} catalog={catalog} onEdit={edit} />
        </section>
      )}
      {summary !== null && <p class="scope">{summary}</p>}
    </div>
  );
};
