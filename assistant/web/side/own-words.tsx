import { useState } from "preact/hooks";
import { errorText } from "../problem.ts";
import { useSession } from "../session-context.ts";
import { type Instructions, instructionsSchema } from "../wire.ts";

const path = "/reporting_ai/instructions";

/** The organization's glossary and rules, read when they are opened; admins write them. */
export const OwnWords = () => {
  const { client } = useSession();
  const [found, setFound] = useState<Instructions | null>(null);
  const [text, setText] = useState("");
  const [told, setTold] = useState<string | null>(null);

  const show = (instructions: Instructions): void => {
    setFound(instructions);
    setText(instructions.instructions);
  };
  const tell = (error: unknown): void => setTold(errorText(error, 403, 422));
  const load = (): void => {
    setTold(null);
    client.get(path, instructionsSchema).then(show, tell);
  };
  const save = async (): Promise<void> => {
    setTold(null);
    try {
      show(await client.send({ method: "PATCH", path, body: { instructions: text } }, instructionsSchema));
      setTold("Saved: questions are read by them from now on.");
    } catch (error) {
      tell(error);
    }
  };

  return (
    <details class="fold own-words" onToggle={(event) => event.currentTarget.open && load()}>
      <summary>Your organization's words</summary>
      {found !== null && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <textarea
            aria-label="Glossary and rules"
            rows={6}
            value={text}
            readOnly={!found.may_change}
            placeholder="West = California, Oregon and Washington"
            onInput={(event) => setText(event.currentTarget.value)}
          />
          {found.may_change ? (
            <button type="submit" class="secondary small">
              Save
            </button>
          ) : (
            <p class="soft">Admins of your organization write them.</p>
          )}
        </form>
      )}
      {told !== null && (
        <p class="soft" role="status">
          {told}
        </p>
      )}
    </details>
  );
};
