import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useArrowKeys } from "../keyboard.ts";
import { useSession } from "../session-context.ts";
import { valuesSchema } from "../wire.ts";
import { InlineForm } from "./option-list.tsx";

type Field = { readonly subject: string; readonly dimension: string };
type Props = Field & { readonly label: string; readonly onChoose: (value: string) => void };

const debounceMs = 300;

type Values = readonly string[] | "failed" | null;

/** The values that records have in a field, searched by a part of them; null until they are read. */
const useValues = ({ subject, dimension }: Field, contains: string): Values => {
  const { client } = useSession();
  const [values, setValues] = useState<Values>(null);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const query = new URLSearchParams({ subject, dimension, contains });
    const load = (): void => {
      client.get(`/reporting_ai/values?${query}`, valuesSchema, signal).then(
        ({ data }) => setValues(data),
        () => !signal.aborted && setValues("failed"),
      );
    };
    const timer = setTimeout(load, contains === "" ? 0 : debounceMs);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [client, subject, dimension, contains]);
  return values;
};

/** Picks one of the values that records have, or takes the value that is typed. */
export const ValuePicker = ({ subject, dimension, label, onChoose }: Props) => {
  const [text, setText] = useState("");
  const typed = text.trim();
  const values = useValues({ subject, dimension }, typed);
  const found = values === "failed" ? null : values;
  const list = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  useArrowKeys(list);
  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), []);
  return (
    <div class="options" ref={list}>
      <InlineForm
        box={box}
        label={`Value of ${label}`}
        placeholder={`Find or type a ${label}`}
        maxLength={120}
        text={text}
        canApply={typed !== ""}
        onText={setText}
        onApply={() => onChoose(typed)}
      />
      <div class="option-list" aria-busy={values === null}>
        <ul aria-label={`Values of ${label}`}>
          {found?.map((value) => (
            <li key={value}>
              <button type="button" onClick={() => onChoose(value)}>
                {value}
              </button>
            </li>
          ))}
        </ul>
        {found?.length === 0 && <p class="soft">No record has such a value.</p>}
        {values === "failed" && (
          <p class="soft" role="alert">
            The values could not be read. One that you type is taken all the same.
          </p>
        )}
      </div>
    </div>
  );
};
