import { useId, useRef } from "preact/hooks";
import { useArrowKeys } from "../arrow-keys.ts";

type Props = {
  readonly title: string;
  readonly look: "cards" | "chips";
  readonly options: readonly string[];
  readonly onChoose: (option: string) => void;
};

/** Questions to choose from: suggestions, follow-ups, the options of a clarification. */
export const Choices = ({ title, look, options, onChoose }: Props) => {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  useArrowKeys(list);
  return (
    <div class="choices">
      <p class="choices-title" id={id}>
        {title}
      </p>
      <ul class={look} ref={list} aria-labelledby={id}>
        {options.map((option) => (
          <li key={option}>
            <button type="button" onClick={() => onChoose(option)}>
              {option}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};
