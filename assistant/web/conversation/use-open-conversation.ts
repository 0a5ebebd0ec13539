import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type HashLocation, type Linked, sessionHash } from "../hash-location.ts";
import { errorText, RequestError } from "../problem.ts";
import { useSession } from "../session-context.ts";
import type { useSavedQuestions, useSessions } from "../side/use-lists.ts";
import { type SavedQuestion, type SharedQuestion, sharedQuestionSchema } from "../wire.ts";
import { sessionOf } from "./conversation.ts";
import type { Conversation } from "./use-conversation.ts";

type AskLocation = Extract<HashLocation, { view: "ask" }>;

type HashSync = {
  readonly at: AskLocation;
  /** The session of the open conversation; null for one that is not kept, or not begun. */
  readonly current: string | null;
  readonly replaceHash: (hash: string) => void;
  readonly onOpen: (session: string) => void;
  readonly onAsk: (linked: Linked) => void;
  readonly onShared: (id: string) => void;
};

/** Keeps the address and the conversation the same: whichever has changed, the other follows. */
const useHashSync = ({ at, current, replaceHash, onOpen, onAsk, onShared }: HashSync): void => {
  const last = useRef(current);
  const act = useRef({ onOpen, onAsk, onShared });
  useLayoutEffect(() => {
    act.current = { onOpen, onAsk, onShared };
  });

  useEffect(() => {
    const hasMoved = last.current !== current;
    last.current = current;
    if (at.linked !== null) {
      // Once only: reloading, or coming back, opens the conversation that the link began.
      replaceHash(sessionHash(null));
      act.current.onAsk(at.linked);
    } else if (at.shared !== null) {
      replaceHash(sessionHash(null));
      act.current.onShared(at.shared);
    } else if (at.session === current) return;
    else if (hasMoved || at.session === null) replaceHash(sessionHash(current));
    else act.current.onOpen(at.session);
  }, [at, current, replaceHash]);
};

const notThere =
  "That conversation could not be opened: it was deleted, or it is a colleague’s. An answer of theirs is shared by “Copy link” under it.";
const linkGone = "This link has expired, or is of another organization: ask for a new one.";
const outdated = (name: string): string =>
  `“${name}” can no longer be answered: ask it anew, save that, and delete this one.`;

type Options = {
  readonly conversation: Conversation;
  readonly at: AskLocation;
  readonly replaceHash: (hash: string) => void;
  readonly recent: Pick<ReturnType<typeof useSessions>, "load">;
  readonly saved: Pick<ReturnType<typeof useSavedQuestions>, "open">;
};

/** `notice` says why the last one could not be opened. */
export type Opening = { readonly busy: boolean; readonly notice: string | null };
const idle: Opening = { busy: false, notice: null };

/** Opens the conversation that the address names, and saved questions: one at a time, the latest wins. */
export const useOpenConversation = ({ conversation, at, replaceHash, recent, saved }: Options) => {
  const { client } = useSession();
  const [opening, setOpening] = useState<Opening>(idle);
  const [shared, setShared] = useState<SharedQuestion | null>(null);
  const latest = useRef(0);
  const current = sessionOf(conversation.turns);

  /** `use` returns a notice for what was found but cannot be opened; `missing` is the notice for a 404. */
  const open = async <T extends object>(reading: Promise<T>, missing: string, use: (found: T) => string | null) => {
    latest.current += 1;
    const mine = latest.current;
    setOpening({ busy: true, notice: null });
    setShared(null);
    const found = await reading.catch((error: unknown) =>
      error instanceof RequestError && error.status === 404 ? missing : errorText(error),
    );
    if (mine !== latest.current) return;
    const isFound = typeof found !== "string";
    if (!isFound) replaceHash(sessionHash(current));
    setOpening({ busy: false, notice: isFound ? use(found) : found });
  };

  const openSession = (id: string): Promise<void> =>
    open(recent.load(id), notThere, (messages) => {
      conversation.open(messages);
      return null;
    });

  const openSaved = ({ id, name: known }: SavedQuestion): Promise<void> =>
    open(saved.open(id), `“${known}” is there no more: it was deleted.`, ({ name, query, plan }) => {
      if (plan == null) return outdated(name);
      conversation.beginAnew(query ?? name, { plan });
      return null;
    });

  const openShared = (id: string): Promise<void> =>
    open(client.get(`/reporting_ai/links/${encodeURIComponent(id)}`, sharedQuestionSchema), linkGone, (shared) => {
      if (shared.plan === null) return outdated(shared.query);
      conversation.beginAnew(shared.query, { plan: shared.plan });
      setShared(shared);
      return null;
    });

  /** Begins a new conversation in place of one that is being opened. */
  const askAnew = ({ question, plan }: Linked): void => {
    latest.current += 1;
    setOpening(idle);
    setShared(null);
    conversation.beginAnew(question, plan == null ? null : { plan });
  };

  useHashSync({
    at,
    current,
    replaceHash,
    onOpen: (id) => void openSession(id),
    onAsk: askAnew,
    onShared: (id) => void openShared(id),
  });

  // Another conversation has begun since.
  const isOpen = shared !== null && conversation.turns[0]?.question === shared.query;
  return { opening, shared: isOpen ? shared : null, openSaved, askAnew };
};
