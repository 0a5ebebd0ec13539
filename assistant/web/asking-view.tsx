import { useState } from "preact/hooks";
import { sessionOf } from "./conversation.ts";
import { type Place, toSessionHash } from "./place.ts";
import { titleOf } from "./side/approval-words.ts";
import { type Shelf, SidePanel } from "./side/side-panel.tsx";
import { useSaved } from "./side/use-saved.ts";
import { useSessions } from "./side/use-sessions.ts";
import { useShelf } from "./side/use-shelf.ts";
import type { useConversation } from "./use-conversation.ts";
import { useConversationPlace } from "./use-conversation-place.ts";
import { useOpening } from "./use-opening.ts";
import { approvedQuestionsSchema } from "./wire.ts";
import { conversationId, Workspace } from "./workspace.tsx";

type Props = {
  readonly token: string;
  readonly suggestions: readonly string[];
  readonly conversation: ReturnType<typeof useConversation>;
  readonly place: Extract<Place, { view: "ask" }>;
  readonly settle: (hash: string) => void;
  readonly listing: boolean;
  readonly onListed: () => void;
  readonly onSignInAgain: () => void;
};

const answered = (conversation: Props["conversation"]): number =>
  conversation.turns.filter(({ state }) => state.kind === "answered").length;

/** The conversation, with what was asked before it at the side. */
export const AskingView = (props: Props) => {
  const { token, suggestions, conversation, place, settle, listing, onListed, onSignInAgain } = props;
  const [shelf, setShelf] = useState<Shelf>("recent");
  const current = sessionOf(conversation.turns);
  const sessions = useSessions(token, `${current}:${answered(conversation)}`);
  const saved = useSaved(token, shelf === "saved" ? "now" : null);
  const approved = useShelf(token, {
    path: "/reporting_ai/approved",
    schema: approvedQuestionsSchema,
    wanted: shelf === "approved" ? "now" : null,
  });
  const sources = { load: sessions.load, openSaved: saved.open };
  const { opening, openSession, openSaved, ask } = useOpening({ conversation, settle }, sources);
  useConversationPlace({ place, current, settle, onOpen: (id) => void openSession(id), onAsk: ask });

  const drop = async (from: Shelf, id: string): Promise<boolean> => {
    const done = await { recent: sessions, saved, approved }[from].remove(id);
    if (done && id === current) conversation.clear();
    return done;
  };
  const reload = (changed: Shelf): void => {
    if (changed === shelf) ({ recent: sessions, saved, approved })[changed].reload();
  };

  return (
    <div class="layout">
      <button
        type="button"
        class="secondary skip"
        onClick={() => document.getElementById(conversationId)?.focus({ preventScroll: true })}
      >
        Skip to the conversation
      </button>
      <SidePanel
        shelf={shelf}
        sessions={sessions}
        saved={saved}
        approved={approved}
        current={current}
        onSignInAgain={onSignInAgain}
        open={listing}
        onShelf={(next) => {
          setShelf(next);
          reload(next);
        }}
        onOpen={(id) => {
          location.hash = toSessionHash(id);
          onListed();
        }}
        onOpenSaved={(question) => {
          void openSaved(question);
          onListed();
        }}
        onAskApproved={(question) => {
          // What nobody kept the words of is asked by its plan.
          ask({ question: titleOf(question), plan: question.query === null ? question.plan : null });
          onListed();
        }}
        onRemove={drop}
        onClose={onListed}
      />
      <Workspace
        token={token}
        suggestions={suggestions}
        conversation={conversation}
        onSignInAgain={onSignInAgain}
        notice={opening.notice}
        opening={opening.busy}
        onKept={reload}
      />
    </div>
  );
};
