import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { send } from "./client.ts";
import { SaveIcon } from "./icons.tsx";
import { NameForm } from "./name-form.tsx";
import { RequestError, toProblem } from "./problem.ts";
import { savedQuestionSchema } from "./wire.ts";

type Given = {
  readonly token: string;
  readonly question: string;
  readonly plan: unknown;
  readonly onSaved: () => void;
};

const path = "/reporting_ai/saved";

/** An organization saves so many and no more, and the server says so best. */
const wordsOf = (error: unknown): string => {
  if (error instanceof RequestError && error.status === 409) return error.message;
  const { title, advice } = toProblem(error);
  return `${title} ${advice}`;
};

/** An answer's question on its way to be saved by a name, for all of the organization. */
export const useSaving = ({ token, question, plan, onSaved }: Given) => {
  const [naming, setNaming] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const returning = useRef(false);

  useLayoutEffect(() => {
    if (returning.current) button.current?.focus({ preventScroll: true });
    returning.current = false;
  }, [naming]);

  const leave = (): void => {
    returning.current = true;
    setNaming(false);
  };

  /** Why it could not be saved; null where it was. */
  const save = async (name: string): Promise<string | null> => {
    try {
      const body = { name, query: question, plan };
      setSaved((await send(token, { method: "POST", path, body }, savedQuestionSchema)).name);
      onSaved();
      leave();
      return null;
    } catch (error) {
      return wordsOf(error);
    }
  };

  return { question, naming, saved, button, save, begin: () => setNaming(true), leave };
};

type Saving = ReturnType<typeof useSaving>;

export const SaveButton = ({ saving: { naming, button, begin, leave } }: { saving: Saving }) => (
  <button type="button" class="quiet small" ref={button} aria-expanded={naming} onClick={naming ? leave : begin}>
    <SaveIcon />
    Save
  </button>
);

/** The name as it is given, and that it was. */
export const SaveForm = ({ saving: { question, naming, saved, save, leave } }: { saving: Saving }) => (
  <div class="saving">
    {naming && (
      <NameForm label="Name of the saved question" name={question} yes="Save" onName={save} onCancel={leave} />
    )}
    <span role="status">{saved === null || naming ? "" : `Saved as “${saved}”.`}</span>
  </div>
);
