import { useLayoutEffect, useRef } from "preact/hooks";
import { CloseIcon } from "../icons.tsx";
import { useArrowKeys } from "../keyboard.ts";
import type { Narrowing } from "./narrow.ts";

type Props = {
  readonly title: string;
  readonly options: readonly Narrowing[];
  readonly onChoose: (narrowing: Narrowing) => void;
  readonly onClose: () => void;
};

/** Questions that lead on from a row or a mark, to be chosen; Escape closes it. */
export const NarrowPanel = ({ title, options, onChoose, onClose }: Props) => {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
    panel.current?.querySelector<HTMLElement>("li button")?.focus({ preventScroll: true });
  }, [title]);
  useArrowKeys(panel);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is laid out as nothing else is
    <div
      class="narrow"
      role="group"
      aria-label={`Look into ${title}`}
      ref={panel}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        onClose();
      }}
    >
      <p>
        <strong>{title}</strong>
        <button type="button" class="quiet small" aria-label="Close" onClick={onClose}>
          <CloseIcon />
        </button>
      </p>
      <ul>
        {options.map((option) => (
          <li key={option.label}>
            <button type="button" class="secondary small" onClick={() => onChoose(option)}>
              {option.label}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};
