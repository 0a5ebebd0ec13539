import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useArrowKeys } from "../arrow-keys.ts";
import { readUntil } from "../client.ts";
import { valuesSchema } from "../wire.ts";

type Asked = { readonly token: string; readonly subject: string; readonly dimension: string };
type Props = Asked & { readonly label: string; readonly onChoose: (value: string) => void };

// Letters that follow one another quickly are one question.
const pauseMs = 300;

type Values = readonly string[] | "unread" | null;

/** Values that records have, found by a part of them; null until they are here. */
const useValues = ({ token, subject, dimension }: Asked, contains: string): Values => {
  const [values, setValues] = useState<Values>(null);
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const query = new URLSearchParams({ subject, dimension, contains });
    const load = (): void => {
      readUntil(token, { path: `/reporting_ai/values?${query}`, signal }, valuesSchema).then(
        ({ data }) => setValues(data),
        () => !signal.aborted && setValues("unread"),
      );
    };
    const timer = setTimeout(load, contains === "" ? 0 : pauseMs);
    return () => {
      leaving.abort();
      clearTimeout(timer);
    };
  }, [token, subject, dimension, contains]);
  return values;
};

/** One value: of those that records have, or as it is typed. */
export const ValuePicker = ({ token, subject, dimension, label, onChoose }: Props) => {
  const [text, setText] = useState("");
  const typed = text.trim();
  const values = useValues({ token, subject, dimension }, typed);
  const found = values === "unread" ? null : values;
  const list = useRef<HTMLDivElement>(null);
  const box = useRef<HTMLInputElement>(null);
  useArrowKeys(list);
  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), []);
  return (
    <div class="options" ref={list}>
      <form
        class="inline-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed !== "") onChoose(typed);
        }}
      >
        <input
          ref={box}
          aria-label={`Value of ${label}`}
          placeholder={`Find or type a ${label}`}
          maxLength={120}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="secondary" aria-disabled={typed === ""}>
          Apply
        </button>
      </form>
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
        {values === "unread" && (
          <p class="soft" role="alert">
            The values could not be read. One that you type is taken all the same.
          </p>
        )}
      </div>
    </div>
  );
};
