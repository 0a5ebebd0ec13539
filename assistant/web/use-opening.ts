import { useRef, useState } from "preact/hooks";
import { sessionOf } from "./conversation.ts";
import { type Linked, toSessionHash } from "./place.ts";
import { RequestError, toProblem } from "./problem.ts";
import type { useSaved } from "./side/use-saved.ts";
import type { useSessions } from "./side/use-sessions.ts";
import type { useConversation } from "./use-conversation.ts";
import type { SavedQuestion } from "./wire.ts";

const notThere =
  "That conversation could not be opened: it was deleted, or it is a colleague’s. An answer of theirs is shared by “Copy link” under it.";
const outdated = (name: string): string =>
  `“${name}” can no longer be answered: ask it anew, save that, and delete this one.`;

const wordsOf = (error: unknown, missing: string): string => {
  if (error instanceof RequestError && error.status === 404) return missing;
  const { title, advice } = toProblem(error);
  return `${title} ${advice}`;
};

type Given = { readonly conversation: ReturnType<typeof useConversation>; readonly settle: (hash: string) => void };
type Sources = {
  readonly load: ReturnType<typeof useSessions>["load"];
  readonly openSaved: ReturnType<typeof useSaved>["open"];
};

/** What has become of what was to be opened last. */
type Opening = { readonly busy: boolean; readonly notice: string | null };
const idle: Opening = { busy: false, notice: null };

/** Opens conversations and saved questions: one at a time, the latest wins. */
export const useOpening = ({ conversation, settle }: Given, from: Sources) => {
  const [opening, setOpening] = useState<Opening>(idle);
  const latest = useRef(0);

  /** Reads it, unless another is opened meanwhile; `missing` is said where it is not there, and what `use` says of it where it is. */
  const open = async <T extends object>(reading: Promise<T>, missing: string, use: (found: T) => string | null) => {
    latest.current += 1;
    const mine = latest.current;
    setOpening({ busy: true, notice: null });
    const found = await reading.catch((error: unknown) => wordsOf(error, missing));
    if (mine !== latest.current) return;
    const isFound = typeof found !== "string";
    if (!isFound) settle(toSessionHash(sessionOf(conversation.turns)));
    setOpening({ busy: false, notice: isFound ? use(found) : found });
  };

  const openSession = (id: string): Promise<void> =>
    open(from.load(id), notThere, (messages) => {
      conversation.open(messages);
      return null;
    });

  const ask = ({ question, plan }: Linked): void => {
    latest.current += 1;
    setOpening(idle);
    conversation.beginAnew(question, plan == null ? null : { plan });
  };

  const openSaved = ({ id, name: known }: SavedQuestion): Promise<void> =>
    open(from.openSaved(id), `“${known}” is there no more: it was deleted.`, ({ name, query, plan }) => {
      if (plan == null) return outdated(name);
      conversation.beginAnew(query ?? name, { plan });
      return null;
    });

  return { opening, openSession, openSaved, ask };
};
