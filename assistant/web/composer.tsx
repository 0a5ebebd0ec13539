import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { hasPointer } from "./has-pointer.ts";
import { ArrowIcon } from "./icons.tsx";
import { useRecall } from "./use-recall.ts";

type Props = {
  readonly box: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly asked: readonly string[];
  readonly busy: boolean;
  readonly onText: (text: string) => void;
  readonly onSend: () => void;
  readonly onCancel: () => void;
};

/** What the keys do in the box; `onSend` and `onText` forget what was recalled. */
const useKeys = ({ box, text, asked, busy, onText, onSend, onCancel }: Props) => {
  const { walk, forget } = useRecall({ box, text, asked, onText });

  const send = (): void => {
    forget();
    onSend();
  };

  const type = (typed: string): void => {
    forget();
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
