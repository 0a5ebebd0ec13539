import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";
import { ArrowIcon } from "../icons.tsx";
import { hasPointer } from "../keyboard.ts";
import { type Recall, recall } from "./recall.ts";

type Props = {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly asked: readonly string[];
  readonly busy: boolean;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly onCancel: () => void;
};

/** True where an arrow key would leave the text: up on its first line, down on its last. */
const leavesText = (area: HTMLTextAreaElement, step: -1 | 1): boolean => {
  const { value, selectionStart, selectionEnd } = area;
  if (selectionStart !== selectionEnd) return false;
  return step === -1 ? !value.slice(0, selectionStart).includes("\n") : !value.slice(selectionEnd).includes("\n");
};

/**
 * The keys of the box: Enter sends, Escape cancels, the arrows recall earlier questions until something is typed or
 * sent.
 */
const useKeys = ({ box, text, asked, busy, onText, onSend, onCancel }: Props) => {
  const [recalled, setRecalled] = useState<Recall | null>(null);

  const walk = (event: KeyboardEvent, step: -1 | 1): void => {
    if (box.current === null || !leavesText(box.current, step)) return;
    if (recalled === null && step === 1) return;
    const found = recall(asked, text, { now: recalled, step });
    if (found === null) return;
    event.preventDefault();
    setRecalled(found.recall);
    onText(found.text);
  };

  const send = (): void => {
    setRecalled(null);
    onSend();
  };

  const type = (typed: string): void => {
    setRecalled(null);
    onText(typed);
  };

  const press = (event: KeyboardEvent): void => {
    // While an input method composes a word, Enter and the arrows belong to it.
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape" && busy) onCancel();
    else if (event.key === "ArrowUp") walk(event, -1);
    else if (event.key === "ArrowDown") walk(event, 1);
  };

  return { send, type, press };
};

const KeyHints = () => (
  <p class="keys" id="keys">
    <kbd>Enter</kbd> asks, <kbd>Shift</kbd> <kbd>Enter</kbd> starts a new line, <kbd>↑</kbd> recalls a question,{" "}
    <kbd>/</kbd> comes back here
  </p>
);

export const Composer = (props: Props) => {
  const { box, text, busy } = props;
  const { send, type, press } = useKeys(props);

  useLayoutEffect(() => {
    if (hasPointer()) box.current?.focus({ preventScroll: true });
  }, [box]);

  return (
    <form
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <div class="column">
        <div class="composer-box">
          <label class="visually-hidden" for="question">
            Ask about your calls
          </label>
          <textarea
            id="question"
            ref={box}
            rows={1}
            value={text}
            placeholder="Ask about your calls…"
            autocomplete="off"
            enterkeyhint="send"
            aria-describedby="keys"
            onInput={(event) => type(event.currentTarget.value)}
            onKeyDown={press}
          />
          <button type="submit" class="primary ask" aria-disabled={busy || text.trim() === ""}>
            <ArrowIcon />
            Ask
          </button>
        </div>
        <KeyHints />
      </div>
    </form>
  );
};
