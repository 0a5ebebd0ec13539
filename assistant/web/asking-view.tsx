import { sessionOf } from "./conversation.ts";
import { SessionsPanel } from "./sessions-panel.tsx";
import type { useConversation } from "./use-conversation.ts";
import { useSessions } from "./use-sessions.ts";
import { Workspace } from "./workspace.tsx";

type Props = {
  readonly token: string;
  readonly suggestions: readonly string[];
  readonly conversation: ReturnType<typeof useConversation>;
  readonly listing: boolean;
  readonly onListed: () => void;
  readonly onSignInAgain: () => void;
};

const answered = (conversation: Props["conversation"]): number =>
  conversation.turns.filter(({ state }) => state.kind === "answered").length;

/** The conversation, with those before it at the side. */
export const AskingView = ({ token, suggestions, conversation, listing, onListed, onSignInAgain }: Props) => {
  const current = sessionOf(conversation.turns);
  const { sessions, problem, load, remove } = useSessions(token, `${current}:${answered(conversation)}`);

  const open = async (id: string): Promise<void> => {
    const messages = await load(id);
    if (messages === null) return;
    conversation.open(messages);
    onListed();
  };

  const drop = async (id: string): Promise<void> => {
    if ((await remove(id)) && id === current) conversation.clear();
  };

  return (
    <div class="layout">
      <SessionsPanel
        {...{ sessions, problem, current }}
        open={listing}
        onOpen={(id) => void open(id)}
        onRemove={(id) => void drop(id)}
        onClose={onListed}
      />
      <Workspace {...{ token, suggestions, conversation, onSignInAgain }} />
    </div>
  );
};
