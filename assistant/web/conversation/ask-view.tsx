import { useEffect, useState } from "preact/hooks";
import { Choices } from "../chips/option-list.tsx";
import type { HashLocation } from "../hash-location.ts";
import { useFocusShortcut } from "../keyboard.ts";
import { useSession } from "../session-context.ts";
import { SidePanel, type Tab } from "../side/side-panel.tsx";
import { useApprovedQuestions, useSavedQuestions, useSessions } from "../side/use-lists.ts";
import { type SharedQuestion, suggestionsSchema } from "../wire.ts";
import { Composer } from "./composer.tsx";
import { sessionOf } from "./conversation.ts";
import { SharedNote } from "./shared-note.tsx";
import { TurnView } from "./turn-view.tsx";
import type { Conversation } from "./use-conversation.ts";
import { type Opening, useOpenConversation } from "./use-open-conversation.ts";
import { useQuestionBox } from "./use-question-box.ts";

/** Questions to start with; null until they are read, and none where they cannot be. */
const useSuggestions = (): readonly string[] | null => {
  const { client } = useSession();
  const [suggestions, setSuggestions] = useState<readonly string[] | null>(null);
  useEffect(() => {
    let current = true;
    client.get("/reporting_ai/suggestions", suggestionsSchema).then(
      ({ data }) => current && setSuggestions(data),
      () => current && setSuggestions([]),
    );
    return () => {
      current = false;
    };
  }, [client]);
  return suggestions;
};

const Start = ({ onAsk }: { onAsk: (question: string) => void }) => {
  const suggestions = useSuggestions();
  // Questions that came later would move the words above them.
  if (suggestions === null) return <section class="start" aria-busy="true" />;
  return (
    <section class="start">
      <h1>What would you like to know?</h1>
      <p class="lede">
        Ask about your calls in plain words. You get the answer, a chart, the rows, and the SQL that produced them.
      </p>
      {suggestions.length > 0 && <Choices title="For example" look="cards" options={suggestions} onChoose={onAsk} />}
    </section>
  );
};

/** The notice stands above turns that may be scrolled past. */
const scrollToNotice = (notice: HTMLElement | null): void => notice?.scrollIntoView({ block: "nearest" });

type HeadProps = { readonly isEmpty: boolean; readonly opening: Opening; readonly onAsk: (question: string) => void };

/** Above the turns: how to begin, that a conversation is being opened, or why it could not be. */
const Head = ({ isEmpty, opening: { busy, notice }, onAsk }: HeadProps) => {
  if (busy && isEmpty) {
    return (
      <p class="soft opening" role="status">
        Opening…
      </p>
    );
  }
  return (
    <>
      {notice !== null && (
        <p class="notice opening" role="alert" ref={scrollToNotice}>
          {notice}
        </p>
      )}
      {isEmpty ? <Start onAsk={onAsk} /> : <h1 class="visually-hidden">Conversation</h1>}
    </>
  );
};

/** The id of the element that "Skip to the conversation" focuses. */
const conversationId = "conversation";

type WorkspaceProps = {
  readonly conversation: Conversation;
  readonly opening: Opening;
  readonly shared: SharedQuestion | null;
  readonly onChanged: (list: Tab) => void;
};

const Workspace = ({ conversation, opening, shared, onChanged }: WorkspaceProps) => {
  const { turns, busy } = conversation;
  const { box, text, setText, ask, send, stop, remedy } = useQuestionBox(conversation);
  useFocusShortcut(box);
  return (
    <main class="workspace" id={conversationId} tabIndex={-1}>
      <div class="column conversation">
        <Head isEmpty={turns.length === 0} opening={opening} onAsk={send} />
        {turns.map((turn, index) => (
          <TurnView
            key={turn.id}
            turn={turn}
            note={shared !== null && index === 0 && <SharedNote shared={shared} busy={busy} onAsk={ask} />}
            busy={busy}
            isLast={index === turns.length - 1}
            onAsk={ask}
            onCancel={stop}
            onChanged={onChanged}
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

type Props = {
  readonly conversation: Conversation;
  readonly at: Extract<HashLocation, { view: "ask" }>;
  readonly replaceHash: (hash: string) => void;
  readonly panelOpen: boolean;
  readonly onPanelClose: () => void;
};

/** The conversation, with earlier ones and the organization's kept questions at the side. */
export const AskView = ({ conversation, at, replaceHash, panelOpen, onPanelClose }: Props) => {
  const [tab, setTab] = useState<Tab>("recent");
  const [search, setSearch] = useState("");
  const current = sessionOf(conversation.turns);
  const answered = conversation.turns.filter(({ state }) => state.kind === "answered").length;
  const lists = {
    recent: useSessions(`${current}:${answered}`, search),
    saved: useSavedQuestions(tab === "saved"),
    approved: useApprovedQuestions(tab === "approved"),
  };
  const { recent, saved } = lists;
  const { opening, shared, openSaved, askAnew } = useOpenConversation({ conversation, at, replaceHash, recent, saved });

  const reload = (changed: Tab): void => {
    if (changed === tab) lists[changed].reload();
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
        tab={tab}
        lists={lists}
        current={current}
        search={search}
        onSearch={setSearch}
        open={panelOpen}
        onTab={(next) => {
          setTab(next);
          reload(next);
        }}
        onOpenSaved={(question) => void openSaved(question)}
        onAsk={askAnew}
        onRemove={async (id) => {
          const removed = await lists[tab].remove(id);
          if (removed && id === current) conversation.clear();
          return removed;
        }}
        onClose={onPanelClose}
      />
      <Workspace conversation={conversation} opening={opening} shared={shared} onChanged={reload} />
    </div>
  );
};
