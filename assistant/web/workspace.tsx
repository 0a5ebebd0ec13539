import { Composer } from "./composer.tsx";
import type { Kept } from "./feedback.tsx";
import { Start } from "./start.tsx";
import { useSummonKey } from "./summon-key.ts";
import { TurnView } from "./turn-view.tsx";
import { useAsking } from "./use-asking.ts";
import { useCatalog } from "./use-catalog.ts";
import type { useConversation } from "./use-conversation.ts";

type Props = {
  readonly token: string;
  readonly suggestions: readonly string[];
  readonly conversation: ReturnType<typeof useConversation>;
  /** Why what the address names is not here. */
  readonly notice: string | null;
  readonly opening: boolean;
  readonly onKept: (what: Kept) => void;
  readonly onSignInAgain: () => void;
};

/** It stands above turns that may be scrolled past. */
const bringUp = (notice: HTMLElement | null): void => notice?.scrollIntoView({ block: "nearest" });

/** What stands above the turns: how to begin, or that a conversation is on its way. */
const Head = ({
  conversation: { turns },
  ...props
}: Pick<Props, "suggestions" | "conversation" | "notice" | "opening"> & { onAsk: (question: string) => void }) => {
  const { suggestions, notice, opening, onAsk } = props;
  if (opening && turns.length === 0) {
    return (
      <p class="soft opening" role="status">
        Opening…
      </p>
    );
  }
  return (
    <>
      {notice !== null && (
        <p class="notice opening" role="alert" ref={bringUp}>
          {notice}
        </p>
      )}
      {turns.length === 0 ? (
        <Start suggestions={suggestions} onAsk={onAsk} />
      ) : (
        <h1 class="visually-hidden">Conversation</h1>
      )}
    </>
  );
};

/** Where the keyboard gets to past the panel at the side. */
export const conversationId = "conversation";

export const Workspace = (props: Props) => {
  const { token, suggestions, conversation, notice, opening, onKept, onSignInAgain } = props;
  const { turns, busy } = conversation;
  const { box, text, setText, ask, send, stop, remedy } = useAsking(conversation, onSignInAgain);
  const catalog = useCatalog(token);
  useSummonKey(box);
  return (
    <main class="workspace" id={conversationId} tabIndex={-1}>
      <div class="column conversation">
        <Head suggestions={suggestions} conversation={conversation} notice={notice} opening={opening} onAsk={send} />
        {turns.map((turn, index) => (
          <TurnView
            key={turn.id}
            turn={turn}
            busy={busy}
            token={token}
            catalog={catalog}
            onKept={onKept}
            isLast={index === turns.length - 1}
            onAsk={ask}
            onCancel={stop}
            onRemedy={(problem) => remedy(turn, problem)}
          />
        ))}
      </div>
      <Composer
        box={box}
        text={text}
        busy={busy}
        asked={turns.map((turn) => turn.question)}
        onText={setText}
        onSend={() => send(text)}
        onCancel={stop}
      />
    </main>
  );
};
