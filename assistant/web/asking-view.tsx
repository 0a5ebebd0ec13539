import { useState } from "preact/hooks";
import { sessionOf } from "./conversation.ts";
import { type Place, toSessionHash } from "./place.ts";
import { titleOf } from "./side/saved-words.ts";
import { type Shelf, SidePanel } from "./side/side-panel.tsx";
import { useSaved } from "./side/use-saved.ts";
import { useSessions } from "./side/use-sessions.ts";
import type { useConversation } from "./use-conversation.ts";
import { useConversationPlace } from "./use-conversation-place.ts";
import type { SavedAnswer } from "./wire.ts";
import { Workspace } from "./workspace.tsx";

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

const notThere =
  "That conversation could not be opened: it was deleted, or it is a colleague’s. An answer of theirs is shared by “Copy link” under it.";

/** Opens conversations: one at a time, the latest wins. */
const useOpening = (
  { conversation, settle }: Pick<Props, "conversation" | "settle">,
  load: ReturnType<typeof useSessions>["load"],
) => {
  const [opening, setOpening] = useState<"idle" | "opening" | "failed">("idle");
  const open = async (id: string): Promise<void> => {
    setOpening("opening");
    const messages = await load(id);
    setOpening(messages === null ? "failed" : "idle");
    if (messages === null) settle(toSessionHash(sessionOf(conversation.turns)));
    else conversation.open(messages);
  };
  return { opening, open };
};

/** The conversation, with what was asked before it at the side. */
export const AskingView = (props: Props) => {
  const { token, suggestions, conversation, place, settle, listing, onListed, onSignInAgain } = props;
  const [shelf, setShelf] = useState<Shelf>("recent");
  const current = sessionOf(conversation.turns);
  const { sessions, load, remove } = useSessions(token, `${current}:${answered(conversation)}`);
  const saved = useSaved(token, shelf === "saved");
  const { opening, open } = useOpening({ conversation, settle }, load);
  const onAsk = ({ question, plan }: { question: string; plan: unknown }): void =>
    conversation.beginAnew(question, plan == null ? null : { plan });
  useConversationPlace({ place, current, settle, onOpen: (id) => void open(id), onAsk });

  const drop = async (from: Shelf, id: string): Promise<boolean> => {
    if (from === "saved") return saved.remove(id);
    const done = await remove(id);
    if (done && id === current) conversation.clear();
    return done;
  };

  return (
    <div class="layout">
      <SidePanel
        {...{ shelf, sessions, saved, current }}
        open={listing}
        onShelf={(next) => {
          setShelf(next);
          saved.reload();
        }}
        onOpen={(id) => {
          location.hash = toSessionHash(id);
          onListed();
        }}
        onAsk={(answer: SavedAnswer) => {
          // What nobody kept the words of is asked by its plan.
          onAsk({ question: titleOf(answer), plan: answer.query === null ? answer.plan : null });
          onListed();
        }}
        onRemove={drop}
        onClose={onListed}
      />
      <Workspace
        {...{ token, suggestions, conversation, onSignInAgain }}
        notice={opening === "failed" ? notThere : null}
        opening={opening === "opening"}
        onFeedback={saved.reload}
      />
    </div>
  );
};
