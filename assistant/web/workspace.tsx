import { useCallback, useRef, useState } from "preact/hooks";
import { warmCharts } from "./chart/draw-chart.ts";
import { Composer } from "./composer.tsx";
import type { Edited, Turn } from "./conversation.ts";
import { hasPointer } from "./has-pointer.ts";
import type { Problem } from "./problem.ts";
import { Start } from "./start.tsx";
import { useSummonKey } from "./summon-key.ts";
import { TurnView } from "./turn-view.tsx";
import { useCatalog } from "./use-catalog.ts";
import type { useConversation } from "./use-conversation.ts";

type Props = {
  readonly token: string;
  readonly suggestions: readonly string[];
  readonly conversation: ReturnType<typeof useConversation>;
  readonly onSignInAgain: () => void;
};

export const Workspace = ({ token, suggestions, conversation, onSignInAgain }: Props) => {
  const { turns, busy, begin, retry, cancel } = conversation;
  const [text, setText] = useState("");
  const box = useRef<HTMLTextAreaElement>(null);
  const catalog = useCatalog(token);
  useSummonKey(box);

  const refocus = useCallback((): void => {
    if (hasPointer()) box.current?.focus({ preventScroll: true });
  }, []);

  const ask = (question: string, edited?: Edited): void => {
    const trimmed = question.trim();
    if (trimmed === "" || busy) return;
    warmCharts();
    begin(trimmed, edited);
    refocus();
  };

  const send = (question: string): void => {
    if (question.trim() === "" || busy) return;
    ask(question);
    setText("");
  };

  const stop = (): void => {
    cancel();
    refocus();
  };

  const edit = (question: string): void => {
    setText(question);
    box.current?.focus();
  };

  const again = (turn: Turn): void => {
    void retry({ id: turn.id, question: turn.question, edited: turn.edited });
    refocus();
  };

  const remedy = (turn: Turn, problem: Problem | null): void => {
    if (problem?.remedy === "sign_in") onSignInAgain();
    else if (problem?.remedy === "edit") edit(turn.question);
    else again(turn);
  };

  return (
    <main class="workspace">
      <div class="column conversation">
        {turns.length === 0 ? (
          <Start suggestions={suggestions} onAsk={send} />
        ) : (
          <h1 class="visually-hidden">Conversation</h1>
        )}
        {turns.map((turn, index) => (
          <TurnView
            key={turn.id}
            turn={turn}
            isLast={index === turns.length - 1}
            busy={busy}
            token={token}
            catalog={catalog}
            onAsk={ask}
            onCancel={stop}
            onRemedy={(problem) => remedy(turn, problem)}
          />
        ))}
      </div>
      <Composer
        box={box}
        text={text}
        asked={turns.map((turn) => turn.question)}
        busy={busy}
        onText={setText}
        onSend={() => send(text)}
        onCancel={stop}
      />
    </main>
  );
};
