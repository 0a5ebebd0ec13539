import type { Edited } from "../conversation.ts";
import type { Catalog } from "../wire.ts";
import { withConditions, withGroup, withMeasure, withNewCondition, withoutChip } from "./change-plan.ts";
import { comparisons, toCompareWords } from "./compare-words.ts";
import { type EditablePlan, subjectIn } from "./editable-plan.ts";
import { FilterEditor } from "./filter-editor.tsx";
import { NewFilter } from "./new-filter.tsx";
import { OptionList } from "./option-list.tsx";
import { allData, PeriodEditor, periods } from "./period-editor.tsx";
import type { Chip } from "./plan-chips.ts";

/** A plan that was changed, with words for periods that the server is to read. */
export type EditedPlan = { readonly plan: EditablePlan } & Pick<Edited, "period" | "compare">;

type Props = {
  readonly token: string;
  readonly chip: Chip;
  readonly plan: EditablePlan;
  readonly catalog: Catalog;
  readonly onEdit: (edited: EditedPlan) => void;
};

const GroupEditor = ({ chip, plan, catalog, onEdit }: Props) => {
  const current =
    chip.kind === "grain" ? plan.grain : chip.kind === "group" ? (plan.dimensions[chip.at] ?? null) : null;
  const taken = new Set([plan.grain, ...plan.dimensions].filter((name) => name !== current));
  const dimensions = subjectIn(catalog, plan)?.dimensions ?? [];
  return (
    <OptionList
      title="Find a grouping"
      current={current}
      options={[...catalog.grains, ...dimensions].filter(({ name }) => !taken.has(name))}
      onChoose={(name) => onEdit({ plan: withGroup(plan, chip, { name, catalog }) })}
    />
  );
};

/** Another period keeps being compared with the one before it, or a year earlier. */
const changePeriod = (plan: EditablePlan, words: string): EditedPlan => {
  if (words === allData) return { plan, period: null };
  const compare = plan.compare === null ? {} : { compare: toCompareWords(plan.compare.label) };
  return { plan, period: words, ...compare };
};

const Body = (props: Props) => {
  const { token, chip, plan, catalog, onEdit } = props;
  const subject = subjectIn(catalog, plan);
  switch (chip.kind) {
    case "period":
      return (
        <PeriodEditor
          title="Period"
          options={periods}
          example="October 2026"
          current={plan.period?.label ?? allData}
          onChoose={(words) => onEdit(changePeriod(plan, words))}
        />
      );
    case "compare":
    case "new_compare":
      return (
        <PeriodEditor
          title="Compare with"
          options={comparisons}
          example="September 2026"
          current={plan.compare === null ? null : toCompareWords(plan.compare.label)}
          onChoose={(compare) => onEdit({ plan, compare })}
        />
      );
    case "measure":
      return (
        <OptionList
          title="Find a figure"
          current={plan.measures[chip.at] ?? null}
          options={subject?.measures ?? []}
          onChoose={(name) => onEdit({ plan: withMeasure(plan, chip.at, name) })}
        />
      );
    case "filter":
    case "having": {
      const place = { list: chip.kind === "filter" ? "filters" : "having", at: chip.at } as const;
      const filter = plan[place.list][chip.at];
      if (filter === undefined) return null;
      return (
        <FilterEditor
          filter={filter}
          subject={subject}
          label={chip.label}
          onChange={(conditions) => onEdit({ plan: withConditions(plan, place, conditions) })}
        />
      );
    }
    case "new_filter":
      return subject === undefined ? null : (
        <NewFilter
          token={token}
          plan={plan}
          subject={subject}
          catalog={catalog}
          onAdd={(list, conditions) =>
            onEdit({ plan: conditions.reduce((held, each) => withNewCondition(held, list, each), plan) })
          }
        />
      );
    case "grain":
    case "group":
    case "new_group":
      return <GroupEditor {...props} />;
  }
};

const removable: ReadonlySet<Chip["kind"]> = new Set(["group", "grain", "filter", "having", "compare"]);

/** What one chip can become. */
export const ChipEditor = (props: Props) => {
  const { chip, plan, onEdit } = props;
  return (
    <div class="chip-editor">
      <Body {...props} />
      {removable.has(chip.kind) && (
        <button type="button" class="quiet remove" onClick={() => onEdit({ plan: withoutChip(plan, chip) })}>
          Remove
        </button>
      )}
    </div>
  );
};
