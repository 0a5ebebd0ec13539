import type { Edited } from "../conversation.ts";
import type { Catalog } from "../wire.ts";
import { FilterEditor } from "./filter-editor.tsx";
import { NewFilter } from "./new-filter.tsx";
import { OptionList } from "./option-list.tsx";
import { PeriodEditor } from "./period-editor.tsx";
import {
  type Chip,
  type EditablePlan,
  subjectIn,
  withFilter,
  withGroup,
  withMeasure,
  withNewFilter,
  withoutChip,
} from "./plan-chips.ts";

type Props = {
  readonly token: string;
  readonly chip: Chip;
  readonly plan: EditablePlan;
  readonly catalog: Catalog;
  readonly onEdit: (edited: { plan: EditablePlan } & Pick<Edited, "period">) => void;
};

const Body = ({ token, chip, plan, catalog, onEdit }: Props) => {
  const subject = subjectIn(catalog, plan);
  switch (chip.kind) {
    case "period":
      return (
        <PeriodEditor current={plan.period?.label ?? "all data"} onChoose={(period) => onEdit({ plan, period })} />
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
    case "filter": {
      const filter = plan.filters[chip.at];
      if (filter === undefined) return null;
      return <FilterEditor filter={filter} onChange={(next) => onEdit({ plan: withFilter(plan, chip.at, next) })} />;
    }
    case "new_filter":
      return subject === undefined ? null : (
        <NewFilter {...{ token, subject }} onAdd={(filter) => onEdit({ plan: withNewFilter(plan, filter) })} />
      );
    case "grain":
    case "group":
    case "new_group": {
      const current =
        chip.kind === "grain" ? plan.grain : chip.kind === "group" ? (plan.dimensions[chip.at] ?? null) : null;
      const taken = new Set([plan.grain, ...plan.dimensions].filter((name) => name !== current));
      const options = [...catalog.grains, ...(subject?.dimensions ?? [])].filter(({ name }) => !taken.has(name));
      return (
        <OptionList
          title="Find a grouping"
          current={current}
          options={options}
          onChoose={(name) => onEdit({ plan: withGroup(plan, chip, { name, catalog }) })}
        />
      );
    }
  }
};

const canGo = ({ kind }: Chip): boolean => kind === "group" || kind === "grain" || kind === "filter";

/** What one chip can become. */
export const ChipEditor = (props: Props) => {
  const { chip, plan, onEdit } = props;
  return (
    <div class="chip-editor">
      <Body {...props} />
      {canGo(chip) && (
        <button type="button" class="quiet remove" onClick={() => onEdit({ plan: withoutChip(plan, chip) })}>
          Remove
        </button>
      )}
    </div>
  );
};
